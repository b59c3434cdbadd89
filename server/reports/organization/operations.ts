import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { clamped, org } from '../../api/parameters.ts';
import { OrgOverview, orgOverview } from './report.ts';

export const getOrgOverview = operation({
  method: 'GET',
  path: '/api/codehost/org-overview',
  summary: "Totals of an organization's runs in 30 days and its latest repositories; as a table the repositories",
  access: feature('orgOverview'),
  input: z.object({ org, limit: clamped(1, 50, 20) }),
  output: OrgOverview,
  rows: ({ repos }) =>
    repos.map(({ repo, summary, workflow_count, runs_30d, partial }) => ({
      repo: repo.full_name,
      latest_run_at: summary.latest_run_at,
      latest_conclusion: summary.latest_conclusion,
      health: summary.health.label,
      success_rate: summary.success_rate,
      success_rate_sample: summary.success_rate_sample,
      workflow_count,
      runs_30d,
      partial,
    })),
  run: orgOverview,
});
