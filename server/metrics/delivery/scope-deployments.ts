import type { Deployment } from '../kernel/delivery-facts.ts';
import { countMetric, type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { median } from '../kernel/statistics.ts';
import { dayMs, hourMs, inUnit } from '../kernel/window.ts';
import { getDeploymentResult, isSuccess } from './deployments.ts';
import { getRestoreTimes, type Outage } from './restores.ts';

/** A deployment of the window, with what its repository calls production. */
export interface ScopeDeployment {
  deployment: Deployment;
  /** null where that is not known. */
  production: string | null;
  /** How much of the window was read. */
  coveredMs: number;
}

/** Deployments to production in all repositories of a scope, whatever they came to. */
export const scopeDeployments: Metric<ScopeDeployment> = countMetric({
  key: 'scope_deployments',
  label: 'Deployments',
  source: 'production deployments',
  definition: 'Deployments to production of each repository of the scope created in 30 days, with any outcome.',
  counts: isToProduction,
});

/** Successes per day: of each repository in the days that were read of it, together. */
export const scopeDeploysPerDay: Metric<ScopeDeployment> = metric({
  key: 'scope_deploys_per_day',
  label: 'Deployment frequency',
  unit: 'per_day',
  better: 'higher',
  source: 'finished production deployments',
  definition: 'Successful deployments to production of all repositories of the scope, per day.',
  needsAll: true,
  counts: isFinished,
  value(finished) {
    const successes = finished.filter(({ deployment }) => isSuccess(deployment));
    const byCovered = Map.groupBy(successes, ({ coveredMs }) => coveredMs);
    return [...byCovered].reduce((sum, [coveredMs, { length }]) => sum + (length * dayMs) / Math.max(1, coveredMs), 0);
  },
});

/** Failed ÷ finished, over all repositories of a scope. */
export const scopeFailureRate: Metric<ScopeDeployment> = metric({
  key: 'scope_deployment_failure_rate',
  label: 'Change failure rate',
  unit: 'percent',
  better: 'lower',
  source: 'finished production deployments',
  definition: 'Share of finished deployments to production of all repositories of the scope that failed.',
  needsAll: true,
  counts: isFinished,
  share: ({ deployment }) => !isSuccess(deployment),
});

/** First failure of a streak to the next success, over all repositories of a scope. */
export const scopeTimeToRestore: Metric<Outage> = metric({
  key: 'scope_time_to_restore',
  label: 'Median time to restore',
  unit: 'hours',
  better: 'lower',
  source: 'failures that were followed by a success',
  definition:
    'Median time from the first failed deployment of a streak to the next successful one in production of the same repository. Streaks that are still open are excluded.',
  counts: ({ restoredAt }) => restoredAt !== null || 'not restored yet',
  value: (restored) => {
    const value = median(restored.flatMap(getRestoreTimes));
    return value === null ? null : inUnit(value, hourMs);
  },
});

function isToProduction({ deployment, production }: ScopeDeployment): Verdict {
  return deployment.environment === production || 'in another environment';
}

function isFinished(one: ScopeDeployment): Verdict {
  const isCounted = isToProduction(one);
  if (isCounted !== true) return isCounted;
  const { outcome } = getDeploymentResult(one.deployment);
  if (outcome === null) return { unknown: 'its statuses could not be read' };
  return outcome !== 'inconclusive' || 'neither succeeded nor failed yet';
}
