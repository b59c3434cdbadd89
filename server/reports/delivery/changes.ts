import type { Domain } from '../../api/wire.ts';
import { changeFailureEstimate, mergeFrequency } from '../../metrics/delivery/delivery.ts';
import { compareCounts, compareShares, judgeChange, minItems } from '../../metrics/kernel/comparison.ts';
import { lastDaysWindow, type Window, windowBefore } from '../../metrics/kernel/window.ts';
import { countByDay } from '../comparison/periods.ts';
import type { Delivery } from './facts.ts';
import type { DeliveryReport } from './schema.ts';

type Answer = Domain<typeof DeliveryReport>;

const comparedDays = 30;

/** The last 30 days and the 30 before; null where not all merges of both are known, as of something younger. */
function findMonths({ pullRequests, scope }: Delivery): { recent: Window; before: Window } | null {
  if (pullRequests.partial) return null;
  const recent = lastDaysWindow(comparedDays, scope.window.to);
  const before = windowBefore(recent, scope.repositoryCreatedAt ?? scope.window.from);
  return before && { recent, before };
}

/** Merges into the default branch; null with fewer than five in either month. */
export function mergeChange(delivery: Delivery): Answer['mergeChange'] {
  const months = findMonths(delivery);
  if (months === null) return null;
  const { pullRequests, scope } = delivery;
  const listIn = (window: Window) => {
    const { counted } = mergeFrequency({ ...scope, window }).evidence(pullRequests.items);
    return counted.flatMap(({ mergedAt }) => mergedAt ?? []);
  };
  const [recent, before] = [listIn(months.recent), listIn(months.before)];
  if (Math.min(recent.length, before.length) < minItems) return null;
  const countDays = (instants: readonly number[], window: Window) =>
    countByDay(instants, { window, days: comparedDays }, scope.calendar);
  const comparison = compareCounts(countDays(before, months.before), countDays(recent, months.recent));
  return { merged: recent.length, mergedBefore: before.length, verdict: judgeChange(comparison, 'count') };
}

/** Reverts and hotfixes among merges of people; null with fewer than five in either month, or where one is not known. */
export function fixChange(delivery: Delivery): Answer['changeFailureRateChange'] {
  const months = findMonths(delivery);
  const { estimate, pullRequests, scope } = delivery;
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
