import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { bots, insightDays, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { contributorsReport } from './report.ts';
import { ContributorsReport } from './schema.ts';

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
    bots,
  }),
  output: ContributorsReport,
  rows: ({ contributors }) => contributors,
  dependsOn: dependOnReadings,
  run: contributorsReport,
});
