import type { z } from 'zod';
import type { ComparisonReport } from '../reports/comparison/schema.ts';
import type { Trends } from '../reports/history/trends.ts';
import { coverageFields } from './common-fields.ts';
import type { SharedFields } from './fields.ts';

const periodFields = { total: true, success: true, failure: true, cancelled: true, other: true } as const;

const durationFields = {
  success_rate: true,
  avg_duration_ms: true,
  avg_queue_ms: true,
  median_duration_ms: true,
  p90_duration_ms: true,
  p95_duration_ms: true,
} as const;

const dayFields = { date: true, ...periodFields, ...durationFields } as const;

/** Of days and of quarters. */
export const trendsFields: SharedFields<z.output<typeof Trends>> = {
  type: true,
  data: { quarter: true, year: true, quarter_num: true, partial: true, ...dayFields },
  compared: dayFields,
  coverage: {
    from: true,
    to: true,
    synced_through: true,
    first_run_at: true,
    partial: true,
    repos_included: true,
    timezone: true,
  },
};

const sideFields = {
  value: true,
  unit: true,
  n: true,
  low_sample: true,
  interval: { low: true, high: true, level: true },
  missing: true,
  window: { from: true, to: true },
  coverage: coverageFields,
  as_of: true,
} as const;

export const comparisonFields: SharedFields<z.output<typeof ComparisonReport>> = {
  owner: true,
  repo: true,
  metrics: {
    metric: true,
    label: true,
    better: true,
    a: sideFields,
    b: sideFields,
    difference: { absolute: true, relative_pct: true, interval: { low: true, high: true, level: true } },
    verdict: true,
  },
  repos_included: true,
  repos_visible: true,
  timezone: true,
  generated_at: true,
  data_source: true,
};
