import { z } from 'zod';
import { durationDays } from '../ci/schema.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { comparisons, cutDay } from '../kernel/period.ts';
import { coveredRepositories } from '../kernel/repository-coverage.ts';
import { partialReasons, storedFrom } from '../kernel/stored-coverage.ts';
import { verdict } from '../kernel/verdict.ts';

const window = z.object({ from: instant, to: instant });

const Figures = z
  .object({
    failure_rate: z.int().nullable().meta({ description: 'Percent of the runs that passed or failed.' }),
    failed_runs: z.int().nullable().meta({ description: 'null where nothing of the window was read.' }),
    failure_rate_sample: z.int(),
    failure_rate_change: z.number().nullable().meta({
      description: 'In points; null below ten runs in either window, or where not all runs of the other are stored.',
    }),
    failure_rate_verdict: verdict,
    median_ms: z.int().nullable().meta({ description: 'Median duration of the runs that passed or failed.' }),
    duration_sample: z.int(),
    change_pct: z.number().nullable().meta({ description: 'Of the median duration; null as `failure_rate_change`.' }),
    median_verdict: verdict,
    prs_merged: z.int().nullable().meta({
      description:
        'Including bots; null where those of no repository are stored from the begin of the window on; as far as they were read.',
    }),
    prs_merged_before: z.int().nullable().meta({
      description:
        'In the comparison window, of the same repositories; null unless they are stored for all of both windows.',
    }),
    prs_merged_verdict: verdict,
    median_hours_to_merge: z.number().nullable().meta({ description: 'Creation to merge; bots are excluded.' }),
    median_hours_to_merge_before: z.number().nullable(),
    hours_to_merge_verdict: verdict,
    merge_sample: z.int().meta({ description: 'Merged pull requests of people.' }),
    merge_sample_before: z.int().nullable(),
    repos_with_pull_requests: z.int().meta({
      description:
        'Repositories whose merged pull requests are stored from the begin of the window on; only they count.',
    }),
  })
  .meta({ description: 'All repositories of the scope together.' });

const RepositoryHistory = z
  .object({
    repo: z.string(),
    runs: z.int().meta({ description: 'Runs created on the days of `dates`.' }),
    passed: z.int(),
    failed: z.int().meta({ description: 'failure, timed_out and startup_failure.' }),
    failure_rate: z.int().nullable().meta({ description: 'Percent of the runs that passed or failed.' }),
    days: z
      .array(z.object({ passed: z.int(), failed: z.int() }).nullable())
      .meta({ description: 'One for each of `dates`; null for a day that was not read.' }),
  })
  .meta({ id: 'RepositoryHistory' });

export const ScopeOverview = z
  .object({
    org: z.string().nullable(),
    range: z.string().meta({ description: 'As requested.' }),
    compare: z.enum(comparisons),
    window,
    comparison: window.nullable(),
    comparable: z.boolean().meta({
      description: 'Whether all runs of both windows are stored; otherwise no figure has a change.',
    }),
    figures: Figures,
    dates: z
      .array(z.iso.date())
      .meta({ description: 'The last 90 days, oldest first; the last one is still running.' }),
    failure_rates: z.array(z.number().nullable()).meta({
      description: 'Of all repositories together, one for each of `dates`; null where no run passed or failed.',
    }),
    duration_days: durationDays,
    merge_days: z
      .array(
        z.object({
          date: z.iso.date(),
          merged: z.int().nullable().meta({ description: 'Including bots; null for a day that was not read.' }),
          median_hours_to_merge: z
            .number()
            .nullable()
            .meta({ description: 'Excluding bots; null where nothing of people was merged, or read.' }),
          partial: cutDay,
        }),
      )
      .meta({ description: 'The days of the window, oldest first: `prs_merged` by day of the merge.' }),
    repositories: z.array(RepositoryHistory).meta({
      description: 'Repositories with stored runs, the most failed runs first.',
    }),
    repos_included: z.int().meta({ description: 'Repositories of the scope whose runs are stored.' }),
    repos_visible: z.int().nullable().meta({ description: 'null where the list of repositories is incomplete.' }),
    synced_through: instant.nullable().meta({ description: 'Of the repository that is least up to date.' }),
    synced_from: instant.nullable().meta({ description: storedFrom }),
    runs: z
      .object(coveredRepositories)
      .meta({ description: 'Which repositories the figures of runs are of, each as far as its runs are stored.' }),
    pull_requests: z
      .object(coveredRepositories)
      .meta({ description: 'Which repositories the figures of merged pull requests are of.' }),
    pull_requests_from: instant.nullable().meta({
      description: 'From when on merged pull requests are stored, of the repository that they are stored longest of.',
    }),
    pull_requests_through: instant.nullable().meta({
      description: 'Up to when merged pull requests were read, of the repository that is least up to date.',
    }),
    partial: z.boolean().meta({
      description: 'Not every run and merged pull request of the window is stored of every synchronized repository.',
    }),
    partial_reasons: partialReasons,
    timezone: z.string(),
    ...provenance,
  })
  .meta({ id: 'ScopeOverview' });
