/** Open pull requests and review times a second time, straight from the words. */
import type { OpenPullRequest, PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import {
  distinct,
  naiveBefore,
  naiveClock,
  naiveId,
  naiveIsBot,
  naiveReviews,
  naiveRound,
  naiveTenths,
} from './naive-people.ts';
import { hour } from './worlds.ts';

export function naiveOpenState(pr: OpenPullRequest, { now, links }: DeliveryWorld) {
  const reviews = naiveReviews(pr, links);
  const readyAt = Math.max(
    pr.createdAt,
    ...(pr.clock ?? []).filter((e) => e.kind === 'ready_for_review').map((e) => e.at),
  );
  const last = reviews[reviews.length - 1];
  const events = (pr.clock ?? []).filter((e) => e.kind === 'pushed' && e.at <= now).map((e) => e.at);
  for (const e of pr.clock ?? []) if (e.kind === 'review_requested') events.push(e.at);
  if (pr.lastPushAt !== null && pr.lastPushAt <= now) events.push(pr.lastPushAt);
  const news = events.filter((at) => last !== undefined && at > last.submittedAt);
  const decision = pr.reviewDecision ?? naiveDecision(pr, links);
  const lacksOnlyApprovals = decision === 'review_required' && naiveDecision(pr, links) === 'approved';
  const isNews = last === undefined || news.length > 0;
  const awaiting = !pr.isDraft && decision !== 'approved' && (isNews || lacksOnlyApprovals);
  const newest = (state: string) => Math.max(...reviews.filter((r) => r.state === state).map((r) => r.submittedAt));
  const finite = (time: number) => (Number.isFinite(time) ? time : null);
  const expected = { waitingOn: 'author', waitingSince: last?.submittedAt ?? null };
  if (decision === 'changes_requested') expected.waitingSince = finite(newest(decision)) ?? expected.waitingSince;
  if (decision === 'approved')
    Object.assign(expected, { waitingOn: 'merge', waitingSince: finite(newest('approved')) });
  if (awaiting) {
    const waitingSince = last === undefined ? readyAt : Math.min(...(news.length > 0 ? news : [newest('approved')]));
    Object.assign(expected, { waitingOn: 'reviewer', waitingSince });
  }
  const isCut = pr.reviewsTruncated;
  const isApproved = pr.reviewDecision === 'approved';
  if (isCut) Object.assign(expected, { waitingOn: isApproved ? 'merge' : null, waitingSince: null });
  if (pr.isDraft) Object.assign(expected, { waitingOn: 'nobody', waitingSince: null });
  const isQuiet = !pr.isDraft && last === undefined && now - readyAt > 120 * hour;
  return {
    ...expected,
    ageMs: now - pr.createdAt,
    readyAt,
    readyAgeMs: now - readyAt,
    hasReview: last === undefined && isCut ? null : last !== undefined,
    reviewRounds: distinct(reviews.map((review) => review.commitSha)).length,
    awaitingReview: isCut && !pr.isDraft && !isApproved ? null : !isCut && awaiting,
    isStale: isQuiet && isCut ? null : isQuiet,
  };
}

export function naiveBenchmarks({ pullRequests, links }: DeliveryWorld, from: number, to: number) {
  const within = (time: number | null) => time !== null && from <= time && time <= to;
  const human = pullRequests.filter((pr) => !naiveIsBot(pr.author));
  const closed = human.filter((pr) => within(pr.closedAt));
  const merged = human.filter((pr) => within(pr.mergedAt));
  const firstWaits = closed.flatMap((pr) => {
    const first = naiveReviews(pr, links)[0];
    if (first === undefined || first.submittedAt < pr.createdAt) return [];
    return [first.submittedAt - naiveClock(pr, first, links)];
  });
  const mergeWaits = merged.flatMap((pr) => {
    if (pr.reviewsTruncated) return [];
    const approvals = naiveBefore(pr, links).filter((review) => review.state === 'approved');
    return approvals.length === 0 ? [] : [Number(pr.mergedAt) - Math.max(...approvals.map((r) => r.submittedAt))];
  });
  const seen = pullRequests.filter((pr) => within(pr.mergedAt) && naiveBefore(pr, links).length > 0);
  const passed = seen.filter((pr) => naiveBefore(pr, links)[0]?.state === 'approved');
  return {
    first50: naiveTenths(firstWaits, 5, hour, 1),
    first90: naiveTenths(firstWaits, 9, hour, 1),
    merge50: naiveTenths(mergeWaits, 5, hour, 1),
    merge90: naiveTenths(mergeWaits, 9, hour, 1),
    abandon: naiveRound(100 * closed.filter((pr) => pr.mergedAt === null).length, closed.length),
    firstPass: naiveRound(100 * passed.length, seen.length),
    rounds: ['0', '1', '2', '3+'].map((rounds, index) => ({
      rounds,
      count: pullRequests.filter((pr) => within(pr.mergedAt) && naiveRounds(pr, links) === index).length,
    })),
  };
}

function naiveRounds(pr: PullRequest, links: DeliveryWorld['links']): number {
  return Math.min(3, distinct(naiveBefore(pr, links).map((review) => review.commitSha)).length);
}

function naiveDecision(pr: PullRequest, links: DeliveryWorld['links']): string | null {
  const opinions = naiveReviews(pr, links).filter((review) => review.state !== 'commented');
  const last = opinions.filter(
    (review, index) =>
      !opinions.slice(index + 1).some((later) => naiveId(later.reviewer, links) === naiveId(review.reviewer, links)),
  );
  if (last.some((review) => review.state === 'changes_requested')) return 'changes_requested';
  return last.some((review) => review.state === 'approved') ? 'approved' : null;
}
