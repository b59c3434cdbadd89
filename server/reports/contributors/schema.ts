import { z } from 'zod';
import { Coverage } from '../kernel/coverage.ts';
import { provenance } from '../kernel/instants.ts';
import { cutDay } from '../kernel/period.ts';
import { verdict } from '../kernel/verdict.ts';

/** A count that depends on the reviews of pull requests. */
const ofReviews = z.int().nullable();
const unlessMergerRead = 'null where an error hid who merged any pull request, or its author.';
const unlessRead = 'null where the reviews of any pull request could not be read.';

const pct = z.int().min(0).max(100).nullable();

const ContributorRow = z
  .object({
    login: z.string(),
    avatar_url: z.string(),
    is_bot: z.boolean(),
    linked_logins: z.array(z.string()),
    prs_merged: z.int(),
    prs_opened: z.int().nullable().meta({
      description: 'Created in the window; without `days` those of the sample. null when open ones could not be read.',
    }),
    reviewed_prs: ofReviews.meta({
      description: `Own merged ones that got a human review before the merge. ${unlessRead}`,
    }),
    first_pass_approved_prs: ofReviews.meta({
      description: 'Of those, the ones that the first human review approved.',
    }),
    first_pass_approval_rate: pct.meta({ description: 'Of those, how many the first human review approved.' }),
    avg_hours_to_merge: z.number().nullable(),
    median_hours_to_merge: z.number().nullable(),
    avg_pr_size: z.int().nullable().meta({ description: 'Lines added and removed, of merged ones.' }),
    reviews_given: ofReviews.meta({ description: `Pull requests of others this person reviewed. ${unlessRead}` }),
    review_events: ofReviews.meta({ description: 'Review submissions on them.' }),
    comment_count: ofReviews.meta({ description: 'Inline comments in these reviews.' }),
    avg_review_turnaround_hours: z.number().nullable().meta({
      description: 'From the start of the review clock to the own first review.',
    }),
    self_merge_count: z.int().nullable().meta({ description: unlessMergerRead }),
  })
  .meta({ id: 'ContributorRow' });

const ReviewPair = z
  .object({
    author: z
      .string()
      .nullable()
      .meta({ description: '`ghost` for a deleted account; null where it could not be read.' }),
    reviewer: z.string(),
    count: z.int().meta({ description: 'Pull requests.' }),
  })
  .meta({ id: 'ReviewPair' });

const ReviewLoad = z.object({
  overloaded: z.array(z.string()).meta({
    description: 'Who gave more than 40 % of all reviews, or more than twice the mean reviewer.',
  }),
  sole_reviewer: z
    .array(z.object({ author: z.string(), reviewer: z.string(), count: z.int(), reviewed: z.int() }))
    .meta({ description: 'Authors with three reviewed pull requests or more, 80 % of them by one person.' }),
});

const ContributorsCoverage = Coverage.extend({
  reviews_truncated_prs: z
    .int()
    .meta({ description: 'Pull requests with more reviews than were read, or of which none could be.' }),
  search_slices: z.int().nullable().meta({
    description: 'Parts a search was read in; 0 when nothing was searched, null when stored facts do not show it.',
  }),
}).meta({ id: 'ContributorsCoverage' });

const Totals = z
  .object({
    prs_merged_total: z.int(),
    prs_merged_by_people: z.int(),
    prs_human_reviewed: ofReviews,
    prs_first_pass_approved: ofReviews,
    prs_self_merged: z.int().nullable(),
    median_hours_to_merge: z.number().nullable(),
    reviewed_before_merge_pct: pct,
    first_pass_approval_rate: pct,
    self_merged_pct: pct,
  })
  .meta({ id: 'ContributorsTotals' });

