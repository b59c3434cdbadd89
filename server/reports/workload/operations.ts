import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { insightDays, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { WorkloadReport, workloadReport } from './report.ts';

export const getTeamWorkloadRisk = operation({
  method: 'GET',
  path: '/api/codehost/team-workload-risk',
  summary: 'Commit times and open pull requests per person, as conversation starters; as a table, the people',
  access: feature('workloadRisk'),
  input: z.object({
    ...repository,
    days: insightDays.meta({ description: 'Days back from now; by default 42.' }),
  }),
  output: WorkloadReport,
  rows: ({ people }) => people,
  dependsOn: dependOnReadings,
  run: workloadReport,
});
