import type { PullRequest, Review } from '../kernel/delivery-facts.ts';
import { mean, median, percent, roundTo } from '../kernel/statistics.ts';
import { dayMs, isWithin, type Window } from '../kernel/window.ts';
import {
  getEndedAt,
  getSize,
  inHours,
  isApprovedAtFirst,
  isByHuman,
  type OpenedPullRequest,
  timeToMerge,
  withoutNulls,
} from '../pull-requests/pull-requests.ts';
import { getTurnaround, humanReviews, isReviewedBeforeMerge } from '../pull-requests/reviews.ts';
import { isMergedByAuthor, isSelfMerge } from '../pull-requests/self-merges.ts';
import { computeBusFactor } from './bus-factor.ts';
import { compareLogins, type People, type Person } from './people.ts';

/** The pull requests that rows are made of. */
export interface ContributorSample {
  merged: PullRequest[];
  /** Those that count as opened. */
  opened: OpenedPullRequest[];
  /** Those whose reviews count. */
  reviewed: PullRequest[];
}

export interface ContributorRow {
  login: string;
  avatarUrl: string;
  isBot: boolean;
  linkedLogins: string[];
  prsMerged: number;
  prsOpened: number;
  /**
   * Own pull requests that a person reviewed before the merge: the total of `firstPassApprovalRate`. null, as all
   * counts of reviews, where any could not be read.
   */
  reviewedPrs: number | null;
  /** Of those, the ones that the first human review approved. */
  firstPassApprovedPrs: number | null;
  /** 0–100. */
  firstPassApprovalRate: number | null;
  avgHoursToMerge: number | null;
  medianHoursToMerge: number | null;
  /** Lines added and removed. */
  avgPrSize: number | null;
  /** Pull requests of others with a human review of this person. */
  reviewsGiven: number | null;
  /** Submissions of such reviews. */
  reviewEvents: number | null;
  /** Inline comments in them. */
  commentCount: number | null;
  avgReviewTurnaroundHours: number | null;
  /** null where it could not be read who merged any of their pull requests. */
  selfMergeCount: number | null;
}

/** The newest `count` closed or merged pull requests by the time they ended. */
export function lastClosedSample(pullRequests: readonly PullRequest[], count = 60): ContributorSample {
  const closed = pullRequests
    .filter((each) => getEndedAt(each) !== null)
    .sort((a, b) => (getEndedAt(b) ?? 0) - (getEndedAt(a) ?? 0) || b.number - a.number)
    .slice(0, count);
  return { merged: closed.filter(({ mergedAt }) => mergedAt !== null), opened: closed, reviewed: closed };
}

/** Everything merged in the window, and what was created in it. */
export function windowSample(pullRequests: readonly PullRequest[], window: Window): ContributorSample {
  const merged = pullRequests.filter(({ mergedAt }) => isWithin(mergedAt, window));
  return { merged, reviewed: merged, opened: pullRequests.filter(({ createdAt }) => isWithin(createdAt, window)) };
}

/** The samples of several repositories as one. Pull requests of different repositories may share a number. */
export function joinedSample(samples: readonly ContributorSample[]): ContributorSample {
  return {
    merged: samples.flatMap(({ merged }) => merged),
    opened: samples.flatMap(({ opened }) => opened),
    reviewed: samples.flatMap(({ reviewed }) => reviewed),
  };
}

/** One row per person who merged or reviewed, most merged first. Deleted accounts have none. */
export function contributorRows(sample: ContributorSample, people: People): ContributorRow[] {
  const merged = byAuthor(sample.merged, people);
  const opened = byAuthor(sample.opened, people);
  const given = reviewsByPerson(sample.reviewed, people);
  const isGivenKnown = sample.reviewed.every(({ reviews }) => reviews !== null);
  return [...sampleRoster(sample, people).values()]
    .map((person) => ({
      person,
      isGivenKnown,
      merged: merged.get(person.key) ?? [],
      prsOpened: opened.get(person.key)?.length ?? 0,
      given: given.get(person.key) ?? [],
    }))
    .filter((work) => work.merged.length > 0 || work.given.length > 0)
    .map((work) => toRow(work, people))
    .sort((a, b) => b.prsMerged - a.prsMerged || compareLogins(a.login, b.login));
}

