import {
  type Aftermath,
  corroboratedFailureRate,
  findAftermath,
  isCorroboratedFailure,
  isRework,
  reworkRate,
} from '../../metrics/delivery/corroborated-failures.ts';
import { areStatusesKnown, type DeploymentScope, isConclusiveIn } from '../../metrics/delivery/deployments.ts';
import { findMergedChanges } from '../../metrics/delivery/merged-changes.ts';
import type { Deployment } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Delivery } from './facts.ts';
import { rateLabel } from './labels.ts';

/** Deployments of the window with what came after them. */
export interface DeploymentAftermath {
  recent: readonly Deployment[];
  scope: DeploymentScope;
  aftermath: Aftermath;
}

/** What came after production deployments; null where deployments are not known. */
export function getAftermath({ deployments, pullRequests, scope: of }: Delivery): DeploymentAftermath | null {
  const environment = deployments?.figures.productionEnvironment ?? null;
  if (deployments === null || environment === null) return null;
  const { set, scope, recent } = deployments;
  // A failure, or the success that a rollback goes back to, may be among what could not be read.
  if (!areStatusesKnown(set.items.filter((each) => each.environment === environment))) return null;
  const changes = findMergedChanges(pullRequests.items, of.defaultBranch, findKnownFrom(pullRequests));
  const isWhole = set.total !== null && set.items.length >= set.total;
  return { recent, scope: { ...scope, environment }, aftermath: findAftermath(set.items, changes, isWhole) };
}

/** Since when all pull requests that ended are known; of a list with gaps, never. */
function findKnownFrom({ partial, capped, oldestAt }: Delivery['pullRequests']): Instant {
  if (!partial) return Number.NEGATIVE_INFINITY;
  return (capped ? oldestAt : null) ?? Number.POSITIVE_INFINITY;
}

/** What speaks against deployments that count as successes; null where deployments are not known. */
export function corroboration(delivery: Delivery) {
  const known = getAftermath(delivery);
  if (known === null) return null;
  const { recent, scope, aftermath } = known;
  const [failure, rework] = [corroboratedFailureRate(scope, aftermath), reworkRate(scope, aftermath)];
  const { counted } = failure.evidence(recent);
  const reworked = rework.evidence(recent).counted;
  const finished = recent.filter((each) => isConclusiveIn(each, scope) === true).length;
  const [failureRate, reworkedRate] = [failure(recent).value, rework(recent).value];
  return {
    failures: {
      failures: counted.filter((each) => isCorroboratedFailure(each, aftermath)).length,
      total: counted.length,
      undecided: finished - counted.length,
      ratePct: failureRate,
      label: rateLabel(failureRate),
    },
    rework: {
      rework: reworked.filter((each) => isRework(each, aftermath)).length,
      total: reworked.length,
      undecided: finished - reworked.length,
      ratePct: reworkedRate,
      label: rateLabel(reworkedRate),
    },
    rules: [...new Set(counted.flatMap(({ id }) => aftermath.contradictions.get(id) ?? []))],
  };
}
