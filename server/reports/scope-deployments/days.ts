import type { Domain } from '../../api/wire.ts';
import { coveredWindow, getDeploymentResult } from '../../metrics/delivery/deployments.ts';
import { scopeDeployments } from '../../metrics/delivery/scope-deployments.ts';
import type { Deployment } from '../../metrics/kernel/delivery-facts.ts';
import { lastDaysWindow, type Window } from '../../metrics/kernel/window.ts';
import { addDays, type Calendar, type Day } from '../../metrics/people/workday-hours.ts';
import { type Deployments, deploymentDays } from '../deployments/facts.ts';
import { isCut } from '../kernel/period.ts';
import { listDeployments, type RepositoryDeployments } from './reading.ts';
import type { ScopeDeployments } from './schema.ts';

type Days = Domain<typeof ScopeDeployments>['days'];

/**
 * The days of 30 × 24 hours up to the newest end of the windows; nothing is known of one that was not read of every
 * repository.
 */
export function listDays(
  counted: readonly RepositoryDeployments[],
  getWindow: (known: Deployments) => Window | null,
  calendar: Calendar,
): Days {
  const reads = counted.flatMap((one) => {
    const own = one.known && getWindow(one.known);
    if (!one.known || !own) return [];
    const { counted: toProduction } = scopeDeployments.evidence(listDeployments(one, own));
    return [{ covered: coveredWindow({ ...one.known.scope, window: own, environment: '' }), toProduction }];
  });
  if (reads.length === 0) return [];
  const window = lastDaysWindow(deploymentDays, Math.max(...reads.map(({ covered }) => covered.to)));
  const deployments = reads.flatMap(({ toProduction }) => toProduction.map(({ deployment }) => deployment));
  const byDay = Map.groupBy(deployments, ({ createdAt }) => calendar.getDay(createdAt));
  const isRead = (date: Day) => {
    const [start, end] = [calendar.getStart(date), calendar.getStart(addDays(date, 1)) - 1];
    return reads.every(({ covered }) => covered.from <= end && covered.to >= start);
  };
  return calendar.daysBetween(window.from, window.to).map((date) => ({
    date,
    ...(isRead(date) ? countOutcomes(byDay.get(date) ?? []) : unread),
    partial: reads.some(({ covered }) => isCut(date, covered, calendar)),
  }));
}

const unread = { deployments: null, success: null, failed: null };

function countOutcomes(deployments: readonly Deployment[]) {
  const outcomes = deployments.map((one) => getDeploymentResult(one).outcome);
  const count = (outcome: 'success' | 'failed') =>
    outcomes.includes(null) ? null : outcomes.filter((one) => one === outcome).length;
  return { deployments: deployments.length, success: count('success'), failed: count('failed') };
}
