import { quantity } from '../../domain/quantity.ts';
import type { HalfPeriod } from './profile.ts';

/** What the rules look at: the last 45 days, the 45 before, and all 90 days. */
export interface TalkingPointFacts {
  recent: HalfPeriod;
  prior: HalfPeriod;
  /** Whether all pull requests and reviews of the 90 days were read: without, no change and no share is named. */
  areListsComplete: boolean;
  /** Merged, or closed without a merge. */
  prsEnded: number;
  /** 0–100, or null when nothing ended. */
  prMergeRate: number | null;
  /** 0–100, or null without commits. */
  afterHoursPct: number | null;
  commits: number;
  /** Of those, how many carry the moment of a merge: when they were written is not known. */
  mergeMoments: number;
  /** Of the team: full hours in its zone. */
  workday: { start: number; end: number; timezone: string };
  /** Whole days since the person's open pull requests became ready for review; drafts excluded. */
  openDays: readonly number[];
  /** Whole days that each open pull request of others has waited for a review that is requested of the person. */
  reviewWaitDays: readonly number[];
}

/** Something worth a question: the figures that raised it, and a question that judges nothing. */
export interface TalkingPoint {
  rule: (typeof rules)[number]['rule'];
  because: string;
  question: string;
}

/** Points for a talk of two people, in the order of the rules. None is a normal outcome. */
export const talkingPoints = (facts: TalkingPointFacts): TalkingPoint[] =>
  rules
    .filter(({ holds }) => holds(facts))
    .map(({ rule, because, question }) => ({ rule, because: because(facts), question }));

/** A change or a share of fewer is chance, as on cards. */
const minSample = 5;

/** So many days open or waiting that somebody should ask about it. */
const longDays = 14;

const isLong = (days: number) => days >= longDays;

// Changes of 40 and 60 percent are compared in integers.
const rules = [
  {
    rule: 'reviews_waiting',
    holds: ({ reviewWaitDays }: TalkingPointFacts) => reviewWaitDays.some(isLong),
    because: ({ reviewWaitDays }: TalkingPointFacts) =>
      `${requestedReviews(reviewWaitDays.filter(isLong).length)} waiting for ${longDays} days or more, the oldest for ${Math.max(...reviewWaitDays)} days.`,
    question: 'Requested reviews: what would make room for them?',
  },
  {
    rule: 'open_long',
    holds: ({ openDays }: TalkingPointFacts) => openDays.some(isLong),
    because: ({ openDays }: TalkingPointFacts) =>
      `${pullRequests(openDays.filter(isLong).length)} ready for review for ${longDays} days or more and still open, the oldest for ${Math.max(...openDays)} days.`,
    question: 'Long-open pull requests: what would unblock them?',
  },
  {
    rule: 'merged_fewer',
    holds: ({ recent, prior, areListsComplete }: TalkingPointFacts) =>
      areListsComplete && prior.prsMerged >= minSample && 10 * recent.prsMerged <= 6 * prior.prsMerged,
    because: mergedSentence,
    question: 'Fewer merges: what filled the last weeks?',
  },
  {
    rule: 'merged_more',
    holds: ({ recent, prior, areListsComplete }: TalkingPointFacts) =>
      areListsComplete && prior.prsMerged >= minSample && 10 * recent.prsMerged >= 16 * prior.prsMerged,
    because: mergedSentence,
    question: 'More merges: what changed, and is it a pace to plan with?',
  },
  {
    rule: 'reviews_more',
    holds: ({ recent, prior, areListsComplete }: TalkingPointFacts) =>
      areListsComplete &&
      recent.reviewsGiven !== null &&
      prior.reviewsGiven !== null &&
      prior.reviewsGiven >= minSample &&
      10 * recent.reviewsGiven >= 16 * prior.reviewsGiven,
    because: ({ recent, prior }: TalkingPointFacts) =>
      `Reviewed ${pullRequests(recent.reviewsGiven ?? 0)} of others in the last 45 days, ${prior.reviewsGiven} in the previous 45.`,
    question: 'More reviews: do they leave room for other work?',
  },
  {
    rule: 'merges_slower',
    holds: ({ recent, prior, areListsComplete }: TalkingPointFacts) =>
      areListsComplete &&
      recent.medianHoursToMerge !== null &&
      prior.medianHoursToMerge !== null &&
      Math.min(recent.prsMerged, prior.prsMerged) >= minSample &&
      prior.medianHoursToMerge > 0 &&
      2 * recent.medianHoursToMerge > 3 * prior.medianHoursToMerge,
    because: ({ recent, prior }: TalkingPointFacts) =>
      `Median time from creation to merge ${quantity(recent.medianHoursToMerge, 'hours')} (${recent.prsMerged} merged), ${quantity(prior.medianHoursToMerge, 'hours')} before (${prior.prsMerged} merged).`,
    question: 'Slower merges: where do changes wait?',
  },
  {
    rule: 'after_hours',
    holds: ({ afterHoursPct, commits, mergeMoments }: TalkingPointFacts) =>
      (afterHoursPct ?? 0) >= 30 && commits >= 10 && 2 * mergeMoments <= commits,
    because: ({ afterHoursPct, commits, workday: { start, end, timezone } }: TalkingPointFacts) =>
      `${afterHoursPct} % of ${commits} commits in 90 days have a time before ${hour(start)} or after ${hour(end)}, ${timezone}. A squashed commit has the time of its merge.`,
    question: 'After-hours commits: are these the hours you choose?',
  },
  {
    rule: 'merged_less_than_half',
    holds: ({ prMergeRate, prsEnded, areListsComplete }: TalkingPointFacts) =>
      areListsComplete && (prMergeRate ?? 100) < 50 && prsEnded >= minSample,
    because: ({ prMergeRate, prsEnded }: TalkingPointFacts) =>
      `${prMergeRate} % of ${pullRequests(prsEnded)} that ended in 90 days were merged.`,
    question: 'Closed without merging: what happened to these pull requests?',
  },
] as const;

function mergedSentence({ recent, prior }: TalkingPointFacts): string {
  return `${pullRequests(recent.prsMerged)} merged in the last 45 days, ${prior.prsMerged} in the previous 45.`;
}

const hour = (of: number) => `${String(of).padStart(2, '0')}:00`;

const requestedReviews = (count: number) => `${count} requested review${count === 1 ? '' : 's'}`;

const pullRequests = (count: number) => `${count} pull request${count === 1 ? '' : 's'}`;
