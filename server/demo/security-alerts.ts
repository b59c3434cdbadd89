import type { AlertReads, SourceRead } from '../codehost/security-alerts/client.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { AlertSource, SecurityAlert } from '../metrics/security/security-alerts.ts';
import { day, hour } from './calendar.ts';
import { repositoryNamed } from './lookup.ts';
import { type Finding, type SourcePlan, securityPlans } from './security-plans.ts';
import type { World } from './world.ts';

/** The security alerts of the sample world. Unknown names throw `Problem('not_found')`. */
export const demoSecurityAlerts = (world: World): AlertReads => ({
  async securityAlerts(name, since) {
    const { repository } = repositoryNamed(world, name);
    const plan = securityPlans[repository.repo] ?? {};
    const read = (source: AlertSource) => readSource(source, plan[source] ?? [], world.now, since);
    return {
      dependabot: read('dependabot'),
      code_scanning: read('code_scanning'),
      secret_scanning: read('secret_scanning'),
    };
  },
});

function readSource(source: AlertSource, plan: SourcePlan, now: Instant, since: Instant): SourceRead {
  const fresh = { truncated: false, stale: false, asOf: now };
  if (!Array.isArray(plan)) return { ...plan, open: [], ended: null, ...fresh };
  const alerts = plan.map((finding, index) => createAlert(source, finding, plan.length - index, now));
  return {
    status: 'ok',
    message: null,
    ...fresh,
    open: alerts.filter(({ state }) => state === 'open'),
    ended: alerts.filter(({ endedAt }) => endedAt !== null && endedAt >= since),
  };
}

/** Numbers count upwards from the last of the plan. */
function createAlert(source: AlertSource, finding: Finding, number: number, now: Instant): SecurityAlert {
  const { severity, title, subject, age, path, cvss = null, epss = null, fixed, dismissed } = finding;
  const createdAt = now - age * day - (number % 7) * hour;
  const ended = fixed ?? dismissed;
  return {
    source,
    number,
    severity,
    title,
    subject,
    createdAt,
    path,
    cvss,
    epss,
    htmlUrl: '#',
    state: fixed !== undefined ? 'fixed' : dismissed !== undefined ? 'dismissed' : 'open',
    endedAt: ended === undefined ? null : now - ended * day,
    ecosystem: source === 'dependabot' ? 'npm' : null,
    fixAvailable: source === 'dependabot' ? (finding.hasFix ?? true) : null,
    publiclyLeaked: source === 'secret_scanning' ? (finding.leaked ?? false) : null,
    tool: source === 'code_scanning' ? 'Beamcheck' : null,
  };
}
