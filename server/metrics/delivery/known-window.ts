import { isOldEnough } from '../kernel/tiers.ts';
import { dayMs, type Window } from '../kernel/window.ts';
import type { Counted, DeliveryScope } from './delivery.ts';

/** Days of the window in which the repository existed and all are known, begun ones counted, at least 1. */
export function periodDays(scope: DeliveryScope, of: Counted): number {
  const { from, to } = livedWindow(scope, of);
  return Math.max(1, Math.ceil((to - from) / dayMs));
}

/** Within 14 days of another default branch, a few hours of merges are no frequency. */
export const isLongEnough = ({ switchedAt, window }: DeliveryScope, of: Counted): boolean =>
  of === 'releases' || isOldEnough(switchedAt ?? null, window);

/** The known part of the window in which the repository existed. */
export function livedWindow(scope: DeliveryScope, of: Counted): Window {
  const { from, to } = knownWindow(scope, of);
  return { from: Math.min(to, Math.max(from, scope.repositoryCreatedAt ?? from)), to };
}

/** The part of the window of which all are known. */
export function knownWindow({ window: { from, to }, knownFrom }: DeliveryScope, of: Counted): Window {
  return { from: Math.max(from, knownFrom?.[of] ?? from), to };
}