/** Everybody whose account gave a figure something to count; the one spelling of names for all tables of an answer. */
export function sampleRoster({ merged, opened, reviewed }: ContributorSample, people: People): Map<string, Person> {
  return people.roster([
    ...[...merged, ...opened, ...reviewed].map(({ author }) => author),
    ...merged.filter((each) => isSelfMerge(each, people)).map(({ mergedBy }) => mergedBy),
    ...reviewed.flatMap((each) => humanReviews(each, people) ?? []).map(({ reviewer }) => reviewer),
  ]);
}

export interface MergeTotals {
  prsMergedTotal: number;
  /** Merged with a human review before or at the merge. null, as all counts of reviews, where any could not be read. */
  prsHumanReviewed: number | null;
  prsNoHumanReview: number | null;
  /** null where it could not be read who merged any of them. */
  prsSelfMerged: number | null;
  /** The same without regard to who is a bot; null also where any author could not be read. */
  prsSelfMergedIncludingBots: number | null;
  /** Over all merged pull requests, those of bots included; null without any. */
  medianHoursToMergeIncludingBots: number | null;
  /** Merged pull requests that are not by bots; of deleted accounts too. */
  prsMergedByPeople: number;
  /** Merged ones whose author could not be read: in no figure of people or of bots. */
  prsAuthorUnread: number;
  /** Submissions of reviews by bots, in whatever state. */
  botReviews: number | null;
  /** The share of bots in the above. */
  botPrs: { merged: number; noHumanReview: number | null };
  reviewsTruncatedPrs: number;
  /** Newest to oldest merge in days, at least 1. */
  periodDays: number;
  /** Over merged pull requests of people with a known author; null without any. */
  busFactor: number | null;
}

export function mergeTotals(merged: readonly PullRequest[], people: People): MergeTotals {
  const areReviewsKnown = areAllReviewsKnown(merged, people);
  const unreviewed = merged.filter((each) => isReviewedBeforeMerge(each, people) === false);
  const reviews = merged.flatMap((each) => each.reviews ?? []);
  const byBots = (list: readonly PullRequest[]) => list.filter(({ author }) => people.isBot(author)).length;
  const merges = withoutNulls(merged.map(({ mergedAt }) => mergedAt));
  const humans = byAuthor(
    merged.filter(({ author }) => !people.isBot(author)),
    people,
  );
  return {
    prsMergedTotal: merged.length,
    prsHumanReviewed: areReviewsKnown ? merged.length - unreviewed.length : null,
    prsNoHumanReview: areReviewsKnown ? unreviewed.length : null,
    prsSelfMerged: countKnown(merged, (each) => isSelfMerge(each, people)),
    prsSelfMergedIncludingBots: countKnown(merged, (each) => isMergedByAuthor(each, people)),
    medianHoursToMergeIncludingBots: inHours(median(withoutNulls(merged.map(timeToMerge)))),
    prsMergedByPeople: merged.filter((each) => isByHuman(each, people) === true).length,
    prsAuthorUnread: merged.filter(({ isAuthorUnread }) => isAuthorUnread).length,
    botReviews: areReviewsKnown ? reviews.filter(({ reviewer }) => people.isBot(reviewer)).length : null,
    botPrs: { merged: byBots(merged), noHumanReview: areReviewsKnown ? byBots(unreviewed) : null },
    reviewsTruncatedPrs: merged.filter(({ reviewsTruncated }) => reviewsTruncated).length,
    periodDays: merges.length === 0 ? 1 : Math.max(1, Math.ceil((Math.max(...merges) - Math.min(...merges)) / dayMs)),
    busFactor: humans.size === 0 ? null : computeBusFactor([...humans.values()].map((own) => own.length)),
  };
}

