import type { Domain } from '../../api/wire.ts';
import {
  changeFailureEstimate,
  mergeFrequency,
  releaseFrequency,
  restoreEstimate,
} from '../../metrics/delivery/delivery.ts';
import {
  compareCounts,
  compareMedians,
  compareShares,
  judgeChange,
  minItems,
} from '../../metrics/kernel/comparison.ts';
import { median } from '../../metrics/kernel/statistics.ts';
import { lastDaysWindow, type Window, windowBefore } from '../../metrics/kernel/window.ts';
import { weeksUpTo } from '../../metrics/pull-requests/cycle.ts';
import { timeToMerge, withoutNulls } from '../../metrics/pull-requests/pull-requests.ts';
import { countByDay } from '../comparison/periods.ts';
import { type Delivery, lacksSince } from './facts.ts';
import type { DeliveryReport } from './schema.ts';

type Answer = Domain<typeof DeliveryReport>;

const comparedDays = 30;

type Known = Parameters<typeof lacksSince>[0];

/** The last 30 days and the 30 before; null where not all of both is known, as of something younger. */
function findMonths(scope: Delivery['scope'], known: Known): { recent: Window; before: Window } | null {
  const recent = lastDaysWindow(comparedDays, scope.window.to);
  const before = windowBefore(recent, scope.repositoryCreatedAt ?? scope.window.from);
  return before && !lacksSince(known, before.from) ? { recent, before } : null;
}

/** Merges into the default branch; null with fewer than five in either month. */
export function mergeChange(delivery: Delivery): Answer['mergeChange'] {
  const { pullRequests, scope } = delivery;
  const change = compareMonths(delivery, pullRequests, (window) => {
    const { counted } = mergeFrequency({ ...scope, window }).evidence(pullRequests.items);
    return counted.flatMap(({ mergedAt }) => mergedAt ?? []);
  });
  return change && { merged: change.recent, mergedBefore: change.before, verdict: change.verdict };
}

/** Published releases; null with fewer than five in either month, or where the time of any is not known. */
export function releaseChange(delivery: Delivery): Answer['releaseChange'] {
  const { releases, scope } = delivery;
  if (releaseFrequency(scope)(releases.items).value === null) return null;
  const change = compareMonths(delivery, releases, (window) => {
    const { counted } = releaseFrequency({ ...scope, window }).evidence(releases.items);
    return counted.flatMap(({ publishedAt }) => publishedAt ?? []);
  });
  return change && { released: change.recent, releasedBefore: change.before, verdict: change.verdict };
}

function compareMonths({ scope }: Delivery, known: Known, listIn: (window: Window) => readonly number[]) {
  const months = findMonths(scope, known);
  if (months === null) return null;
  const [recent, before] = [listIn(months.recent), listIn(months.before)];
  if (Math.min(recent.length, before.length) < minItems) return null;
  const countDays = (instants: readonly number[], window: Window) =>
    countByDay(instants, { window, days: comparedDays }, scope.calendar);
  const comparison = compareCounts(countDays(before, months.before), countDays(recent, months.recent));
  return { recent: recent.length, before: before.length, verdict: judgeChange(comparison, 'count') };
}

/** Reverts and hotfixes among merges of people; null with fewer than five in either month, or where one is not known. */
export function fixChange(delivery: Delivery): Answer['changeFailureRateChange'] {
  const { estimate, pullRequests, scope } = delivery;
  const months = findMonths(scope, pullRequests);
  if (months === null || estimate.changeFailureRate.failures === null) return null;
  const measureIn = (window: Window) => {
    const measure = changeFailureEstimate({ ...scope, window });
    const { counted } = measure.evidence(pullRequests.items);
    return { rate: measure.reduce(counted), part: measure.countPart(counted) ?? 0, n: counted.length };
  };
  const [recent, before] = [measureIn(months.recent), measureIn(months.before)];
  if (recent.rate === null || before.rate === null || Math.min(recent.n, before.n) < minItems) return null;
  return {
    rate: recent.rate,
    total: recent.n,
    rateBefore: before.rate,
    totalBefore: before.n,
    verdict: judgeChange(compareShares(before, recent), 'percent'),
  };
}

/** The median time to merge them; null with fewer than five in either month, or where it is not known of any whether it is one. */
export function restoreChange({ estimate, pullRequests, scope }: Delivery): Answer['mttrChange'] {
  const months = findMonths(scope, pullRequests);
  if (months === null || estimate.changeFailureRate.failures === null) return null;
  const listIn = (window: Window) =>
    withoutNulls(
      restoreEstimate({ ...scope, window })
        .evidence(pullRequests.items)
        .counted.map(timeToMerge),
    );
  const [recent, before] = [listIn(months.recent), listIn(months.before)];
  const [value, earlier] = [median(recent), median(before)];
  if (value === null || earlier === null || Math.min(recent.length, before.length) < minItems) return null;
  return {
    medianMs: value,
    recoveries: recent.length,
    medianMsBefore: earlier,
    recoveriesBefore: before.length,
    verdict: judgeChange(compareMedians(before, recent), 'milliseconds'),
  };
}

/** Reverts and hotfixes of each week, by merge; null where not all are known. */
export function countFixes({ estimate, pullRequests, scope }: Delivery): Answer['fixesByWeek'] {
  if (estimate.changeFailureRate.failures === null) return null;
  return countWeeks(
    scope,
    pullRequests,
    (window) => restoreEstimate({ ...scope, window }).evidence(pullRequests.items).counted.length,
  );
}

/** Published releases of each week; null where not all are known. */
export function countReleases({ releases, scope }: Delivery): Answer['releasesByWeek'] {
  if (releaseFrequency(scope)(releases.items).value === null) return null;
  const countIn = (window: Window) => releaseFrequency({ ...scope, window }).evidence(releases.items).counted.length;
  return countWeeks(scope, releases, countIn);
}

function countWeeks(
  { window: { to: now }, calendar }: Delivery['scope'],
  known: Known,
  countIn: (window: Window) => number,
) {
  const weeks = weeksUpTo(now, calendar);
  if (weeks.some(({ from }) => lacksSince(known, from))) return null;
  return weeks.map(({ weekStart, from, to, partial }) => ({ weekStart, count: countIn({ from, to }), partial }));
}
