import type { Finding } from '../../scan/scan.ts';
import type { Instant } from '../kernel/facts.ts';
import { dayMs } from '../kernel/window.ts';
import type { AlertSeverity, AlertSource, SecurityAlert } from './security-alerts.ts';

/** Which open alerts and findings are wanted; without any of it all are. */
export interface SecurityFilter {
  severity?: AlertSeverity | undefined;
  /** As `alertRule` and findings name it, or a whole source. */
  rule?: string | undefined;
  /** Days for which an alert has been open, and more. */
  age?: number | undefined;
}

/** Where an alert or finding comes from, as a filter names it. */
export type RuleSource = AlertSource | 'workflows';

export const hasFilter = ({ severity, rule, age }: SecurityFilter): boolean =>
  severity !== undefined || rule !== undefined || age !== undefined;

/** What an alert is about: the same advisory, rule or kind of secret in every repository. */
export const alertRule = ({ advisory, source, subject }: SecurityAlert): string => advisory ?? `${source}:${subject}`;

export function matchesAlert(alert: SecurityAlert, { severity, rule, age }: SecurityFilter, now: Instant): boolean {
  if (severity !== undefined && alert.severity !== severity) return false;
  if (age !== undefined && now - alert.createdAt <= age * dayMs) return false;
  const names = [alert.source, alertRule(alert), `${alert.source}:${alert.subject}`];
  return rule === undefined || names.some((name) => isSame(name, rule));
}

type FilteredFinding = Pick<Finding, 'ruleId' | 'severity' | 'suppression'>;

/** A finding has no age, and one that a comment suppresses is not open. */
export function matchesFinding(finding: FilteredFinding, { severity, rule, age }: SecurityFilter): boolean {
  if (age !== undefined) return false;
  if (severity !== undefined && finding.severity !== severity) return false;
  if (rule === undefined) return true;
  return finding.suppression?.state !== 'active' && ['workflows', finding.ruleId].some((name) => isSame(name, rule));
}

/** Whether findings in workflow files can match at all. */
export const wantsFindings = ({ severity, rule, age }: SecurityFilter): boolean =>
  age === undefined && severity !== 'low' && (rule === undefined || /^(workflows|SEC-\d{3})$/i.test(rule));

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
