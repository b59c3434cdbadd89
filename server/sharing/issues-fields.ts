import type { z } from 'zod';
import type { IssuesReport } from '../reports/issues/schema.ts';
import { coverageFields } from './common-fields.ts';
import { hidden, type SharedFields } from './fields.ts';

/** By its number: a title is written by strangers. */
const issueFields = { number: true, age_days: true, comments: true, html_url: hidden } as const;

/** Without who has what. */
export const issuesFields: SharedFields<z.output<typeof IssuesReport>> = {
  repo: true,
  period_days: true,
  open_count: true,
  opened_in_period: true,
  closed_in_period: true,
  backlog_delta: true,
  closed_not_planned: true,
  closed_not_planned_reasons: true,
  closed_by_bot: true,
  reopened_in_period: true,
  median_days_to_close: true,
  p90_days_to_close: true,
  days_to_close_sample: true,
  period_before: {
    opened_in_period: true,
    closed_in_period: true,
    backlog_delta: true,
    median_days_to_close: true,
    p90_days_to_close: true,
    days_to_close_sample: true,
    median_verdict: true,
    p90_verdict: true,
  },
  stale_count: true,
  unlabelled_count: true,
  unassigned_count: true,
  unanswered_count: true,
  age_buckets: { label: true, count: true },
  top_labels: { label: 'words', color: true, count: true },
  neglected: issueFields,
  oldest_open: issueFields,
  total_analysed: true,
  exact: true,
  partial: true,
  coverage: coverageFields,
  generated_at: true,
  data_source: true,
};
