import {
  affectedRepositories,
  oldestOrganizationAlert,
  organizationAlerts,
  type RepositoryAlerts,
  type RepositoryFinding,
  severeAlerts,
  severeFindings,
} from '../../server/metrics/security/organization-security.ts';
import type { RepositoryAlert } from '../../server/metrics/security/security-alerts.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import { toAlert } from './held-alerts.ts';
import { type HeldMetrics, held } from './held-metrics.ts';
import { naiveRound } from './naive-people.ts';
import { day } from './worlds.ts';

const severities = ['critical', 'high', 'medium', 'info'] as const;

/** The metrics of an organization's security, over alerts that come and go as the world's issues do, in six repositories. */
export function heldOrganizationSecurity({ now, issues }: DeliveryWorld): HeldMetrics {
  const alerts = issues.map((issue): RepositoryAlert => ({ repository: toName(issue.number), alert: toAlert(issue) }));
  const findings = issues.map(({ number }) => toFinding(number));
  const repositories = toRepositories(alerts);
  const expected = naiveSecurity(alerts, repositories, findings, now);
  return {
    organizationAlerts: [held(organizationAlerts, alerts, expected.open)],
    severeAlerts: [held(severeAlerts, alerts, expected.severe)],
    oldestOrganizationAlert: [held(oldestOrganizationAlert(now), alerts, expected.oldest)],
    affectedRepositories: [held(affectedRepositories, repositories, expected.affected)],
    severeFindings: [held(severeFindings, findings, expected.findings)],
  };
}

const toName = (number: number) => ({ owner: 'octo', repo: `r${number % 6}`, htmlUrl: '#' });

const toFinding = (number: number): RepositoryFinding => ({
  repository: toName(number),
  path: 'ci.yml',
  htmlUrl: null,
  finding: {
    ruleId: 'SEC-006',
    severity: severities[number % 4] ?? 'info',
    foundAs: 'high',
    confidence: 'high',
    line: number,
    context: null,
    detail: null,
    job: null,
    step: null,
    suppression: null,
  },
});

/** Of every fifth nothing could be read. */
function toRepositories(alerts: readonly RepositoryAlert[]): RepositoryAlerts[] {
  return [0, 1, 2, 3, 4, 5].map((number) => {
    const { repo } = toName(number);
    const own = alerts.filter(({ repository, alert }) => repository.repo === repo && alert.state === 'open');
    return { repository: toName(number), open: number === 4 ? null : own.map(({ alert }) => alert) };
  });
}

/** Read once more, one after the other. */
function naiveSecurity(
  alerts: RepositoryAlert[],
  repositories: RepositoryAlerts[],
  findings: RepositoryFinding[],
  now: number,
) {
  const counted = { open: 0, severe: 0, affected: 0, findings: 0, oldest: null as number | null };
  let oldest: number | null = null;
  for (const { alert } of alerts) {
    if (alert.state !== 'open') continue;
    counted.open += 1;
    if (['critical', 'high'].includes(alert.severity)) counted.severe += 1;
    if (alert.createdAt <= now && (oldest === null || alert.createdAt < oldest)) oldest = alert.createdAt;
  }
  for (const { open } of repositories)
    for (const { severity } of open ?? [])
      if (severity === 'critical' || severity === 'high') {
        counted.affected += 1;
        break;
      }
  for (const { finding } of findings) if (/critical|high/.test(finding.severity)) counted.findings += 1;
  if (oldest !== null) counted.oldest = naiveRound(now - oldest, day, 1);
  return counted;
}
