import { z } from 'zod';
import { botChoices } from '../../metrics/pull-requests/bots.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { comparisons, cutDay } from '../kernel/period.ts';
import { coveredRepositories } from '../kernel/repository-coverage.ts';
import { partialReasons } from '../kernel/stored-coverage.ts';
import { verdict } from '../kernel/verdict.ts';

const window = z.object({ from: instant, to: instant });
const count = z.int().nullable();

const open = {
  open: count.meta({ description: 'When they were last read, drafts included; null where they were not read lately.' }),
  open_complete: z.boolean().meta({ description: 'false where more may be open than were read.' }),
  awaiting_review: count.meta({ description: 'Of people; null where it is not known of any whether it is.' }),
};

const wait = z.object({
  repo: z.string(),
  number: z.int(),
  html_url: z.string(),
  since: instant,
  hours: z.number(),
});

const merged = {
  merged: count.meta({ description: 'In the window; null where those of its begin are not stored.' }),
  merged_before: count.meta({ description: 'In the comparison window; null unless all of both windows is stored.' }),
  median_hours_to_merge: z.number().nullable().meta({ description: 'Creation to merge; bots are excluded.' }),
  median_hours_to_merge_before: z.number().nullable(),
  merge_sample: z.int().meta({ description: 'Merged pull requests of people.' }),
  merge_sample_before: count,
};

const mergeVerdicts = { merged_verdict: verdict, hours_to_merge_verdict: verdict };

/** Pull requests of the repositories of a scope, from stored facts. */
export const ScopePullRequests = z
  .object({
    org: z.string().nullable(),
    range: z.string().meta({ description: 'As requested.' }),
    compare: z.enum(comparisons),
    bots: z.enum(botChoices),
    window,
    comparison: window.nullable(),
    totals: z
      .object({ ...open, ...merged, ...mergeVerdicts })
      .meta({ description: 'All repositories of the scope together.' }),
    longest_wait: wait
      .nullable()
      .meta({ description: 'The one of people that has been awaiting a review for longest.' }),
    days: z
      .array(
        z.object({
          date: z.iso.date(),
          merged: count.meta({ description: 'null for a day that was not read.' }),
          median_hours_to_merge: z.number().nullable(),
          partial: cutDay,
        }),
      )
      .meta({ description: 'The days of the window, oldest first, by day of the merge.' }),
    repositories: z
      .array(
        z
          .object({
            repo: z.string(),
            ...open,
            open_as_of: instant.nullable(),
            longest_wait: wait.nullable(),
            ...merged,
            partial: z.boolean().meta({ description: 'Not all pull requests of the window are stored.' }),
            ...mergeVerdicts,
          })
          .meta({ id: 'RepositoryPullRequests' }),
      )
      .meta({ description: 'Stored repositories, those with the longest wait for a review first.' }),
    open_as_of: instant.nullable().meta({ description: 'Of the repository whose open pull requests were read first.' }),
    open_pull_requests: z
      .object(coveredRepositories)
      .meta({ description: 'Of which repositories open pull requests are known.' }),
    merged_pull_requests: z
      .object(coveredRepositories)
      .meta({ description: 'Which repositories the figures of merged pull requests are of.' }),
    merged_from: instant.nullable().meta({
      description: 'From when on merged pull requests are stored, of the repository that they are stored longest of.',
    }),
    merged_through: instant.nullable().meta({
      description: 'Up to when merged pull requests were read, of the repository that is least up to date.',
    }),
    repos_included: z.int().meta({ description: 'Repositories of the scope of which anything is stored.' }),
    repos_visible: count.meta({ description: 'null where the list of repositories is incomplete.' }),
    partial: z.boolean(),
    partial_reasons: partialReasons,
    timezone: z.string(),
    ...provenance,
  })
  .meta({ id: 'ScopePullRequests' });
