import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { clamped, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { runnerStatsReport } from './report.ts';
import { RunnerStatsReport } from './schema.ts';

export const getRunnerStats = operation({
  method: 'GET',
  path: '/api/codehost/runner-stats',
  summary: "Runners of a repository's newest runs: jobs, failures, waits, estimated cost; as a table its runners",
  access: feature('runnerUtilization'),
  input: z.object({ ...repository, per_page: clamped(1, 50, 30) }),
  output: RunnerStatsReport,
  rows: ({ runners }) => runners,
  dependsOn: dependOnReadings,
  run: runnerStatsReport,
});