const comparison = {
  before: Totals.nullable().meta({
    description: 'The same of the previous 30 days; null of other windows, and where not all of those are stored.',
  }),
  latest: Totals.nullable().meta({
    description:
      'What is compared with `before`: the same of 30 days that end where the facts of every repository were read up to.',
  }),
  verdicts: z
    .object({
      prs_merged_total: verdict,
      median_hours_to_merge: verdict,
      reviewed_before_merge_pct: verdict,
      first_pass_approval_rate: verdict,
      self_merged_pct: verdict,
    })
    .meta({ description: 'What each figure in `latest` is, compared with the one in `before`.' }),
  merge_days: z
    .array(
      z.object({
        date: z.iso.date(),
        merged: z.int().nullable().meta({ description: 'null for a day that was not read.' }),
        median_hours_to_merge: z.number().nullable(),
        partial: cutDay,
      }),
    )
    .meta({
      description:
        'The days of the window, oldest first, by day of the merge; empty without a window, or where not all of it was read.',
    }),
};

/** Contract of the platform half, section 2.4, both modes in one shape: what only a window has is null without one. */
export const ContributorsReport = z
  .object({
    window_days: z
      .union([z.literal(30), z.literal(90)])
      .nullable()
      .meta({
        description: 'null for the last 60 closed pull requests.',
      }),
    contributors: z.array(ContributorRow).meta({ description: 'Who merged or reviewed; most merged first.' }),
    prs_merged_total: z.int().meta({ description: 'Deleted accounts included, and bots unless `bots=out`.' }),
    prs_opened_in_window: z.int().nullable().meta({
      description:
        'Whatever became of them; null without a window, and with `bots=out` also where not all of them could be listed.',
    }),
    prs_human_reviewed: ofReviews.meta({
      description: `Merged with a human review before or at the merge. ${unlessRead}`,
    }),
    prs_no_human_review: ofReviews,
    prs_merged_by_people: z.int().meta({
      description:
        'Bots and `prs_author_unread` excluded: the denominator of `prs_self_merged` and the sample of `median_hours_to_merge`.',
    }),
    prs_author_unread: z.int().meta({
      description: 'Of `prs_merged_total`, those whose author could not be read: neither of people nor of bots.',
    }),
    prs_self_merged: z
      .int()
      .nullable()
      .meta({ description: `Of \`prs_merged_by_people\`, merged by their author. ${unlessMergerRead}` }),
    prs_self_merged_including_bots: z
      .int()
      .nullable()
      .meta({ description: `Of \`prs_merged_total\`, merged by their author. ${unlessMergerRead}` }),
    bot_prs: z.object({ merged: z.int(), no_human_review: ofReviews }),
    bot_reviews: ofReviews.meta({ description: `Review submissions by bots. ${unlessRead}` }),
    median_hours_to_merge: z.number().nullable().meta({ description: 'Over `prs_merged_by_people`.' }),
    median_hours_to_merge_including_bots: z.number().nullable().meta({ description: 'Over `prs_merged_total`.' }),
    reviewed_before_merge_pct: pct.meta({
      description:
        '`prs_human_reviewed` of `prs_merged_total`; where some reviews could not be read, of the other merged ones.',
    }),
    self_merged_pct: pct.meta({
      description:
        '`prs_self_merged` of `prs_merged_by_people`; where some mergers could not be read, of the other ones.',
    }),
    first_pass_approval_rate: pct.meta({ description: 'Of `prs_human_reviewed`, or of as many as are known.' }),
    prs_first_pass_approved: ofReviews.meta({
      description: `Of \`prs_human_reviewed\`, those that the first human review approved. ${unlessRead}`,
    }),
    review_pairs: z.array(ReviewPair).meta({ description: 'Every author and human reviewer, most first.' }),
    reviewer_matrix: z.array(ReviewPair).meta({ description: 'The same as `review_pairs`.' }),
    review_load: ReviewLoad,
    ...comparison,
    bus_factor: z
      .int()
      .nullable()
      .meta({ description: 'The minimum number of people who authored 80 % of the merged ones.' }),
    period_days: z.int().meta({ description: 'From the oldest merge to the newest, at least 1.' }),
    fetched_prs: z.int().meta({
      description: 'Pull requests looked at, those of bots among them: closed ones, in a window merged ones.',
    }),
    total_prs_analysed: z.int().meta({ description: 'Merged ones among them.' }),
    total_prs_attempted: z
      .int()
      .nullable()
      .meta({ description: 'How many there are to use; null where that is not known.' }),
    partial: z.boolean(),
    coverage: ContributorsCoverage,
    ...provenance,
  })
  .meta({ id: 'ContributorsReport' });
