import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { PullRequestWithRepository } from '../../codehost/delivery/client.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { isWithin } from '../../metrics/kernel/window.ts';
import { activityCalendar, commitActivity, commitDays } from '../../metrics/people/activity.ts';
import { compareLogins } from '../../metrics/people/people.ts';
import { countMergeMoments, weekdayHours } from '../../metrics/people/person.ts';
import {
  judgeHalves,
  type OwnPullRequests,
  ownOpenDays,
  ownPullRequests,
  periodComparison,
  type RecentPullRequest,
  recentOwn,
  reviewWork,
} from '../../metrics/people/profile.ts';
import { talkingPoints } from '../../metrics/people/talking-points.ts';
import { type GivenReview, reviewsGivenBy } from '../../metrics/pull-requests/given-reviews.ts';
import { inHours } from '../../metrics/pull-requests/pull-requests.ts';
import type { ContributorProfile } from './answer.ts';
import { type PersonFacts, personFacts } from './facts.ts';
import { waitingReviews } from './requested-reviews.ts';

type Answer = Domain<typeof ContributorProfile>;

/** `not_found` when there is no such account. */
export async function contributorProfile(
  input: { owner: string; login: string; requested_reviews?: '0' | '1' },
  context: Context,
  reply: Reply,
): Promise<Answer> {
  const facts = await personFacts(input, context, reply);
  const { account, linkedLogins, pullRequests, window, subject, coverage, reads, restricted, asOf } = facts;
  const own = ownPullRequests(pullRequests, window, subject);
  const activity = activityFigures(facts);
  const recentPrs = recentOwn(pullRequests, window, subject).map(recentItem);
  const recentReviews = reviewsGivenBy(pullRequests, window, subject).slice(0, 20).map(reviewItem);
  const reposContributed = contributedTo(facts);
  const workedIn = [...recentPrs, ...recentReviews].map(({ repoFullName }) => repoFullName);
  const reviewWaits =
    input.requested_reviews === '1' && !account.isBot
      ? await waitingReviews([...new Set([...workedIn, ...reposContributed])], facts, context)
      : [];
  return {
    ...account,
    linkedLogins,
    ...own,
    recentPrs,
    ...reviewWork(pullRequests, window, subject),
    recentReviews,
    ...activity,
    totalCommits90d: activity.totalCommits,
    commitsCompleteFrom: facts.commitsCompleteFrom,
    workday: { start: facts.workday.start, end: facts.workday.end },
    timezone: facts.workday.calendar.timezone,
    languages: countLanguages(facts),
    reposContributed,
    ...comparisonFigures(facts, own, activity, reviewWaits),
    restrictedContributions: restricted,
    windowDays: 90,
    fetchedRequests: reads.complete,
    totalRequestsAttempted: reads.tried,
    partial: !coverage.complete,
    coverage,
    generatedAt: asOf,
    dataSource: 'live',
  };
}

function recentItem({ pullRequest, hoursToMerge }: RecentPullRequest): Answer['recentPrs'][number] {
  return {
    ...pullRequest,
    title: formatTitle(pullRequest),
    repoFullName: formatRepository(pullRequest),
    draft: pullRequest.isDraft,
    hoursToMerge,
  };
}

function reviewItem({ pullRequest, state, submittedAt, turnaroundMs }: GivenReview) {
  return {
    prNumber: pullRequest.number,
    prTitle: formatTitle(pullRequest),
    repoFullName: formatRepository(pullRequest),
    state,
    submittedAt,
    turnaroundHours: inHours(turnaroundMs),
    htmlUrl: pullRequest.htmlUrl,
  };
}

function activityFigures(facts: PersonFacts) {
  const { account, days, commits, now, window, workday, pullRequests, commitsCompleteFrom } = facts;
  const { isBot } = account;
  const { calendar } = workday;
  const hasDays = days.some(({ count }) => count > 0);
  if (commits === null)
    return { ...unknownCommits, activityCalendar: hasDays ? activityCalendar(days, now, calendar) : [] };
  const activity = commitActivity(commits, now, { ...workday, completeFrom: commitsCompleteFrom });
  const hasCalendar = hasDays || commits.length === 0;
  return {
    ...activity,
    activityCalendar: activityCalendar(hasCalendar ? days : commitDays(commits, calendar), now, calendar),
    calendarBasis: hasCalendar ? ('contributions' as const) : ('commits' as const),
    commitWeekdayHours: weekdayHours(commits, window, workday),
    hoursSample: activity.totalCommits,
    mergeMomentCommits: countMergeMoments(commits, pullRequests, window),
    // A machine has no working hours.
    afterHoursCommits: isBot ? null : activity.afterHoursCommits,
    weekendCommits: isBot ? null : activity.weekendCommits,
    afterHoursPct: isBot ? null : activity.afterHoursPct,
    weekendPct: isBot ? null : activity.weekendPct,
  };
}

const unknownCommits = {
  calendarBasis: 'contributions' as const,
  activeDaysPerWeek: [],
  weeklyCommits: [],
  commitHourDistribution: [],
  commitWeekdayHours: [],
  totalCommits: null,
  hoursSample: 0,
  mergeMomentCommits: null,
  afterHoursCommits: null,
  weekendCommits: null,
  afterHoursPct: null,
  weekendPct: null,
};

function comparisonFigures(
  { account, pullRequests, now, subject, areListsComplete, workday }: PersonFacts,
  own: OwnPullRequests,
  activity: ReturnType<typeof activityFigures>,
  reviewWaits: readonly number[],
) {
  const { recent, prior, windowDays } = periodComparison(pullRequests, now, subject);
  const points = talkingPoints({
    recent,
    prior,
    areListsComplete,
    prsEnded: own.prsMerged + own.prsClosedWithoutMerge,
    prMergeRate: own.prMergeRate,
    afterHoursPct: activity.afterHoursPct,
    commits: activity.hoursSample,
    mergeMoments: activity.mergeMomentCommits ?? 0,
    workday: { start: workday.start, end: workday.end, timezone: workday.calendar.timezone },
    openDays: ownOpenDays(pullRequests, now, subject),
    reviewWaitDays: reviewWaits,
  });
  return {
    periodComparison: {
      windowDays,
      complete: areListsComplete,
      prsOpenedRecent: recent.prsOpened,
      prsOpenedPrior: prior.prsOpened,
      prsMergedRecent: recent.prsMerged,
      prsMergedPrior: prior.prsMerged,
      reviewsGivenRecent: recent.reviewsGiven,
      reviewsGivenPrior: prior.reviewsGiven,
      avgHoursToMergeRecent: recent.avgHoursToMerge,
      avgHoursToMergePrior: prior.avgHoursToMerge,
      medianHoursToMergeRecent: recent.medianHoursToMerge,
      medianHoursToMergePrior: prior.medianHoursToMerge,
      hoursToMergeVerdict: areListsComplete ? judgeHalves(pullRequests, now, subject) : 'not_enough_data',
    },
    talkingPoints: account.isBot ? [] : points,
  };
}

/** By commits of 52 weeks, most first; repositories without a language have none. */
function countLanguages({ repositories }: PersonFacts): Answer['languages'] {
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
const formatRepository = (pullRequest: PullRequest) => fullName((pullRequest as PullRequestWithRepository).repository);

const fullName = ({ owner, repo }: RepositoryName) => `${owner}/${repo}`;

const formatTitle = ({ title, number }: PullRequest) => title ?? `#${number}`;
