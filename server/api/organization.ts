import { z } from 'zod';
import { feature } from '../access/rules.ts';
import { orgContributors } from '../reports/org-contributors.ts';
import { OrgContributorsReport } from '../reports/org-contributors-schema.ts';
import { OrgOverview, orgOverview } from '../reports/org-overview.ts';
import { ScorecardReport, scorecard } from '../reports/scorecard.ts';
import { operation } from './operation.ts';
import { clamped, insightDays, org } from './parameters.ts';

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
      ...{ workflow_count, runs_30d, partial },
    })),
  run: orgOverview,
});

export const getOrgHealthScorecard = operation({
  method: 'GET',
  path: '/api/codehost/org-health-scorecard',
  summary: 'A health score for each live repository of an organization, the lowest first; as a table the repositories',
  access: feature('healthScorecard'),
  input: z.object({ org, limit: clamped(1, 20, 10) }),
  output: ScorecardReport,
  rows: ({ repos }) => repos,
  run: scorecard,
});

export const getOrgContributors = operation({
  method: 'GET',
  path: '/api/codehost/org-contributors',
  summary:
    "Merged pull requests and reviews per person in an organization's synchronized repositories; CSV: the people",
  access: feature('teamInsights'),
  input: z.object({
    org: org.meta({ description: 'Organization or account whose synchronized repositories count.' }),
    days: insightDays.meta({ description: 'Everything merged so many days back; without it 30.' }),
  }),
  output: OrgContributorsReport,
  rows: ({ contributors }) => contributors,
  run: orgContributors,
});
