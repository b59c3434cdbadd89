import { z } from 'zod';
import { feature } from '../access/rules.ts';
import { BusFactorReport, busFactorReport } from '../reports/bus-factor.ts';
import { WorkloadReport, workloadReport } from '../reports/workload.ts';
import { operation } from './operation.ts';
import { insightDays, repository } from './parameters.ts';

export const getBusFactor = operation({
  method: 'GET',
  path: '/api/codehost/bus-factor',
  summary: 'How few people wrote most of each module in the last 90 days; as a table its modules',
  access: feature('busFactor'),
  input: z.object(repository),
  output: BusFactorReport,
  rows: ({ modules }) => modules,
  run: busFactorReport,
});

export const getTeamWorkloadRisk = operation({
  method: 'GET',
  path: '/api/codehost/team-workload-risk',
  summary: 'Hours of commits and open pull requests per person: starting points for a talk; as a table its people',
  access: feature('workloadRisk'),
  input: z.object({
    ...repository,
    days: insightDays.meta({ description: 'Days back from now; 42 when not said.' }),
  }),
  output: WorkloadReport,
  rows: ({ people }) => people,
  run: workloadReport,
});
