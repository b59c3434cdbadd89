import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { PullRequestWithRepository } from '../codehost/delivery-client.ts';
import { activityCalendar, commitActivity, commitDays } from '../metrics/activity.ts';
import type { PullRequest } from '../metrics/delivery-facts.ts';
import type { RepositoryName } from '../metrics/facts.ts';
import { type GivenReview, reviewsGivenBy } from '../metrics/given-reviews.ts';
import { compareLogins } from '../metrics/people.ts';
import { weekdayHours } from '../metrics/person.ts';
import {
  ownPullRequests,
  periodComparison,
  type RecentPullRequest,
  recentOwn,
  reviewWork,
} from '../metrics/profile.ts';
import { inHours } from '../metrics/pull-requests.ts';
import { talkingPoints } from '../metrics/talking-points.ts';
import { isWithin } from '../metrics/window.ts';
import type { ContributorProfile } from './contributor-profile-answer.ts';
import { type PersonFacts, personFacts } from './contributor-profile-facts.ts';
import { iso, isoOrNull } from './instants.ts';

type Answer = z.input<typeof ContributorProfile>;

/** `not_found` when there is no such account. */
export async function contributorProfile(
  input: { owner: string; login: string },
  context: Context,
  reply: Reply,
): Promise<Answer> {
  const facts = await personFacts(input, context, reply);
  const { account, linkedLogins, coverage, reads, restricted, asOf } = facts;
  const own = ownFigures(facts);
  const activity = activityFigures(facts);
  return {
    avatar_url: account.avatarUrl,
    bio: account.bio,
    company: account.company,
    html_url: account.htmlUrl,
    location: account.location,
    login: account.login,
    name: account.name,
    is_bot: account.isBot,
    linked_logins: linkedLogins,
    ...own,
    ...reviewFigures(facts),
    ...activity,
    languages: languagesOf(facts),
    repos_contributed: contributedTo(facts),
    ...comparisonFigures(facts, own, activity),
    restricted_contributions: restricted,
    window_days: 90,
    fetched_requests: reads.whole,
    total_requests_attempted: reads.tried,
    partial: !coverage.complete,
    coverage,
    generated_at: iso(asOf),
    data_source: 'live',
  };
}

function ownFigures({ pullRequests, window, subject }: PersonFacts) {
  const own = ownPullRequests(pullRequests, window, subject);
  return {
    prs_opened: own.prsOpened,
    prs_merged: own.prsMerged,
    prs_closed_without_merge: own.prsClosedWithoutMerge,
    prs_still_open: own.prsStillOpen,
    pr_merge_rate: own.prMergeRate,
    avg_hours_to_merge: own.avgHoursToMerge,
    median_hours_to_merge: own.medianHoursToMerge,
    avg_pr_size: own.avgPrSize,
    funnel: own.funnel,
    recent_prs: recentOwn(pullRequests, window, subject).map(recentItem),
  };
}

function recentItem({ pullRequest, hoursToMerge }: RecentPullRequest): Answer['recent_prs'][number] {
  const { number, state, isDraft, additions, deletions, createdAt, mergedAt, closedAt, htmlUrl } = pullRequest;
  return {
    ...{ number, title: titleOf(pullRequest), repo_full_name: repositoryOf(pullRequest) },
    ...{ state, draft: isDraft, additions, deletions },
    created_at: iso(createdAt),
    merged_at: isoOrNull(mergedAt),
    closed_at: isoOrNull(closedAt),
    hours_to_merge: hoursToMerge,
    html_url: htmlUrl,
  };
}

function reviewFigures({ pullRequests, window, subject }: PersonFacts) {
  const work = reviewWork(pullRequests, window, subject);
  return {
    reviews_given: work.reviewsGiven,
    avg_review_turnaround_hours: work.avgReviewTurnaroundHours,
    review_turnaround_sample: work.reviewTurnaroundSample,
    recent_reviews: reviewsGivenBy(pullRequests, window, subject).slice(0, 20).map(reviewItem),
  };
}

function reviewItem({ pullRequest, state, submittedAt, turnaroundMs }: GivenReview) {
  return {
    ...{ pr_number: pullRequest.number, pr_title: titleOf(pullRequest), repo_full_name: repositoryOf(pullRequest) },
    ...{ state, submitted_at: iso(submittedAt), turnaround_hours: inHours(turnaroundMs) },
    html_url: pullRequest.htmlUrl,
  };
}

