import { z } from 'zod';
import { Coverage } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { recentChange } from '../kernel/recent-change.ts';

const hours = z.number().nullable();
const sample = z.int().meta({ description: 'Pull requests behind the two hours.' });

const OpenPullRequestItem = z.object({
  number: z.int(),
  title: z.string().nullable().meta({ description: 'null where GitHub did not report it.' }),
  author: z
    .string()
    .nullable()
    .meta({ description: '`ghost` for a deleted account; null where it could not be read.' }),
  author_avatar: z.string(),
  is_bot: z.boolean().nullable(),
  html_url: z.string(),
  created_at: instant,
  age_hours: z.number(),
  draft: z.boolean(),
  ready_at: instant.nullable().meta({
    description: 'Creation, or the last time it became ready for review; null where that could not be read.',
  }),
  ready_age_hours: z.number().nullable(),
  last_activity_at: instant,
  has_review: z.boolean().nullable().meta({
    description:
      'By a person other than the author; null, like all that reviews decide, where they could not be read, or not all of them.',
  }),
  review_rounds: z.int().nullable().meta({
    description: 'Head commits that a person reviewed; null also where the commit of a review could not be read.',
  }),
  awaiting_review: z.boolean().nullable(),
  waiting_on: z.enum(['author', 'merge', 'nobody', 'reviewer']).nullable(),
  waiting_since: instant.nullable(),
  review_decision: z.enum(['approved', 'changes_requested', 'review_required']).nullable(),
  requested_reviewers: z.array(z.string()),
  review_requests: z.array(z.object({ login: z.string(), requested_at: instant.nullable() })).meta({
    description: 'When each of `requested_reviewers` was last requested; null where that is not known.',
  }),
  requested_teams: z.array(z.string()),
  additions: z.int(),
  deletions: z.int(),
  mergeable: z.enum(['conflicting', 'mergeable', 'unknown']),
});

/** Open pull requests and how those of the last 90 days ended; contract of the platform half, section 2.19. */
export const OpenPullRequestsReport = z
  .object({
    open_prs: z.array(OpenPullRequestItem).meta({ description: 'Oldest first, at most 300.' }),
    total_open: z.int().nullable().meta({
      description:
        'GitHub’s own count; with `bots=out` less those of bots that were read. null where it could not be read and not all were.',
    }),
    awaiting_review_count: z.int().nullable().meta({
      description: 'Of those listed; null where any of them, all its reviews or its review clock could not be read.',
    }),
    stale_count: z.int().nullable().meta({
      description: 'Of those listed: ready for five days without a review by a person; null as above.',
    }),
    age_distribution: z
      .array(z.object({ bucket: z.string(), count: z.int() }))
      .meta({ description: 'Of those listed, drafts excluded.' }),
    concurrent_prs_by_author: z.array(
      z.object({ login: z.string(), is_bot: z.boolean(), count: z.int(), drafts: z.int() }),
    ),
    closed_prs_analysed: z
      .int()
      .meta({ description: 'Closed or merged in the window, by people and, unless `bots=out`, by bots.' }),
    review_round_distribution: z.array(z.object({ rounds: z.string(), count: z.int().nullable() })).meta({
      description:
        'Merged in the window, by rounds of review before the merge; null where reviews, or the commit of one, could not be read.',
    }),
    time_to_first_review_p50_hours: hours,
    time_to_first_review_p90_hours: hours,
    time_to_first_review_sample: sample,
    time_approval_to_merge_p50_hours: hours,
    time_approval_to_merge_p90_hours: hours,
    time_approval_to_merge_sample: sample,
    abandon_rate: z.int().nullable().meta({ description: '0–100; bots excluded.' }),
    abandon_rate_sample: z.int(),
    abandoned_prs: z.int().meta({ description: 'Of `abandon_rate_sample`, those closed without a merge.' }),
    review_weeks: z
      .array(
        z.object({
          week_start: z.iso.date(),
          first_review_p50_hours: hours,
          approval_to_merge_p50_hours: hours,
          abandon_rate: z.int().nullable(),
        }),
      )
      .meta({ description: 'The same by week of the closing, oldest first; the first one begins with the window.' }),
    first_review_change: recentChange,
    approval_to_merge_change: recentChange,
    abandon_rate_change: recentChange,
    benchmark_window_days: z.literal(90),
    fetched_prs: z.int().meta({ description: 'Open ones that were read, as `bots` has it.' }),
    total_prs_attempted: z.int().nullable().meta({
      description: 'Open ones that were to be read: all, at most 300; null where it is not known how many are.',
    }),
    partial: z.boolean(),
    coverage: Coverage,
    ...provenance,
  })
  .meta({ id: 'OpenPullRequestsReport' });
