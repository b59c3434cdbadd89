import type { PullRequest } from '../kernel/delivery-facts.ts';
import type { Verdict } from '../kernel/metric.ts';
import { isWithin } from '../kernel/window.ts';
import { isByHuman, timeToMerge } from '../pull-requests/pull-requests.ts';
import type { DeliveryScope } from './delivery.ts';

/** Merged into the default branch in the window; imported ones, merged before their creation, are excluded. */
export function isDelivered(pullRequest: PullRequest, { window, defaultBranch }: DeliveryScope): Verdict {
  const { mergedAt, baseBranch } = pullRequest;
  if (mergedAt === null) return 'not merged';
  if (!isWithin(mergedAt, window)) return 'merged outside the window';
  if (baseBranch !== defaultBranch) return 'merged into another branch';
  return timeToMerge(pullRequest) !== null || 'merged before it was created';
}

export function isDeliveredByHuman(pullRequest: PullRequest, scope: DeliveryScope): Verdict {
  const verdict = isDelivered(pullRequest, scope);
  return verdict === true ? isByHuman(pullRequest, scope.people) : verdict;
}
