import { z } from 'zod';
import { costChange } from '../ci/schema.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { comparisons, partialDay } from '../kernel/period.ts';
import { partialReasons, storedFrom } from '../kernel/stored-coverage.ts';

export const spendGroups = ['workflow', 'repository', 'runner', 'day'] as const;
export type SpendGroup = (typeof spendGroups)[number];

const usd = z.number().nullable();
const costedRuns = z.int().meta({ description: 'Completed runs of which the jobs of all attempts were stored.' });
const completedRuns = z.int();
const unknownJobs = z.int().meta({ description: 'Jobs without a known price; the cost lacks them.' });

const SpendRow = z
  .object({
    name: z.string().meta({ description: 'Workflow, repository, labels of the runner, or date.' }),
    repo: z.string().nullable(),
    workflow_id: z.int().nullable(),
    cost: usd.meta({
      description:
        'USD in the window, estimated; null when no job with a known price is stored, or only free ones beside others.',
    }),
    wasted: usd.meta({ description: 'The part of it spent on attempts that came to nothing.' }),
    cost_per_month: usd.meta({ description: 'At the rate of the window; null for a day, and below seven days.' }),
    wasted_per_month: usd,
    share_pct: z.number().nullable().meta({ description: 'Of the cost of all rows, 0 to 100.' }),
    minutes: z.int().nullable().meta({ description: 'Whole minutes of each job; null without job data.' }),
    cost_sample: costedRuns.nullable().meta({ description: 'null for a runner, which runs are not counted by.' }),
    completed_runs: completedRuns.nullable(),
    unknown_jobs: unknownJobs,
    reason: z
      .enum(['no_job_data', 'unknown_runner'])
      .nullable()
      .meta({ description: 'Why `cost` is null; `unknown_runner`: its labels name no runner with a list price.' }),
    partial: partialDay.nullable(),
  })
  .meta({ id: 'SpendRow' });

const window = z.object({ from: instant, to: instant });

const spendDays = z.array(
  z.object({
    date: z.iso.date(),
    cost: usd,
    wasted: usd,
    cost_sample: costedRuns,
    completed_runs: completedRuns.nullable(),
    unknown_jobs: unknownJobs,
    partial: partialDay,
  }),
);

export const SpendReport = z
  .object({
    org: z.string().nullable(),
    repo: z.string().nullable(),
    range: z.string(),
    compare: z.enum(comparisons),
    by: z.enum(spendGroups),
    window,
    comparison: window.nullable(),
    comparable: z.boolean().meta({
      description: 'Whether all runs of both windows are stored; otherwise no figure has a change.',
    }),
    totals: z.object({
      cost_per_month: usd.meta({ description: 'USD, for 30 days at the rate of the window.' }),
      wasted_per_month: usd,
      wasted_share: z.int().nullable().meta({ description: 'Percent of the cost.' }),
      cost_change_pct: costChange,
      wasted_change_pct: costChange,
      cost_sample: costedRuns,
      completed_runs: completedRuns.nullable().meta({ description: 'null where nothing of the window was read.' }),
      unknown_jobs: unknownJobs,
    }),
    forecast: z
      .object({
        month: z.string().meta({ description: 'YYYY-MM, the running month in the zone.' }),
        spent: usd.meta({ description: 'USD of the month so far; null when no part of it is known.' }),
        expected: usd,
        low: usd.meta({ description: 'With `high` a range in which 95 of 100 such months end.' }),
        high: usd,
        sample_days: z.int().meta({ description: 'Complete days that it is made from.' }),
        missing: z.string().nullable().meta({
          description: 'Why there is no forecast: among others, a job of the days used has no known price.',
        }),
        definition: z.string(),
      })
      .meta({ description: 'Of the running month, whatever the range.' }),
    rows: z.array(SpendRow).meta({ description: 'Most expensive first; days newest first.' }),
    days: spendDays.meta({
      description:
        'By day of creation in the zone, oldest first; null for a day that was not read. Together they are the runs of the window.',
    }),
    days_before: spendDays.nullable().meta({
      description: 'The days of the comparison window, oldest first; null unless all runs of both windows are stored.',
    }),
    repos_included: z.int(),
    repos_visible: z.int().nullable().meta({ description: 'null where the list of repositories is incomplete.' }),
    synced_from: instant.nullable().meta({ description: storedFrom }),
    synced_through: instant.nullable(),
    partial: z.boolean().meta({ description: 'Not every run of the window is stored of every repository.' }),
    partial_reasons: partialReasons,
    timezone: z.string(),
    ...provenance,
  })
  .meta({ id: 'SpendReport' });
