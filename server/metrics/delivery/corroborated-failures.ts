import type { Deployment } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { type Metric, metric } from '../kernel/metric.ts';
import { dayMs } from '../kernel/window.ts';
import { type DeploymentScope, getDeploymentResult, isConclusiveIn, isSuccess } from './deployments.ts';
import { isFixBranch } from './failure-fixes.ts';

/** What speaks against the success of a deployment. */
export type Contradiction = 'rollback' | 'revert_within_24h';

/** What came after deployments, by their ids. */
export interface Aftermath {
  /** Those that went back to a commit deployed with success before; see `isRollback`. */
  rollbacks: ReadonlySet<number>;
  /** Successes that something speaks against before the next success in the same environment. */
  contradictions: ReadonlyMap<number, readonly Contradiction[]>;
}

/** Hand in deployments from before the window too; `revertedAt` is when reverts were merged. */
export function findAftermath(deployments: readonly Deployment[], revertedAt: readonly Instant[]): Aftermath {
  const environments = [...Map.groupBy(deployments, ({ environment }) => environment).values()];
  const rollbacks = new Set(environments.flatMap(rollbacksIn));
  const contradictions = new Map<number, Contradiction[]>();
  for (const own of environments) {
    const successes = successesIn(own);
    for (const [index, { deployment, at }] of successes.entries()) {
      const next = successes[index + 1];
      const until = Math.min(at + dayMs, next?.at ?? Number.POSITIVE_INFINITY);
      const found: Contradiction[] = [];
      if (next && rollbacks.has(next.deployment.id)) found.push('rollback');
      if (revertedAt.some((reverted) => reverted > at && reverted <= until)) found.push('revert_within_24h');
      if (found.length > 0) contradictions.set(deployment.id, found);
    }
  }
  return { rollbacks, contradictions };
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
      'Share of finished production deployments that failed, that the next success rolled back, or after which a ' +
      'revert was merged within 24 hours and before the next success.',
    needsAll: true,
    counts: (deployment) => isConclusiveIn(deployment, scope),
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
    counts: (deployment) => isConclusiveIn(deployment, scope),
    share: (each) => isRework(each, aftermath),
  });
}

/** Failed outright, or a success that something speaks against. */
export function isCorroboratedFailure(deployment: Deployment, { contradictions }: Aftermath): boolean {
  return !isSuccess(deployment) || contradictions.has(deployment.id);
}

export function isRework({ id, ref }: Deployment, { rollbacks }: Aftermath): boolean {
  return rollbacks.has(id) || isFixBranch(ref ?? '');
}

/** As `isRollback` without ancestry finds them, in one walk over the deployments of one environment. */
function rollbacksIn(deployments: readonly Deployment[]): number[] {
  const deployed = new Set<string>();
  const found: number[] = [];
  let previous: string | null = null;
  for (const each of deployments.toSorted((a, b) => a.createdAt - b.createdAt || a.id - b.id)) {
    if (previous !== null && previous !== each.sha && deployed.has(each.sha)) found.push(each.id);
    if (!isSuccess(each)) continue;
    deployed.add(each.sha);
    previous = each.sha;
  }
  return found;
}

function successesIn(deployments: readonly Deployment[]): { deployment: Deployment; at: Instant }[] {
  return deployments
    .flatMap((deployment) => {
      const { outcome, at } = getDeploymentResult(deployment);
      return outcome === 'success' && at !== null ? [{ deployment, at }] : [];
    })
    .sort((one, other) => one.at - other.at || one.deployment.id - other.deployment.id);
}
