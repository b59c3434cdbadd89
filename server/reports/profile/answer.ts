import { z } from 'zod';
import { Coverage } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { verdict } from '../kernel/verdict.ts';

const hours = z.number().nullable();
const share = z.int().nullable();
const count = z.int();

const account = {
  avatar_url: z.string(),
  bio: z.string().nullable(),
  company: z.string().nullable(),
  html_url: z.string(),
  location: z.string().nullable(),
  login: z.string().meta({ description: 'As the account spells itself; of linked accounts the primary one.' }),
  name: z.string().nullable(),
  is_bot: z.boolean(),
  linked_logins: z.array(z.string()).meta({ description: 'Other accounts of the person that the figures come from.' }),
};

const ownPullRequests = {
  prs_opened: count.meta({ description: 'Created in the window.' }),
  prs_merged: count.meta({ description: 'Merged in the window, whenever they were created.' }),
  prs_closed_without_merge: count,
  prs_still_open: count,
  pr_merge_rate: share.meta({ description: 'Merged, of merged and closed without a merge.' }),
  avg_hours_to_merge: hours,
  median_hours_to_merge: hours,
  avg_pr_size: count.nullable().meta({ description: 'Lines added and removed.' }),
  funnel: z.object({ opened: count, reviewed: count.nullable(), approved: count.nullable(), merged: count }).meta({
    description:
      "What became of the person's own pull requests created in the window; null where reviews could not be read.",
  }),
  recent_prs: z
    .array(
      z.object({
        number: z.int(),
        title: z.string(),
        repo_full_name: z.string(),
        state: z.enum(['open', 'merged', 'closed']),
        draft: z.boolean(),
        additions: count,
        deletions: count,
        created_at: instant,
        merged_at: instant.nullable(),
        closed_at: instant.nullable(),
        hours_to_merge: hours,
        html_url: z.string(),
      }),
    )
    .meta({ description: 'The newest 20.' }),
};

const reviews = {
  reviews_given: count.nullable().meta({
    description:
      'Pull requests of others that the person reviewed in the window; null where reviews could not be read.',
  }),
  avg_review_turnaround_hours: hours.meta({ description: 'First review of each, from when it could be reviewed.' }),
  review_turnaround_sample: count,
  recent_reviews: z
    .array(
      z.object({
        pr_number: z.int(),
        pr_title: z.string(),
        repo_full_name: z.string(),
        state: z.enum(['approved', 'changes_requested', 'commented']),
        submitted_at: instant,
        turnaround_hours: hours.meta({ description: 'null for later reviews of the same pull request.' }),
        html_url: z.string(),
      }),
    )
    .meta({ description: 'The newest 20.' }),
};

const activity = {
  activity_calendar: z
    .array(z.object({ date: z.iso.date(), count }))
    .meta({ description: '52 weeks and today. Empty, like all lists of commits, when they could not be read.' }),
  calendar_basis: z.enum(['contributions', 'commits']).meta({
    description: "GitHub’s own calendar, or days with commits in the team's zone where it shows none.",
  }),
  restricted_contributions: count.meta({ description: 'In repositories that the caller cannot see.' }),
  active_days_per_week: z.array(count.nullable()).max(4).meta({
    description: 'Days with a commit, the latest seven first; null of days before `commits_complete_from`.',
  }),
  weekly_commits: z.array(z.object({ week_start: z.iso.date(), count, partial: z.boolean() })),
  commits_complete_from: instant.nullable().meta({
    description: 'Before it some commits were not read, so that counts are lower bounds; null when all were.',
  }),
  commit_hour_distribution: z.array(count).max(24),
  commit_weekday_hours: z.array(z.array(count).length(24)).max(7).meta({ description: 'From Sunday.' }),
  total_commits_90d: count.nullable().meta({ description: 'On default branches, without merges.' }),
  hours_sample: count.meta({ description: 'Commits behind the hours and the two shares.' }),
  merge_moment_commits: count.nullable().meta({
    description: 'Of `hours_sample`, those that carry the moment of a known merge, as squashed commits do.',
  }),
  after_hours_commits: count.nullable().meta({ description: 'Of `hours_sample`.' }),
  weekend_commits: count.nullable().meta({ description: 'Of `hours_sample`.' }),
  after_hours_pct: share,
  weekend_pct: share,
  workday: z.object({ start: z.int(), end: z.int() }).meta({ description: "Hours of the team's workday." }),
  timezone: z.string(),
  languages: z.array(z.object({ name: z.string(), count })).meta({
    description: 'Main languages of the repositories, by commits of 52 weeks.',
  }),
  repos_contributed: z.array(z.string()).meta({ description: 'With a commit or an own pull request in the window.' }),
};

const comparison = {
  period_comparison: z.object({
    window_days: z.literal(45),
    complete: z.boolean().meta({
      description:
        'false where pull requests or reviews of the window were not read, or cannot be seen by the caller: then the halves must not be compared.',
    }),
    prs_opened_recent: count,
    prs_opened_prior: count,
    prs_merged_recent: count,
    prs_merged_prior: count,
    reviews_given_recent: count.nullable(),
    reviews_given_prior: count.nullable(),
    avg_hours_to_merge_recent: hours,
    avg_hours_to_merge_prior: hours,
    median_hours_to_merge_recent: hours,
    median_hours_to_merge_prior: hours,
    hours_to_merge_verdict: verdict,
  }),
  talking_points: z.array(z.object({ rule: z.string(), because: z.string(), question: z.string() })).meta({
    description:
      'Changes of five or more in the previous 45 days; times and shares of five or more. `reviews_waiting` with `requested_reviews=1` alone, of the repositories that could be read.',
  }),
};

/** One person over 90 days in the repositories of one owner; contract of the platform half, section 2.5. */
export const ContributorProfile = z
  .object({
    ...account,
    ...ownPullRequests,
    ...reviews,
    ...activity,
    ...comparison,
    window_days: z.literal(90),
    fetched_requests: count.meta({ description: 'Completed GitHub requests.' }),
    total_requests_attempted: count.meta({ description: 'Attempted GitHub requests: four per account.' }),
    partial: z.boolean(),
    coverage: Coverage,
    ...provenance,
  })
  .meta({ id: 'ContributorProfile' });
