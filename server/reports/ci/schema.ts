import { z } from 'zod';
import { featureKeys } from '../../access/features.ts';
import { searched } from '../../api/parameters.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { comparisons, partialDay } from '../kernel/period.ts';
import { partialReasons, storedFrom } from '../kernel/stored-coverage.ts';
import { verdict } from '../kernel/verdict.ts';

export const workflowSorts = [
  'cost',
  'wasted',
  'run_time',
  'runs',
  'median',
  'p90',
  'change',
  'failure_rate',
  'flaky_rate',
  'queue_wait',
  'name',
] as const;
export type WorkflowSort = (typeof workflowSorts)[number];

export const ciTables = ['workflows', 'days'] as const;

export const sortDirections = ['asc', 'desc'] as const;
export type SortDirection = (typeof sortDirections)[number];

/** Which rows are listed. */
export const nameFilter = searched.optional().meta({
  description:
    'Part of the name of a row or its repository, in any case. Narrows the rows alone: totals, days and shares stay of all.',
});

const ms = z.int().nullable();
const percent = z.int().nullable();
const orUnread = z.int().nullable().meta({ description: 'null where nothing of the window was read.' });
const usd = z.number().nullable();

const runFigures = {
  runs: z.int().meta({ description: 'Runs created in the window.' }),
  median_ms: ms.meta({ description: 'Median duration of the runs that passed or failed.' }),
  p90_ms: ms.meta({ description: 'Their 90th percentile.' }),
  duration_sample: z.int(),
  change_pct: z.number().nullable().meta({
    description:
      'Of the median, against the window it is compared with; null below ten runs in either, or where not all runs of that window are stored.',
  }),
  failure_rate: percent.meta({ description: 'Percent of the runs that passed or failed.' }),
  failed_runs: z.int(),
  failure_rate_sample: z.int(),
  failure_rate_change: z.number().nullable().meta({ description: 'In points; null as `change_pct`.' }),
  cancelled_share: percent.meta({ description: 'Cancelled runs, percent of the completed runs.' }),
  cancelled_runs: z.int(),
  cancelled_share_sample: z.int(),
  queue_wait_ms: ms.meta({ description: 'Median wait for a runner; re-runs without job data are excluded.' }),
  queue_wait_p90_ms: ms.meta({ description: 'Their 90th percentile.' }),
  queue_wait_sample: z.int(),
  run_time_ms: z.int().meta({ description: 'Sum of the durations of all completed runs of known duration.' }),
  run_time_sample: z.int().meta({ description: 'Those runs.' }),
};

export const costChange = z.number().nullable().meta({
  description: 'null unless both windows have ten completed runs, and the jobs of each are stored.',
});

const cost = {
  cost_per_month: usd.meta({
    description:
      'USD, estimated from stored jobs, for 30 days at the rate of the window; null when no job with a known price is stored, below seven days, and without the feature costAnalytics.',
  }),
  wasted_per_month: usd.meta({ description: 'The part of it spent on attempts that came to nothing.' }),
  cost_sample: z.int().nullable().meta({ description: 'Runs of which the jobs of all attempts are stored.' }),
  completed_runs: z.int().meta({ description: 'Runs that cost could be known of.' }),
  unknown_jobs: z.int().nullable().meta({ description: 'Stored jobs without a known price; the cost lacks them.' }),
};

const change = z.number().nullable().meta({ description: 'In percent; null as `change_pct`.' });

const changes = {
  p90_change_pct: change,
  queue_wait_change_pct: change,
  run_time_change_pct: change,
  cost_change_pct: costChange,
  wasted_change_pct: costChange,
};

const runVerdicts = {
  median_verdict: verdict,
  p90_verdict: verdict,
  failure_rate_verdict: verdict,
  queue_wait_verdict: verdict,
};

const durationDay = z.object({
  date: z.iso.date(),
  runs: z.int().nullable().meta({ description: 'That passed or failed; null for a day that was not read.' }),
  median_ms: ms,
  p90_ms: ms,
  failure_rate: percent,
  queue_wait_ms: ms,
  run_time_ms: ms,
  partial: partialDay,
});

/** All of what a day cost is known where `cost_sample` is `completed_runs` and `unknown_jobs` is 0. */
const costedDay = durationDay.extend({
  cost: usd,
  wasted: usd,
  cost_sample: cost.cost_sample,
  completed_runs: cost.completed_runs.nullable(),
  unknown_jobs: cost.unknown_jobs,
});

const byDay = 'By day of creation in the zone, oldest first. Together they are the runs of the window.';

/** The figures of the runs of each day. */
export const durationDays = z.array(durationDay).meta({ description: byDay });

export const daysBefore = durationDays.nullable().meta({
  description: 'The days of the comparison window, oldest first; null unless all runs of both windows are stored.',
});

const WorkflowItem = z
  .object({
    repo: z.string(),
    workflow_id: z.int(),
    workflow: z.string().nullable(),
    ...runFigures,
    flaky_rate: percent.meta({ description: 'Percent of commits; null under ten.' }),
    flaky_commits: z.int(),
    flaky_sample: z.int().meta({ description: 'Commits on which the workflow passed or failed.' }),
    reruns_unread: z.int().meta({
      description:
        'Runs that were re-run and of which an earlier attempt is not stored: with any, `flaky_rate` is a lower bound.',
    }),
    ...cost,
    partial: z.boolean().meta({ description: 'Not every run of the window is stored.' }),
    comparable: z.boolean().meta({
      description: 'Whether all runs of the repository of both windows are stored; otherwise no figure has a change.',
    }),
    ...changes,
    ...runVerdicts,
  })
  .meta({ id: 'CiWorkflow' });

const window = z.object({ from: instant, to: instant });

export const CiReport = z
  .object({
    org: z.string().nullable(),
    repo: z.string().nullable(),
    range: z.string().meta({ description: 'As requested.' }),
    compare: z.enum(comparisons),
    sort: z.enum(workflowSorts),
    direction: z.enum(sortDirections),
    table: z.enum(ciTables).meta({ description: 'The rows of a CSV file.' }),
    window,
    comparison: window.nullable(),
    comparable: z.boolean().meta({
      description: 'Whether all runs of both windows are stored; otherwise no figure has a change.',
    }),
    totals: z
      .object({
        ...runFigures,
        runs: orUnread,
        run_time_ms: orUnread,
        failed_runs: orUnread,
        cancelled_runs: orUnread,
        ...cost,
        completed_runs: orUnread,
        ...changes,
        wasted_share: percent.meta({ description: 'Percent of the cost.' }),
        ...runVerdicts,
      })
      .meta({ description: 'All runs of the scope together.' }),
    workflows: z
      .array(WorkflowItem)
      .meta({ description: 'Workflows with a run in the window, in the order of `sort` and `direction`.' }),
    days: z.array(costedDay).meta({ description: byDay }),
    days_before: daysBefore,
    withheld: z
      .array(z.object({ feature: z.enum(featureKeys), fields: z.array(z.string()) }))
      .meta({ description: 'Fields that are null because a feature is not granted.' }),
    repos_included: z.int().meta({ description: 'Repositories of the scope whose runs are stored.' }),
    repos_visible: z.int().nullable().meta({ description: 'null where the list of repositories is incomplete.' }),
    synced_from: instant.nullable().meta({ description: storedFrom }),
    synced_through: instant.nullable().meta({ description: 'Of the repository that is least up to date.' }),
    partial: z.boolean().meta({ description: 'Not every run of the window is stored of every repository.' }),
    partial_reasons: partialReasons,
    timezone: z.string(),
    ...provenance,
  })
  .meta({ id: 'CiReport' });
