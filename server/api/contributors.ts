import { z } from 'zod';
import { feature } from '../access/rules.ts';
import { contributorsReport } from '../reports/contributors.ts';
import { ContributorsReport } from '../reports/contributors-schema.ts';
import { TeamRunsReport, teamRunsReport } from '../reports/team-runs.ts';
import { operation } from './operation.ts';
import { clamped, insightDays, repository } from './parameters.ts';

export const getContributors = operation({
  method: 'GET',
  path: '/api/codehost/repo-contributors',
  summary: 'Merged pull requests and reviews per person; CSV: the contributors',
  access: feature('teamInsights'),
  input: z.object({
    ...repository,
    days: insightDays.meta({
      description: 'Everything merged so many days back; without it the last 60 closed pull requests.',
    }),
  }),
  output: ContributorsReport,
  rows: ({ contributors }) => contributors,
  run: contributorsReport,
});

export const getTeamRuns = operation({
  method: 'GET',
  path: '/api/codehost/team-stats',
  summary: 'Completed workflow runs per person who caused them; CSV: the contributors',
  access: feature('teamInsights'),
  input: z.object({ ...repository, per_page: clamped(1, 100, 100) }),
  output: TeamRunsReport,
  rows: ({ contributors }) => contributors,
  run: teamRunsReport,
});
