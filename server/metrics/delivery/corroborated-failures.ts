import type { Deployment } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { type Metric, metric } from '../kernel/metric.ts';
import { dayMs } from '../kernel/window.ts';
import { type DeploymentScope, getDeploymentResult, isConclusiveIn, isSuccess } from './deployments.ts';
import { isFixBranch } from './failure-fixes.ts';
import { goesBack, hasDeployed, type MergedChanges } from './merged-changes.ts';

/** What speaks against the success of a deployment. */
export type Contradiction = 'rollback' | 'revert_within_24h';

/** What came after deployments, by their ids. */
export interface Aftermath {
  /** Those that went back to a commit deployed with success before, or to an older one; null where that is not known. */
  rollbacks: ReadonlyMap<number, boolean | null>;
  /** Successes that something speaks against before the next success in the same environment. */
  contradictions: ReadonlyMap<number, readonly Contradiction[]>;
  /** Successes of which it is not known whether something does. */
  undecided: ReadonlySet<number>;
}

/** Hand in deployments from before the window too; `isWhole` where these are all that there ever were. */
export function findAftermath(deployments: readonly Deployment[], changes: MergedChanges, isWhole: boolean): Aftermath {
  const environments = [...Map.groupBy(deployments, ({ environment }) => environment).values()];
  const rollbacks = new Map(environments.flatMap((own) => rollbacksIn(own, changes, isWhole)));
  const contradictions = new Map<number, Contradiction[]>();
  const undecided = new Set<number>();
  for (const own of environments) {
    const successes = successesIn(own);
    for (const [index, { deployment, at }] of successes.entries()) {
      const next = successes[index + 1];
      const previous = successes[index - 1]?.deployment ?? null;
      const until = Math.min(at + dayMs, next?.at ?? Number.POSITIVE_INFINITY);
      const isRolledBack = next === undefined ? false : (rollbacks.get(next.deployment.id) ?? null);
      const reverts = changes.reverts.filter((revert) => revert.at > at && revert.at <= until);
      const taken = [...reverts.map(({ changeMergedAt }) => changeMergedAt), ...(at < changes.knownFrom ? [null] : [])];
      const reverted = taken.map((mergedAt) => hasDeployed(deployment, previous, mergedAt, { changes, isWhole }));
      const found: Contradiction[] = [];
      if (isRolledBack) found.push('rollback');
      if (reverted.includes(true)) found.push('revert_within_24h');
      if (found.length > 0) contradictions.set(deployment.id, found);
      else if (isRolledBack === null || reverted.includes(null)) undecided.add(deployment.id);
    }
  }
  return { rollbacks, contradictions, undecided };
}

/** Failed deployments, and successful ones that later events contradict, ÷ finished ones. */
export function corroboratedFailureRate(scope: DeploymentScope, aftermath: Aftermath): Metric<Deployment> {
  return metric({
    key: 'corroborated_failure_rate_pct',
    label: 'Corroborated failure rate',
    unit: 'percent',
    digits: 1,
    better: 'lower',
    source: 'finished production deployments',
    definition:
      'Share of finished production deployments that failed, that the next success rolled back, or of which a change ' +
      'was reverted within 24 hours and before the next success. Incident issues are not read.',
    needsAll: true,
    counts: (deployment) => {
      const verdict = isConclusiveIn(deployment, scope);
      return verdict === true && aftermath.undecided.has(deployment.id) ? undecided : verdict;
    },
    share: (each) => isCorroboratedFailure(each, aftermath),
  });
}

/** Deployments that put something right ÷ finished ones: DORA's rework rate, as far as deployments show. */
export function reworkRate(scope: DeploymentScope, aftermath: Aftermath): Metric<Deployment> {
  return metric({
    key: 'rework_rate_pct',
    label: 'Rework rate',
    unit: 'percent',
    digits: 1,
    better: 'lower',
    source: 'finished production deployments',
    definition: 'Share of finished production deployments that are rollbacks or come from a hotfix branch.',
    needsAll: true,
    counts: (deployment) => {
      const verdict = isConclusiveIn(deployment, scope);
      return verdict === true && isRework(deployment, aftermath) === null ? undecided : verdict;
    },
    share: (each) => isRework(each, aftermath) === true,
  });
}

const undecided = { unknown: 'which changes it deployed or rolled back, or which were reverted, is not known' };

/** Failed outright, or a success that something speaks against. */
export function isCorroboratedFailure(deployment: Deployment, { contradictions }: Aftermath): boolean {
  return !isSuccess(deployment) || contradictions.has(deployment.id);
}

/** null where it is not known whether it went back. */
export function isRework({ id, ref }: Deployment, { rollbacks }: Aftermath): boolean | null {
  return isFixBranch(ref ?? '') || (rollbacks.get(id) ?? null);
}

/** As `isRollback` finds them, with what merges tell of ancestry, in one walk over the deployments of one environment. */
function rollbacksIn(
  deployments: readonly Deployment[],
  changes: MergedChanges,
  isWhole: boolean,
): [id: number, boolean | null][] {
  const deployed = new Set<string>();
  let previous: Deployment | null = null;
  return deployments
    .toSorted((a, b) => a.createdAt - b.createdAt || a.id - b.id)
    .map((each) => {
      const verdict = isBackFrom(each, previous, deployed, changes);
      const isRollback = previous === null && isWhole ? false : verdict;
      if (isSuccess(each)) {
        deployed.add(each.sha);
        previous = each;
      }
      return [each.id, isRollback];
    });
}

function isBackFrom(
  deployment: Deployment,
  previous: Deployment | null,
  deployed: ReadonlySet<string>,
  changes: MergedChanges,
): boolean | null {
  if (previous === null) return null;
  if (previous.sha === deployment.sha) return false;
  return deployed.has(deployment.sha) || goesBack(deployment, previous, changes);
}

function successesIn(deployments: readonly Deployment[]): { deployment: Deployment; at: Instant }[] {
  return deployments
    .flatMap((deployment) => {
      const { outcome, at } = getDeploymentResult(deployment);
      return outcome === 'success' && at !== null ? [{ deployment, at }] : [];
    })
    .sort((one, other) => one.at - other.at || one.deployment.id - other.deployment.id);
}
