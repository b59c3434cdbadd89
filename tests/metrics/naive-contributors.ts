/** Contributors, pairs and the profile a second time, straight from the words. */
import type { PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import {
  distinct,
  naiveBefore,
  naiveClock,
  naiveId,
  naiveIsBot,
  naiveMean,
  naiveReviews,
  naiveRound,
  naiveTenths,
  sortedBy,
  total,
} from './naive-people.ts';
import { day, hour } from './worlds.ts';

export function naiveBusFactor(counts: number[]): number {
  for (let size = 0; ; size++) {
    const biggest = sortedBy(counts, (count) => [-count]).slice(0, size);
    if (10 * total(biggest) >= 8 * total(counts)) return size;
  }
}

export function naiveRows(
  { links }: DeliveryWorld,
  merged: PullRequest[],
  opened: PullRequest[],
  looked: PullRequest[],
) {
  const actors = [...merged, ...opened].map((pr) => pr.author);
  for (const pr of looked) actors.push(...naiveReviews(pr, links).map((review) => review.reviewer));
  const everybody = actors.filter((actor) => actor !== null);
  const ids = distinct(everybody.map((actor) => naiveId(actor, links)));
  const rows = ids.map((id) => {
    const own = merged.filter((pr) => naiveId(pr.author, links) === id);
    const times = own
      .filter((pr) => Number(pr.mergedAt) >= pr.createdAt)
      .map((pr) => Number(pr.mergedAt) - pr.createdAt);
    const seen = own.filter((pr) => naiveBefore(pr, links).length > 0);
    const passed = seen.filter((pr) => naiveBefore(pr, links)[0]?.state === 'approved');
    const given = looked.map((pr) =>
      naiveReviews(pr, links).filter((review) => naiveId(review.reviewer, links) === id),
    );
    const waits = looked.flatMap((pr, index) => {
      const first = given[index]?.[0];
      if (first === undefined || first.submittedAt < pr.createdAt) return [];
      return [first.submittedAt - naiveClock(pr, first, links)];
    });
    return {
      id,
      isBot: everybody.some((actor) => naiveId(actor, links) === id && naiveIsBot(actor)),
      prsMerged: own.length,
      prsOpened: opened.filter((pr) => naiveId(pr.author, links) === id).length,
      reviewedPrs: own.every((pr) => naiveIsReviewKnown(pr, links)) ? seen.length : null,
      firstPassApprovedPrs: own.every((pr) => naiveIsReviewKnown(pr, links)) ? passed.length : null,
      firstPassApprovalRate: naiveRound(100 * passed.length, seen.length),
      avgHoursToMerge: naiveMean(times, hour, 1),
      medianHoursToMerge: naiveTenths(times, 5, hour, 1),
      avgPrSize: naiveMean(
        own.map((pr) => pr.additions + pr.deletions),
        1,
        0,
      ),
      reviewsGiven: given.filter((reviews) => reviews.length > 0).length,
      reviewEvents: given.flat().length,
      commentCount: total(given.flat().map((review) => Number(review.comments))),
      avgReviewTurnaroundHours: naiveMean(waits, hour, 1),
      selfMergeCount: own.filter((pr) => isSelfMerged(pr, links)).length,
    };
  });
  const stored = rows.filter((row) => row.prsMerged > 0 || row.reviewsGiven > 0);
  return sortedBy(stored, (row) => [-row.prsMerged, row.id ?? '']);
}

export function naivePairs({ links }: DeliveryWorld, looked: PullRequest[]) {
  const pairs = looked.flatMap((pr) =>
    distinct(
      naiveReviews(pr, links)
        .filter((review) => review.reviewer !== null)
        .map((review) => `${naiveId(pr.author, links) ?? 'ghost'} ${naiveId(review.reviewer, links)}`),
    ),
  );
  const cells = distinct(pairs).map((pair) => {
    const [author = '', reviewer = ''] = pair.split(' ');
    return { author, reviewer, count: pairs.filter((each) => each === pair).length };
  });
  return sortedBy(cells, (cell) => [-cell.count, cell.author, cell.reviewer]);
}

export function naiveTotals({ links }: DeliveryWorld, merged: PullRequest[]) {
  const unseen = merged.filter((pr) => naiveBefore(pr, links).length === 0);
  const isKnown = merged.every((pr) => naiveIsReviewKnown(pr, links));
  const times = merged.map((pr) => Number(pr.mergedAt));
  const authors = merged
    .filter((pr) => pr.author !== null && !naiveIsBot(pr.author))
    .map((pr) => naiveId(pr.author, links));
  const counts = distinct(authors).map((id) => authors.filter((each) => each === id).length);
  let periodDays = 1;
  while (times.some((time) => times.some((other) => other - time > periodDays * day))) periodDays++;
  return {
    prsMergedTotal: merged.length,
    prsHumanReviewed: isKnown ? merged.length - unseen.length : null,
    prsNoHumanReview: isKnown ? unseen.length : null,
    prsSelfMerged: merged.filter((pr) => isSelfMerged(pr, links)).length,
    prsSelfMergedIncludingBots: merged.filter(
      (pr) => pr.author !== null && pr.mergedBy !== null && naiveId(pr.author, links) === naiveId(pr.mergedBy, links),
    ).length,
    medianHoursToMergeIncludingBots: naiveTimesToMerge(merged),
    prsMergedByPeople: merged.filter((pr) => !naiveIsBot(pr.author)).length,
    prsAuthorUnread: merged.filter((pr) => pr.isAuthorUnread).length,
    botReviews: isKnown
      ? total(merged.map((pr) => pr.reviews?.filter((review) => naiveIsBot(review.reviewer)).length ?? 0))
      : null,
    botPrs: {
      merged: merged.filter((pr) => naiveIsBot(pr.author)).length,
      noHumanReview: isKnown ? unseen.filter((pr) => naiveIsBot(pr.author)).length : null,
    },
    reviewsTruncatedPrs: merged.filter((pr) => pr.reviewsTruncated).length,
    periodDays,
    busFactor: counts.length === 0 ? null : naiveBusFactor(counts),
  };
}

/** Of merged ones with more reviews than were read, and none of those by a person, it is unknown. */
export const naiveReviewedShare = ({ links }: DeliveryWorld, merged: PullRequest[]): number | null => {
  const known = merged.filter((pr) => naiveIsReviewKnown(pr, links));
  return naiveRound(100 * known.filter((pr) => naiveBefore(pr, links).length > 0).length, known.length);
};

const naiveIsReviewKnown = (pr: PullRequest, links: DeliveryWorld['links']) =>
  !pr.reviewsTruncated || naiveBefore(pr, links).length > 0;

export const naiveMedianToMerge = (merged: PullRequest[]): number | null =>
  naiveTimesToMerge(merged.filter((pr) => !naiveIsBot(pr.author)));

function naiveTimesToMerge(merged: PullRequest[]): number | null {
  const times = merged.map((pr) => Number(pr.mergedAt) - pr.createdAt).filter((time) => time >= 0);
  return naiveTenths(times, 5, hour, 1);
}

export function naiveProfile({ pullRequests, links }: DeliveryWorld, id: string, from: number, to: number) {
  const within = (time: number | null) => time !== null && from <= time && time <= to;
  const own = pullRequests.filter((pr) => naiveId(pr.author, links) === id);
  const opened = own.filter((pr) => within(pr.createdAt));
  const merged = own.filter((pr) => within(pr.mergedAt));
  const dropped = own.filter((pr) => pr.mergedAt === null && within(pr.closedAt));
  const times = merged.map((pr) => Number(pr.mergedAt) - pr.createdAt).filter((time) => time >= 0);
  const mine = (pr: PullRequest) => naiveReviews(pr, links).filter((review) => naiveId(review.reviewer, links) === id);
  const waits = pullRequests.flatMap((pr) => {
    const first = mine(pr)[0];
    if (first === undefined || !within(first.submittedAt) || first.submittedAt < pr.createdAt) return [];
    return [first.submittedAt - naiveClock(pr, first, links)];
  });
  return {
    own: {
      prsOpened: opened.length,
      prsMerged: merged.length,
      prsClosedWithoutMerge: dropped.length,
      prsStillOpen: opened.filter((pr) => pr.closedAt === null).length,
      prMergeRate: naiveRound(100 * merged.length, merged.length + dropped.length),
      avgHoursToMerge: naiveMean(times, hour, 1),
      medianHoursToMerge: naiveTenths(times, 5, hour, 1),
      avgPrSize: naiveMean(
        opened.map((pr) => pr.additions + pr.deletions),
        1,
        0,
      ),
      funnel: {
        opened: opened.length,
        reviewed: naiveStep(opened.map((pr) => [pr, naiveReviews(pr, links).length > 0])),
        approved: naiveStep(
          opened.map((pr) => [pr, naiveReviews(pr, links).some((review) => review.state === 'approved')]),
        ),
        merged: opened.filter((pr) => pr.mergedAt !== null).length,
      },
    },
    reviews: {
      reviewsGiven: pullRequests.filter((pr) => mine(pr).some((review) => within(review.submittedAt))).length,
      avgReviewTurnaroundHours: naiveMean(waits, hour, 1),
      reviewTurnaroundSample: waits.length,
    },
  };
}

/** Unknown while one without has reviews that were not read. */
const naiveStep = (opened: [PullRequest, boolean][]): number | null =>
  opened.some(([pr, has]) => pr.reviewsTruncated && !has) ? null : opened.filter(([, has]) => has).length;

function isSelfMerged(pr: PullRequest, links: DeliveryWorld['links']): boolean {
  if (pr.author === null || pr.mergedBy === null || naiveIsBot(pr.author)) return false;
  return naiveId(pr.author, links) === naiveId(pr.mergedBy, links);
}
