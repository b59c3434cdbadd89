import type { Finding } from '../../scan/scan.ts';
import type { Instant, Repository, RepositoryName } from '../kernel/facts.ts';
import { countMetric, type Metric, metric } from '../kernel/metric.ts';
import { dayMs, inUnit } from '../kernel/window.ts';
import type { RepositoryAlert, SecurityAlert } from './security-alerts.ts';

/** A finding in a workflow file, with its repository. */
export interface RepositoryFinding {
  repository: RepositoryName;
  path: string;
  finding: Finding;
  htmlUrl: string | null;
}

/** What is known of the alerts of a repository. */
export interface RepositoryAlerts {
  repository: Pick<Repository, 'owner' | 'repo' | 'htmlUrl'>;
  /** null where no source is known to be on. */
  open: readonly SecurityAlert[] | null;
}

export const isSevere = ({ severity }: { severity: string }): boolean => severity === 'critical' || severity === 'high';

/** Open alerts of the organization's repositories. */
export const organizationAlerts: Metric<RepositoryAlert> = countMetric({
  key: 'org_open_security_alerts',
  label: 'Open security alerts',
  better: 'lower',
  source: 'open alerts',
  definition: 'Open alerts about dependencies, code and secrets in the repositories that are not archived.',
  counts: ({ alert }) => alert.state === 'open' || alert.state,
});

/** Those of them that are critical or high. */
export const severeAlerts: Metric<RepositoryAlert> = countMetric({
  key: 'org_severe_security_alerts',
  label: 'Open critical or high security alerts',
  better: 'lower',
  source: 'open critical or high alerts',
  definition:
    'Open alerts of critical or high severity. A leaked secret is always critical; a code alert has its security severity where it has one.',
  counts: ({ alert }) => (alert.state === 'open' ? isSevere(alert) || `severity is ${alert.severity}` : alert.state),
});

/** Age of the oldest open alert. */
export function oldestOrganizationAlert(now: Instant): Metric<RepositoryAlert> {
  return metric({
    key: 'org_oldest_security_alert',
    label: 'Oldest open security alert',
    unit: 'days',
    better: 'lower',
    source: 'open alerts',
    definition: 'Time since the creation of the oldest open alert in the repositories that are not archived.',
    counts: ({ alert: { state, createdAt } }) => {
      if (state !== 'open') return state;
      return createdAt <= now || 'created later than now';
    },
    value: (open) => inUnit(Math.max(...open.map(({ alert }) => now - alert.createdAt)), dayMs),
  });
}

/** Repositories with an open critical or high alert. */
export const affectedRepositories: Metric<RepositoryAlerts> = countMetric({
  key: 'org_affected_repositories',
  label: 'Repositories with critical or high alerts',
  better: 'lower',
  source: 'repositories with an open critical or high alert',
  definition: 'Repositories with at least one open alert of critical or high severity. Archived ones are excluded.',
  counts: ({ open }) => {
    if (open === null) return 'no source is known to be on';
    return open.some(isSevere) || 'none open in loaded sources';
  },
});

/** Critical or high findings in the workflow files that were scanned. */
export const severeFindings: Metric<RepositoryFinding> = countMetric({
  key: 'org_severe_workflow_findings',
  label: 'Critical or high workflow findings',
  better: 'lower',
  source: 'critical or high findings',
  definition:
    'Critical or high findings in the workflow files of the listed repositories. A finding suppressed by a comment counts as info.',
  counts: ({ finding }) => isSevere(finding) || `severity is ${finding.severity}`,
});
