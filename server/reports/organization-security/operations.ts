import { z } from 'zod';
import { eitherFeature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bounded, clamped, org, securityFilter } from '../../api/parameters.ts';
import { alertSources } from '../../metrics/security/security-alerts.ts';
import { organizationSecurity } from './report.ts';
import { OrganizationSecurity, securityStates, securityTables } from './schema.ts';

export const getOrganizationSecurity = operation({
  method: 'GET',
  path: '/api/codehost/org-security',
  summary:
    'Open security alerts and workflow findings of the repositories of an organization, with how many each choice ' +
    'leaves; CSV: the repositories of the page, or its rules, as `table` says',
  access: eitherFeature('securityScan', 'securityAlerts'),
  input: z.object({
    org,
    limit: clamped(1, 50, 20),
    page: bounded(1, 1000, 1),
    ...securityFilter,
    source: z.enum(alertSources).optional().meta({ description: 'Read these alerts alone, and no workflow files.' }),
    table: z.enum(securityTables).default('repositories'),
    state: z.enum(securityStates).optional().meta({ description: 'Repositories with a source in this state.' }),
  }),
  output: OrganizationSecurity,
  rows: ({ table, facets, repos }) => (table === 'rules' ? facets.rule : repos.map(toCsvRow)),
  run: organizationSecurity,
});

/** What a file has of a repository. */
function toCsvRow(row: z.output<typeof OrganizationSecurity>['repos'][number]) {
  const { owner, repo, open, open_count, oldest_open_days, alerts, sources, workflows, partial } = row;
  const [worst] = alerts;
  return {
    repo: `${owner}/${repo}`,
    critical: open?.critical ?? null,
    high: open?.high ?? null,
    medium: open?.medium ?? null,
    low: open?.low ?? null,
    open_count,
    oldest_open_days,
    dependabot: sources?.dependabot.status ?? null,
    code_scanning: sources?.code_scanning.status ?? null,
    secret_scanning: sources?.secret_scanning.status ?? null,
    workflows: workflows?.status ?? null,
    critical_findings: workflows?.findings?.critical ?? null,
    high_findings: workflows?.findings?.high ?? null,
    medium_findings: workflows?.findings?.medium ?? null,
    info_findings: workflows?.findings?.info ?? null,
    partial,
    worst_alert: worst?.title ?? null,
    worst_subject: worst?.subject ?? null,
    worst_patched_version: worst?.patched_version ?? null,
    worst_url: worst?.html_url ?? null,
  };
}
