// What is left of the quota of the service's own token on the platform, as this process last heard.
import type { Instant } from '../metrics/kernel/facts.ts';
import { type Measured, measured, metricFamily } from '../platform/metric-family.ts';

const remaining = metricFamily({
  name: 'das_codehost_budget_remaining_ratio',
  type: 'gauge',
  unit: 'ratio',
  help: 'Share of the quota of `CODEHOST_TOKEN` that is left, as GitHub last reported it to this process; absent once renewed.',
  labels: ['token', 'api'],
});

const reset = metricFamily({
  name: 'das_codehost_budget_reset_timestamp_seconds',
  type: 'gauge',
  unit: 'seconds',
  help: 'When that quota is renewed, in Unix time.',
  labels: ['token', 'api'],
});

export const budgetFamilies = [remaining, reset] as const;

/** What the platform calls the budgets of its interfaces. */
const apis = { rest: 'core', graphql: 'graphql', search: 'search' } as const;

export interface BudgetLeft {
  limit: number;
  remaining: number;
  resetAt: Instant;
}

export function measureBudgets(budgets: ReadonlyMap<string, BudgetLeft>, now: Instant): Measured[] {
  const known = Object.entries(apis).flatMap(([api, resource]) => {
    const left = budgets.get(resource);
    return left && left.limit > 0 && now < left.resetAt ? [{ labels: { token: 'service', api }, left }] : [];
  });
  return [
    measured(
      remaining,
      known.map(({ labels, left }) => [labels, left.remaining / left.limit]),
    ),
    measured(
      reset,
      known.map(({ labels, left }) => [labels, left.resetAt / 1000]),
    ),
  ];
}
