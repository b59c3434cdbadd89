import type { Instant } from '../../metrics/kernel/facts.ts';
import type { AlertSeverity } from '../../metrics/security/security-alerts.ts';
import {
  alertRule,
  matchesAlert,
  matchesFinding,
  type RuleSource,
  type SecurityFilter,
} from '../../metrics/security/security-filter.ts';
import { Problem } from '../../platform/problem.ts';
import { getRule } from '../../scan/rules.ts';
import type { Finding } from '../../scan/scan.ts';
import type { KnownRepository, ReadRepository } from './reading.ts';

/** An open alert, or a finding that nothing suppresses: what rules and facets are counted in. */
export interface Entry {
  repositoryId: number;
  severity: AlertSeverity | 'info';
  rule: string;
  source: RuleSource;
  title: string;
  subject: string | null;
  /** null for findings. */
  createdAt: Instant | null;
  matches(filter: SecurityFilter): boolean;
}

/** Everything that is open in a repository, as far as it is known. */
export function listEntries({ repository: { id }, open, read }: KnownRepository, now: Instant): Entry[] {
  const alerts = (open ?? []).map(
    (alert): Entry => ({
      repositoryId: id,
      severity: alert.severity,
      rule: alertRule(alert),
      source: alert.source,
      title: alert.title,
      subject: alert.subject,
      createdAt: alert.createdAt,
      matches: (filter) => matchesAlert(alert, filter, now),
    }),
  );
  const findings = listFindings(read).filter(({ finding }) => finding.suppression?.state !== 'active');
  return [
    ...alerts,
    ...findings.map(
      ({ finding }): Entry => ({
        repositoryId: id,
        severity: finding.severity,
        rule: finding.ruleId,
        source: 'workflows',
        title: getRule(finding.ruleId).title,
        subject: null,
        createdAt: null,
        matches: (filter) => matchesFinding(finding, filter),
      }),
    ),
  ];
}

interface FoundFinding {
  path: string;
  commitSha: string | null;
  finding: Finding;
}

/** The findings in the workflow files of a repository, suppressed ones among them. */
export function listFindings(read: ReadRepository | null): FoundFinding[] {
  const workflows = read?.workflows ?? null;
  if (workflows === null || workflows instanceof Problem) return [];
  const { commitSha } = workflows.files;
  return workflows.scanned.flatMap(({ scan: { path, findings } }) =>
    findings.map((finding) => ({ path, commitSha, finding })),
  );
}
