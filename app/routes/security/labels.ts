import type { z } from 'zod';
import type { getOrganizationSecurity } from '../../../server/reports/organization-security/operations.ts';
import type { Status } from '../../components/badge.tsx';

/** What the page of an organization's security shows. */
export type Security = z.output<(typeof getOrganizationSecurity)['output']>;
export type SecurityRow = Security['repos'][number];
export type Rule = Security['facets']['rule'][number];
export type Severity = Rule['severity'];
export type RuleSource = Rule['source'];

/** From the worst down, as the platform grades alerts. */
export const alertSeverities = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Severity[];

export const severityStatus: Record<Severity, Status> = {
  critical: 'fail',
  high: 'fail',
  medium: 'warning',
  low: 'void',
  info: 'void',
};

/** What an alert or finding is about, by where it comes from. */
export const sourceNames: Record<RuleSource, string> = {
  dependabot: 'Dependencies',
  code_scanning: 'Code',
  secret_scanning: 'Secrets',
  workflows: 'Workflow files',
};

/** The sources of the platform's own alerts. */
export const alertSources = ['dependabot', 'code_scanning', 'secret_scanning'] as const satisfies readonly RuleSource[];

/** The parts of the pages about security, each with what it shows to whoever is not granted it. */
export const alertsPart = {
  title: 'Security alerts',
  feature: { label: 'Security alerts', shows: 'open alerts for dependencies, code and secrets' },
};
export const findingsPart = {
  title: 'Workflow files',
  feature: { label: 'Workflow security findings', shows: 'risks in workflow files' },
};

/** What the bar says in place of a range: alerts are those that are open. */
export const openNow = { shown: 'open now', because: 'alerts have no history here' };

/** Whether a source has no alert in the organization's list, which does not tell whether it is on. */
export const isUnlisted = ({ sources }: Pick<SecurityRow, 'sources'>): boolean =>
  Object.values(sources ?? {}).some(({ status }) => status === 'none_listed');
