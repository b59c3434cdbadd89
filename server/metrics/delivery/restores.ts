import type { Deployment } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { type Metric, metric } from '../kernel/metric.ts';
import { mean, median } from '../kernel/statistics.ts';
import { tierLevels } from '../kernel/tiers.ts';
import { hourMs, inUnit, type Window } from '../kernel/window.ts';
import { areStatusesKnown, getDeploymentResult } from './deployments.ts';

/** A failure of an environment, with the success that ended it. */
export interface Outage {
  environment: string;
  /** The first failure of the streak. */
  failed: Deployment;
  failedAt: Instant;
  /** null while nothing succeeded since. */
  restored: Deployment | null;
  restoredAt: Instant | null;
}

/**
 * Streaks of failures per environment that ended in the window or were open at its end, oldest first; hand in all
 * deployments that are known, since a streak may have begun before. None of an environment with statuses of the window
 * that could not be read, as one of them may have begun or ended a streak; before it, what is behind such a one counts.
 */
export function findOutages(deployments: readonly Deployment[], window: Window): Outage[] {
  const known = deployments.filter(({ createdAt }) => createdAt <= window.to);
  return [...Map.groupBy(known, ({ environment }) => environment).values()]
    .map((own) => afterLastUnknown(own, window))
    .filter(areStatusesKnown)
    .flatMap(findEnvironmentOutages)
    .filter(({ restoredAt }) => restoredAt === null || restoredAt >= window.from)
    .map((outage) => ((outage.restoredAt ?? 0) > window.to ? reopened(outage) : outage))
    .sort((a, b) => a.failedAt - b.failedAt || a.failed.id - b.failed.id);
}

/** What was created behind the last deployment before the window whose statuses could not be read. */
function afterLastUnknown(deployments: readonly Deployment[], { from }: Window): Deployment[] {
  const unknown = deployments.filter((one) => one.createdAt < from && getDeploymentResult(one).outcome === null);
  const last = Math.max(...unknown.map(({ createdAt }) => createdAt));
  return deployments.filter(({ createdAt }) => createdAt > last);
}

/** As it was while its success had not come. */
const reopened = (outage: Outage): Outage => ({ ...outage, restored: null, restoredAt: null });

/** First failure of a streak to the next success, by `average`; streaks still open are excluded. */
export function timeToRestore(average: 'mean' | 'median' = 'mean'): Metric<Outage> {
  return metric({
    key: average === 'mean' ? 'mttr_hours' : 'mttr_median_hours',
    label: average === 'mean' ? 'Time to restore' : 'Median time to restore',
    unit: 'hours',
    better: 'lower',
    source: 'failures that were followed by a success',
    definition: `${average === 'mean' ? 'Mean' : 'Median'} time from the first failed deployment of a streak to the next successful one in the same environment. Streaks that are still open are excluded.`,
    levels: `Of production, by the median: ${tierLevels.restore}`,
    counts: ({ restoredAt }) => restoredAt !== null || 'not restored yet',
    value: (restored) => {
      const times = restored.flatMap(getRestoreTimes);
      const value = average === 'mean' ? mean(times) : median(times);
      return value === null ? null : inUnit(value, hourMs);
    },
  });
}

/** Milliseconds; none while it is open. */
export function getRestoreTimes({ failedAt, restoredAt }: Outage): number[] {
  return restoredAt === null ? [] : [restoredAt - failedAt];
}

function findEnvironmentOutages(deployments: readonly Deployment[]): Outage[] {
  const finished = deployments
    .flatMap((deployment) => {
      const { outcome, at } = getDeploymentResult(deployment);
      return at === null ? [] : [{ deployment, outcome, at }];
    })
    .sort((a, b) => a.at - b.at || a.deployment.id - b.deployment.id);
  const outages: Outage[] = [];
  let open: Outage | null = null;
  for (const { deployment, outcome, at } of finished) {
    if (outcome === 'failed' && open === null) {
      const { environment } = deployment;
      open = { environment, failed: deployment, failedAt: at, restored: null, restoredAt: null };
      outages.push(open);
    } else if (outcome === 'success' && open !== null) {
      open.restored = deployment;
      open.restoredAt = at;
      open = null;
    }
  }
  return outages;
}
