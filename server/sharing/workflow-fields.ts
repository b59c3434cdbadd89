import type { z } from 'zod';
import type { JobStatsReport } from '../reports/jobs/schema.ts';
import type { WorkflowReliabilityReport } from '../reports/reliability/schema.ts';
import type { RunItem } from '../reports/runs/report.ts';
import type { WorkflowHealth } from '../reports/workflows/health.ts';
import { coverageFields } from './common-fields.ts';
import { hidden, type SharedFields } from './fields.ts';

/** Without who caused it, its branch, and what it was about. */
export const runFields: SharedFields<z.output<typeof RunItem>> = {
  id: true,
  name: 'words',
  event: true,
  head_sha: true,
  html_url: hidden,
  jobs_url: hidden,
  run_attempt: true,
  run_number: true,
  status: true,
  conclusion: true,
  created_at: true,
  run_started_at: true,
  updated_at: true,
  duration_ms: true,
  queue_wait_ms: true,
  queue_wait_source: true,
  outcome: true,
  is_default_branch: true,
  anomalies: { metric: true, direction: true, score: true, severity: true },
};

const measurementFields = {
  key: true,
  label: true,
  value: true,
  unit: true,
  better: true,
  sample: true,
  source: true,
  definition: true,
  left_out: { reason: true, count: true },
} as const;

const outcomeFields = { passed: true, failed: true, cancelled: true, other: true, running: true } as const;

export const workflowHealthFields: SharedFields<z.output<typeof WorkflowHealth>> = {
  runs_read: true,
  measurements: measurementFields,
  course: {
    outcomes: outcomeFields,
    rolling: { run_id: true, run_number: true, at: true, success_rate: true },
    days: { date: true, covered: true, ...outcomeFields },
    timezone: true,
  },
  generated_at: true,
  data_source: true,
};

/** What stands out, in numbers; without commits, branches and who caused runs. */
export const reliabilityFields: SharedFields<z.output<typeof WorkflowReliabilityReport>> = {
  table: true,
  runs_read: true,
  running: true,
  timezone: true,
  workday: { start: true, end: true },
  earlier_attempts: true,
  earlier_attempts_unknown: true,
  attempts_with_jobs: true,
  attempts_without_jobs: true,
  measurements: measurementFields,
  tips: {
    key: true,
    level: true,
    sentence: 'words',
    value: true,
    unit: true,
    threshold: true,
    comparison: true,
    sample: true,
    source: true,
  },
  scheduled: true,
  partial: true,
  generated_at: true,
  data_source: true,
};

/** The jobs that decide how long runs take. */
export const jobStatsFields: SharedFields<z.output<typeof JobStatsReport>> = {
  table: true,
  critical_path: {
    definition: true,
    runs: true,
    jobs: { name: 'words', runs_on_path: true, share_pct: true, median_ms: true },
  },
  runs_requested: true,
  runs_sampled: true,
  runs_under_way: true,
  coverage: coverageFields,
  partial: true,
  generated_at: true,
  data_source: true,
};