function byAuthor<Authored extends Pick<PullRequest, 'author'>>(
  pullRequests: readonly Authored[],
  people: People,
): Map<string | null, Authored[]> {
  const groups = Map.groupBy(pullRequests, ({ author }) => (author === null ? null : people.toKey(author)));
  groups.delete(null);
  return groups;
}

/** Reviews of one person in one pull request of somebody else, oldest first. */
interface Given {
  pullRequest: PullRequest;
  reviews: [Review, ...Review[]];
}

function reviewsByPerson(pullRequests: readonly PullRequest[], people: People): Map<string, Given[]> {
  const given = new Map<string, Given[]>();
  for (const pullRequest of pullRequests) {
    const own = Map.groupBy(
      humanReviews(pullRequest, people) ?? [],
      ({ reviewer }) => reviewer && people.toKey(reviewer),
    );
    for (const [key, [first, ...rest]] of own) {
      if (key === null || first === undefined) continue;
      const others = given.get(key) ?? [];
      given.set(key, [...others, { pullRequest, reviews: [first, ...rest] }]);
    }
  }
  return given;
}

/** What one person did. */
interface Work {
  person: Person;
  merged: readonly PullRequest[];
  prsOpened: number;
  given: readonly Given[];
  /** false where reviews could not be read: then more may have been given. */
  isGivenKnown: boolean;
}

function toRow({ person, merged, prsOpened, given, isGivenKnown }: Work, people: People): ContributorRow {
  const { login, avatarUrl, isBot, linkedLogins } = person;
  const reviewed = merged.filter((each) => isReviewedBeforeMerge(each, people));
  const approved = reviewed.filter((each) => isApprovedAtFirst(each, people));
  const areReviewsKnown = areAllReviewsKnown(merged, people);
  const events = given.flatMap(({ reviews }) => reviews);
  const turnarounds = given.map(({ pullRequest, reviews }) => getTurnaround(pullRequest, reviews[0], people));
  const times = withoutNulls(merged.map(timeToMerge));
  return {
    login,
    avatarUrl,
    isBot,
    linkedLogins,
    prsMerged: merged.length,
    prsOpened,
    reviewedPrs: areReviewsKnown ? reviewed.length : null,
    firstPassApprovedPrs: areReviewsKnown ? approved.length : null,
    firstPassApprovalRate: rounded(percent(approved.length, reviewed.length)),
    avgHoursToMerge: inHours(mean(times)),
    medianHoursToMerge: inHours(median(times)),
    avgPrSize: rounded(mean(merged.map(getSize))),
    reviewsGiven: isGivenKnown ? given.length : null,
    reviewEvents: isGivenKnown ? events.length : null,
    commentCount: isGivenKnown ? sumKnown(events.map(({ comments }) => comments)) : null,
    avgReviewTurnaroundHours: inHours(mean(withoutNulls(turnarounds))),
    selfMergeCount: countKnown(merged, (each) => isSelfMerge(each, people)),
  };
}

/** Whether it is known of each if a person reviewed it before the merge. */
const areAllReviewsKnown = (merged: readonly PullRequest[], people: People): boolean =>
  merged.every((each) => isReviewedBeforeMerge(each, people) !== null);

/** How many pass; null where it is not known of any of them. */
function countKnown(pullRequests: readonly PullRequest[], passes: (one: PullRequest) => boolean | null): number | null {
  const verdicts = pullRequests.map(passes);
  return verdicts.includes(null) ? null : verdicts.filter(Boolean).length;
}

/** null where any of them is unknown. */
const sumKnown = (counts: readonly (number | null)[]): number | null =>
  counts.reduce((sum, each) => (sum === null || each === null ? null : sum + each), 0);

function rounded(value: number | null): number | null {
  return value === null ? null : roundTo(value, 0);
}