function activityFigures(facts: PersonFacts) {
  const { calendar, start, end } = facts.workday;
  return {
    ...commitFigures(facts),
    commits_complete_from: isoOrNull(facts.commitsCompleteFrom),
    workday: { start, end },
    timezone: calendar.timezone,
  };
}

function commitFigures({ account: { isBot }, days, commits, now, window, workday }: PersonFacts) {
  const { calendar } = workday;
  const hasDays = days.some(({ count }) => count > 0);
  if (commits === null)
    return { ...unknownCommits, activity_calendar: hasDays ? activityCalendar(days, now, calendar) : [] };
  const activity = commitActivity(commits, now, workday);
  const hasCalendar = hasDays || commits.length === 0;
  return {
    activity_calendar: activityCalendar(hasCalendar ? days : commitDays(commits, calendar), now, calendar),
    calendar_basis: hasCalendar ? ('contributions' as const) : ('commits' as const),
    active_days_per_week: activity.activeDaysPerWeek,
    weekly_commits: activity.weeklyCommits.map(({ weekStart, count, partial }) => ({
      ...{ week_start: weekStart, count, partial },
    })),
    commit_hour_distribution: activity.hourDistribution,
    commit_weekday_hours: weekdayHours(commits, window, workday),
    total_commits_90d: activity.totalCommits,
    hours_sample: activity.totalCommits,
    // A machine has no working hours.
    after_hours_pct: isBot ? null : activity.afterHoursPct,
    weekend_pct: isBot ? null : activity.weekendPct,
  };
}

const unknownCommits = {
  ...{ calendar_basis: 'contributions' as const, active_days_per_week: [], weekly_commits: [] },
  ...{ commit_hour_distribution: [], commit_weekday_hours: [] },
  ...{ total_commits_90d: null, hours_sample: 0, after_hours_pct: null, weekend_pct: null },
};

function comparisonFigures(
  { account, pullRequests, now, subject }: PersonFacts,
  own: ReturnType<typeof ownFigures>,
  activity: ReturnType<typeof activityFigures>,
) {
  const { recent, prior, windowDays } = periodComparison(pullRequests, now, subject);
  const points = talkingPoints({
    ...{ recent, prior, prsOpened: own.prs_opened, prMergeRate: own.pr_merge_rate },
    ...{ afterHoursPct: activity.after_hours_pct, commits: activity.hours_sample },
  });
  return {
    period_comparison: {
      window_days: windowDays,
      prs_opened_recent: recent.prsOpened,
      prs_opened_prior: prior.prsOpened,
      prs_merged_recent: recent.prsMerged,
      prs_merged_prior: prior.prsMerged,
      reviews_given_recent: recent.reviewsGiven,
      reviews_given_prior: prior.reviewsGiven,
      avg_hours_to_merge_recent: recent.avgHoursToMerge,
      avg_hours_to_merge_prior: prior.avgHoursToMerge,
    },
    talking_points: account.isBot ? [] : points,
  };
}

/** By commits of 52 weeks, most first; repositories without a language have none. */
function languagesOf({ repositories }: PersonFacts): Answer['languages'] {
  const commits = new Map<string, number>();
  for (const { language, commits: count } of repositories)
    if (language !== null) commits.set(language, (commits.get(language) ?? 0) + count);
  return [...commits]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || compareLogins(one.name, other.name))
    .slice(0, 10);
}

function contributedTo({ pullRequests, commits, window, subject }: PersonFacts): string[] {
  const own = pullRequests.filter(
    ({ author, createdAt, mergedAt }) =>
      subject.people.isSame(author, subject.person) && (isWithin(createdAt, window) || isWithin(mergedAt, window)),
  );
  const written = (commits ?? []).filter(({ parents, authoredAt }) => parents <= 1 && isWithin(authoredAt, window));
  return [...new Set([...own, ...written].map(({ repository }) => fullName(repository)))].sort(compareLogins);
}

/** The metrics hand back the very pull requests they were given. */
const repositoryOf = (pullRequest: PullRequest) => fullName((pullRequest as PullRequestWithRepository).repository);

const fullName = ({ owner, repo }: RepositoryName) => `${owner}/${repo}`;

const titleOf = ({ title, number }: PullRequest) => title ?? `#${number}`;
