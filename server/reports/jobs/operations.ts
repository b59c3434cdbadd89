import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { clamped, identifier, repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { jobStatsReport } from './report.ts';
import { JobStatsReport, jobTables } from './schema.ts';

export const getJobStats = operation({
  method: 'GET',
  path: '/api/codehost/job-stats',
  summary: "Jobs and steps of a workflow's newest runs: durations, failures, critical path; CSV: what `table` names",
  access: feature('performanceTab'),
  input: z.object({
    ...repository,
    workflow_id: identifier,
    per_page: clamped(1, 100, 30),
    table: z.enum(jobTables).default('jobs'),
  }),
  output: JobStatsReport,
  rows: ({ table, critical_path: path, ...tables }) => (table === 'critical_path' ? path.jobs : tables[table]),
  dependsOn: dependOnReadings,
  run: jobStatsReport,
});
