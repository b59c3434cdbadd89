import type { z } from 'zod';
import type { DeliveryReport } from '../reports/delivery/schema.ts';
import type { OpenPullRequestsReport } from '../reports/pull-requests/schema.ts';
import type { RepositorySummary } from '../reports/repositories/summary.ts';
import type { WorkflowOverview } from '../reports/workflows/report.ts';
import { coverageFields, intervalFields, runSummaryFields } from './common-fields.ts';
import { hidden, type SharedFields } from './fields.ts';

const weekFields = { week_start: true, count: true, partial: true } as const;

/** Without single pull requests. */
export const deliveryFields: SharedFields<z.output<typeof DeliveryReport>> = {
  change_failure_rate: {
    label: true,
    level: true,
    failures: true,
    rate: true,
    rate_interval: intervalFields,
    total: true,
  },
  deployment_frequency: { label: true, level: true, per_day: true, period_days: true, total: true },
  lead_time: {
    label: true,
    level: true,
    median_ms: true,
    median_interval_ms: intervalFields,
    p95_ms: true,
    sample_size: true,
    low_sample: true,
  },
  mttr: { label: true, level: true, mean_ms: true, median_ms: true, recoveries: true },
  overall_level: true,
  cycle_breakdown: {
    avg_time_to_open_ms: true,
    avg_pickup_ms: true,
    avg_review_ms: true,
    avg_merge_ms: true,
    median_time_to_open_ms: true,
    median_pickup_ms: true,
    median_review_ms: true,
    median_merge_ms: true,
    sample_size: true,
    samples: { time_to_open: true, pickup: true, review: true, merge: true },
  },
  lead_time_by_week: { week_start: true, median_ms: true, sample: true },
  lead_time_change: { median_ms: true, sample: true, median_ms_before: true, sample_before: true, verdict: true },
  merge_change: { merged: true, merged_before: true, verdict: true },
  release_change: { released: true, released_before: true, verdict: true },
  change_failure_rate_change: { rate: true, total: true, rate_before: true, total_before: true, verdict: true },
  mttr_change: {
    median_ms: true,
    recoveries: true,
    median_ms_before: true,
    recoveries_before: true,
    verdict: true,
  },
  throughput_by_week: weekFields,
  releases_by_week: weekFields,
  fixes_by_week: weekFields,
  last_7_days: { merged: true, merged_before: true },
  corroborated_failures: { failures: true, total: true, undecided: true, rate_pct: true, label: true },
  rework_rate: { rework: true, total: true, undecided: true, rate_pct: true, label: true },
  basis: {
    change_failure_rate: true,
    deployment_frequency: true,
    lead_time: true,
    mttr: true,
    corroborated_failures: true,
  },
  fetched_prs: true,
  total_prs_attempted: true,
  prs_analysed: true,
  releases_analysed: true,
  partial: true,
  coverage: coverageFields,
  timezone: true,
  window_days: true,
  generated_at: true,
  data_source: true,
};

/** By its number, without who wrote it and who is to review it. */
const openPullRequestFields = {
  number: true,
  author_avatar: hidden,
  is_bot: true,
  html_url: hidden,
  created_at: true,
  age_hours: true,
  draft: true,
  ready_at: true,
  ready_age_hours: true,
  last_activity_at: true,
  has_review: true,
  review_rounds: true,
  awaiting_review: true,
  waiting_on: true,
  waiting_since: true,
  review_decision: true,
  additions: true,
  deletions: true,
  mergeable: true,
} as const;

export const openPullRequestsFields: SharedFields<z.output<typeof OpenPullRequestsReport>> = {
  open_prs: openPullRequestFields,
  total_open: true,
  awaiting_review_count: true,
  stale_count: true,
  age_distribution: { bucket: true, count: true },
  closed_prs_analysed: true,
  review_round_distribution: { rounds: true, count: true },
  time_to_first_review_p50_hours: true,
  time_to_first_review_p90_hours: true,
  time_to_first_review_sample: true,
  time_approval_to_merge_p50_hours: true,
  time_approval_to_merge_p90_hours: true,
  time_approval_to_merge_sample: true,
  abandon_rate: true,
  abandon_rate_sample: true,
  abandoned_prs: true,
  benchmark_window_days: true,
  fetched_prs: true,
  total_prs_attempted: true,
  partial: true,
  coverage: coverageFields,
  generated_at: true,
  data_source: true,
};

export const summaryFields: SharedFields<z.output<typeof RepositorySummary>> = {
  owner: true,
  repo: true,
  default_branch: 'words',
  head_status: true,
  visibility: true,
  archived: true,
  fork: true,
  open_issues: true,
  open_prs: true,
  workflow_files: true,
  workflow_count: true,
  generated_at: true,
  data_source: true,
  ...runSummaryFields,
};

export const workflowsFields: SharedFields<z.output<typeof WorkflowOverview>> = {
  id: true,
  name: 'words',
  path: 'words',
  state: true,
  partial: true,
  default_branch: { conclusion: true, run_at: true, failures: true, failures_lower_bound: true },
  summary: runSummaryFields,
  dur_points: { run_number: true, created_at: true, duration_ms: true, conclusion: true },
  flaky: { rate_pct: true, flaky_commits: true, reruns_fixed: true, sample: true },
};
