import { minItems } from '../kernel/comparison.ts';
import type { PullRequest } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { isWithin } from '../kernel/window.ts';
import type { DeliveryScope } from './delivery.ts';

/**
 * The first merge into the default branch of the window, where another branch was the default until then: at least five
 * merges went into that one before, none since, and at least five into the default branch since. null where nothing shows
 * such a switch, or a rename: merged pull requests keep the name that the branch had.
 */
export function findBranchSwitch(
  pullRequests: readonly PullRequest[],
  { window, defaultBranch }: Pick<DeliveryScope, 'window' | 'defaultBranch'>,
): Instant | null {
  const merges = pullRequests.flatMap(({ baseBranch, mergedAt }) =>
    mergedAt !== null && isWithin(mergedAt, window) ? [{ baseBranch, mergedAt }] : [],
  );
  const byBranch = Map.groupBy(merges, ({ baseBranch }) => baseBranch);
  const present = byBranch.get(defaultBranch ?? '') ?? [];
  if (present.length < minItems) return null;
  const first = Math.min(...present.map(({ mergedAt }) => mergedAt));
  const isFormer = (into: readonly { mergedAt: Instant }[]) =>
    into.length >= minItems && into.every(({ mergedAt }) => mergedAt < first);
  return [...byBranch.values()].some(isFormer) ? first : null;
}
