import type { AlertReads, OrganizationRead, SourceRead } from '../codehost/security-alerts/client.ts';
import type { Instant, RepositoryName } from '../metrics/kernel/facts.ts';
import type { AlertSource, SecurityAlert } from '../metrics/security/security-alerts.ts';
import { day, hour } from './calendar.ts';
import { repositoryNamed } from './lookup.ts';
import { type Finding, plannedFindings } from './security-plans.ts';
import type { World } from './world.ts';

/** The security alerts of the sample world. Unknown names throw `Problem('not_found')`. */
export const demoSecurityAlerts = (world: World): AlertReads => ({
  async securityAlerts(name, since) {
    const { repository } = repositoryNamed(world, name);
    return {
      dependabot: readSource('dependabot', repository, world, since),
      code_scanning: readSource('code_scanning', repository, world, since),
      secret_scanning: readSource('secret_scanning', repository, world, since),
    };
  },
  async openAlerts(name, source) {
    const {
      ended: _ended,
      endedTruncated: _endedTruncated,
      ...open
    } = readSource(source, repositoryNamed(world, name).repository, world, world.now);
    return open;
  },
  // Its visitor is no security manager, so that every state of a source can be seen.
  async organizationAlerts(_org, only) {
    const list = (source: AlertSource) => noList(only === undefined || only === source, world.now);
    return {
      dependabot: list('dependabot'),
      code_scanning: list('code_scanning'),
      secret_scanning: list('secret_scanning'),
    };
  },
});

const noList = (isRequested: boolean, now: Instant): OrganizationRead => ({
  status: isRequested ? 'denied' : 'not_requested',
  message: null,
  open: [],
  truncated: false,
  stale: false,
  asOf: now,
});

function readSource(
  source: AlertSource,
  { repo }: RepositoryName,
  { now, situation }: Pick<World, 'now' | 'situation'>,
  since: Instant,
): SourceRead {
  const plan = plannedFindings(repo, source, situation);
  const fresh = { truncated: false, stale: false, asOf: now };
  if (!Array.isArray(plan)) return { ...plan, open: [], ended: null, endedTruncated: false, ...fresh };
  const alerts = plan.map((finding, index) => createAlert(source, finding, plan.length - index, now));
  return {
    status: 'ok',
    message: null,
    ...fresh,
    open: alerts.filter(({ state }) => state === 'open'),
    endedTruncated: false,
    ended: alerts.filter(({ endedAt }) => endedAt !== null && endedAt >= since),
  };
}

/** Numbers count upwards from the last of the plan. */
function createAlert(source: AlertSource, finding: Finding, number: number, now: Instant): SecurityAlert {
  const { severity, title, subject, age, path, advisory = null, cvss = null, epss = null, fixedIn = null } = finding;
  const { fixed, dismissed } = finding;
  const createdAt = now - age * day - (number % 7) * hour;
  const ended = fixed ?? dismissed;
  return {
    source,
    number,
    severity,
    title,
    subject,
    advisory,
    createdAt,
    path,
    cvss,
    epss,
    htmlUrl: '#',
    state: fixed !== undefined ? 'fixed' : dismissed !== undefined ? 'dismissed' : 'open',
    endedAt: ended === undefined ? null : now - ended * day,
    ecosystem: source === 'dependabot' ? 'npm' : null,
    fixAvailable: source === 'dependabot' ? fixedIn !== null : null,
    patchedVersion: fixedIn,
    publiclyLeaked: source === 'secret_scanning' ? (finding.leaked ?? false) : null,
    tool: source === 'code_scanning' ? 'Beamcheck' : null,
  };
}
