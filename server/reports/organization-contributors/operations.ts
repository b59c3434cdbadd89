import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bots, insightDays, org } from '../../api/parameters.ts';
import { orgContributors } from './report.ts';
import { OrgContributorsReport, teamTables } from './schema.ts';

export const getOrgContributors = operation({
  method: 'GET',
  path: '/api/codehost/org-contributors',
  summary:
    "Merged pull requests and reviews per person in an organization's synchronized repositories; CSV: what `table` names",
  access: feature('teamInsights'),
  input: z.object({
    org: org.meta({ description: 'Organization or account whose synchronized repositories count.' }),
    days: insightDays.meta({ description: 'Everything merged so many days back; without it 30.' }),
    bots,
    table: z.enum(teamTables).default('contributors'),
  }),
  output: OrgContributorsReport,
  rows: ({ table, contributors, repositories }) => (table === 'repositories' ? repositories : contributors),
  run: orgContributors,
});
