import type { PullRequest, Review } from '../../server/metrics/kernel/delivery-facts.ts';
import type { People } from '../../server/metrics/people/people.ts';
import { day, hour } from '../metrics/worlds.ts';

/** The alert metrics of pull requests, written a second time from raw facts. */
export interface PeopleQuery {
  pullRequests: readonly PullRequest[];
  people: People;
  now: number;
  windowHours: number;
}

type Answer = { value: number | null; sample: number };

const byPeople = ({ pullRequests, people }: PeopleQuery) => pullRequests.filter(({ author }) => !people.isBot(author));

function firstReview({ reviews, author }: PullRequest, people: People, before: number): Review | undefined {
  let first: Review | undefined;
  for (const review of reviews ?? []) {
    if (review.submittedAt > before || review.state === 'dismissed' || people.isBot(review.reviewer)) continue;
    if (review.reviewer !== null && author !== null && people.toKey(review.reviewer) === people.toKey(author)) continue;
    if (!first || review.submittedAt < first.submittedAt) first = review;
  }
  return first;
}

/** Taken back in time, event by event, from what it is today. */
function isDraftAt({ isDraft, clock }: PullRequest, instant: number): boolean {
  let draft = isDraft;
  for (const { kind, at } of (clock ?? []).toSorted((a, b) => a.at - b.at).reverse()) {
    if (at <= instant) break;
    if (kind === 'ready_for_review') draft = true;
    if (kind === 'converted_to_draft') draft = false;
  }
  return draft;
}

function readyAt({ createdAt, clock }: PullRequest, before: number): number {
  const events = (clock ?? [])
    .filter(({ kind, at }) => kind === 'ready_for_review' && at <= before)
    .map(({ at }) => at);
  return Math.max(createdAt, ...events);
}

const endOf = ({ mergedAt, closedAt }: PullRequest) => mergedAt ?? closedAt ?? Number.POSITIVE_INFINITY;
const isOpenAt = (one: PullRequest, instant: number) => one.createdAt <= instant && endOf(one) > instant;

function p90(values: number[]): Answer {
  const sorted = values.toSorted((a, b) => a - b);
  const place = 0.9 * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  const value = low === undefined || high === undefined ? null : low + (high - low) * (place % 1);
  return { value, sample: sorted.length };
}

export const naivePullRequests: Record<string, (request: PeopleQuery) => Answer> = {
  pr_throughput_drop(request) {
    const length = Math.max(168, request.windowHours) * hour;
    const mergedIn = (from: number, to: number) =>
      byPeople(request).filter(({ mergedAt }) => mergedAt !== null && mergedAt >= from && mergedAt < to).length;
    const prior = mergedIn(request.now - 2 * length, request.now - length);
    const drop = (100 * (prior - mergedIn(request.now - length, request.now))) / prior;
    return { value: prior === 0 ? null : Math.max(0, drop), sample: prior };
  },
  review_response_p90(request) {
    const { now, people } = request;
    const waits: number[] = [];
    for (const one of byPeople(request).filter(({ createdAt }) => createdAt <= now)) {
      const review = firstReview(one, people, Math.min(now, endOf(one)));
      if (!review && !isOpenAt(one, now)) continue;
      const until = review?.submittedAt ?? now;
      if (until < one.createdAt || isDraftAt(one, until)) continue;
      const ready = readyAt(one, until);
      if (ready >= now - request.windowHours * hour && ready < now) waits.push((until - ready) / hour);
    }
    return p90(waits);
  },
  pr_abandon_rate(request) {
    const from = request.now - request.windowHours * hour;
    const closed = byPeople(request).filter((one) => endOf(one) >= from && endOf(one) < request.now);
    const abandoned = closed.filter(({ mergedAt }) => mergedAt === null).length;
    return { value: closed.length === 0 ? null : (100 * abandoned) / closed.length, sample: closed.length };
  },
  unreviewed_pr_age(request) {
    const { now, people } = request;
    const waiting = byPeople(request)
      .filter((one) => isOpenAt(one, now) && !isDraftAt(one, now))
      .filter((one) => !firstReview(one, people, now));
    const oldest = Math.min(now, ...waiting.map((one) => readyAt(one, now)));
    return { value: (now - oldest) / day, sample: waiting.length };
  },
};
