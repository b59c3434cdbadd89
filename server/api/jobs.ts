import { z } from 'zod';
import { feature } from '../access/rules.ts';
import { jobStatsReport } from '../reports/job-stats.ts';
import { JobStatsReport, jobTables } from '../reports/job-stats-schema.ts';
import { runnerStatsReport } from '../reports/runner-stats.ts';
import { RunnerStatsReport } from '../reports/runner-stats-schema.ts';
import { operation } from './operation.ts';
import { clamped, identifier, repository } from './parameters.ts';

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
  rows: ({ table, critical_path: path, ...of }) => (table === 'critical_path' ? path.jobs : of[table]),
  run: jobStatsReport,
});

export const getRunnerStats = operation({
  method: 'GET',
  path: '/api/codehost/runner-stats',
  summary: "Runners of a repository's newest runs: jobs, failures, waits, estimated cost; as a table its runners",
  access: feature('runnerUtilization'),
  input: z.object({ ...repository, per_page: clamped(1, 50, 30) }),
  output: RunnerStatsReport,
  rows: ({ runners }) => runners,
  run: runnerStatsReport,
});
