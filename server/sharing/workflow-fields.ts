import type { z } from 'zod';
import type { WorkflowDurations } from '../reports/ci/durations.ts';
import type { CiReport } from '../reports/ci/schema.ts';
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
  lower_bound: true,
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
  flaky_since: true,
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

const windowFields = { from: true, to: true } as const;

/** The workflow in a range, without cost and without the totals of its repository. */
export const workflowFiguresFields: SharedFields<z.output<typeof CiReport>> = {
  org: true,
  repo: true,
  range: true,
  compare: true,
  sort: true,
  direction: true,
  table: true,
  window: windowFields,
  comparison: windowFields,
  comparable: true,
  totals: 'unshared',
  workflows: {
    repo: true,
    workflow_id: true,
    workflow: 'words',
    runs: true,
    median_ms: true,
    p90_ms: true,
    p90_change_pct: true,
    p90_verdict: true,
    duration_sample: true,
    change_pct: true,
    median_verdict: true,
    failure_rate: true,
    failed_runs: true,
    failure_rate_sample: true,
    failure_rate_change: true,
    failure_rate_verdict: true,
    cancelled_share: true,
    cancelled_runs: true,
    cancelled_share_sample: true,
    queue_wait_ms: true,
    queue_wait_p90_ms: true,
    queue_wait_sample: true,
    queue_wait_change_pct: true,
    queue_wait_verdict: true,
    run_time_ms: true,
    run_time_sample: true,
    run_time_change_pct: true,
    flaky_rate: true,
    flaky_commits: true,
    flaky_sample: true,
    reruns_unread: true,
    completed_runs: true,
    partial: true,
    comparable: true,
  },
  repos_included: true,
  repos_visible: true,
  synced_from: true,
  synced_through: true,
  partial: true,
  timezone: true,
  generated_at: true,
  data_source: true,
};

const durationDayFields = {
  date: true,
  runs: true,
  median_ms: true,
  p90_ms: true,
  failure_rate: true,
  queue_wait_ms: true,
  run_time_ms: true,
  partial: true,
} as const;

export const durationsFields: SharedFields<z.output<typeof WorkflowDurations>> = {
  range: true,
  compare: true,
  window: windowFields,
  days: durationDayFields,
  days_before: durationDayFields,
  sample: true,
  partial: true,
  timezone: true,
  generated_at: true,
  data_source: true,
};
