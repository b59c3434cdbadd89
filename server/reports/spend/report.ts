import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { hasName } from '../../domain/name-filter.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { totalCost } from '../ci/costs.ts';
import { type PricedDay, priceDays, toCents } from '../ci/day-costs.ts';
import { sampleCi } from '../ci/demo.ts';
import { type CiScope, priceWorkflows, readCosts, readScope, type ScopeInput } from '../ci/reading.ts';
import { type Comparison, findComparison, isCut, type Range } from '../kernel/period.ts';
import {
  findMissing,
  findStoredFrom,
  isComparable,
  isReadInPart,
  readDays,
  type StoredWindows,
} from '../kernel/stored-coverage.ts';
import { readForecast, toForecast } from './forecast.ts';
import { listRows } from './rows.ts';
import type { SpendGroup, SpendReport } from './schema.ts';

type Answer = Domain<typeof SpendReport>;

export interface SpendInput extends ScopeInput {
  range: Range;
  compare: Comparison;
  by: SpendGroup;
  q?: string | undefined;
}

/** What CI of a scope costs, from stored jobs alone. */
export async function spendReport(input: SpendInput, context: Context): Promise<Answer> {
  const { org = null, repo = null, range, compare, by } = input;
  const scope = await readScope(input, range, context, (items) => sampleCi(items, context));
  const { source, repositories, calendar, window, dayCount } = scope;
  const repoIds = [...repositories.keys()];
  const comparison = findComparison(compare, window, calendar);
  const [tally, before, costs, stored, syncedThrough] = await Promise.all([
    source.tally(repoIds, window),
    comparison && source.tally(repoIds, comparison),
    readCosts(scope, window),
    source.storedWindows(repoIds),
    source.syncedThrough(repoIds),
  ]);
  const now = context.services.clock.now();
  const missing = findMissing('runs', { stored, repoIds, now }, window);
  const isUnread = tally.total.runs === 0 && !isReadInPart(stored, window);
  const spend = priceWorkflows(scope, { tally, stored: costs.workflows, days: dayCount }, context);
  const hasComparison = comparison !== null && isComparable(stored, [window, comparison], now);
  const costsBefore = hasComparison ? await readCosts(scope, comparison) : null;
  const spendBefore =
    before && costsBefore
      ? priceWorkflows(scope, { tally: before, stored: costsBefore.workflows, days: dayCount }, context)
      : null;
  const isRead = readDays(stored, window, calendar);
  const days = priceDays(costs, context);
  const { costSample, unknownJobs, ...totals } = totalCost(spend, spendBefore, tally.total.completed);
  return {
    org,
    repo,
    range,
    compare,
    by,
    window,
    comparison,
    comparable: hasComparison,
    totals: {
      ...totals,
      costSample: costSample ?? 0,
      unknownJobs: unknownJobs ?? 0,
      ...(isUnread && { completedRuns: null }),
    },
    forecast: toForecast(await readForecast(scope, { stored, now }, context)),
    rows: listRows(
      by,
      { scope, spend, costs, days, isPartial: (day) => !isRead(day) || isCut(day, window, calendar) },
      context,
    ).filter(({ name, repo: rowRepo }) => hasName([name, rowRepo], input.q)),
    days: listDays(days, scope, stored),
    daysBefore:
      comparison && costsBefore
        ? listDays(priceDays(costsBefore, context), withWindow(scope, comparison), stored)
        : null,
    reposIncluded: repositories.size,
    reposVisible: scope.visible,
    syncedFrom: findStoredFrom(stored),
    syncedThrough,
    partial: missing.length > 0,
    partialReasons: missing,
    timezone: calendar.timezone,
    generatedAt: syncedThrough ?? window.to,
    dataSource: 'database',
  };
}

const withWindow = (scope: CiScope, window: Window): CiScope => ({
  ...scope,
  window,
  days: scope.calendar.daysBetween(window.from, window.to),
});

/** Each day of the window. One without runs cost nothing where it was read of every repository. */
function listDays(priced: readonly PricedDay[], scope: CiScope, stored: StoredWindows): Answer['days'] {
  const byDate = new Map(priced.map((one) => [one.date, one]));
  const { days, window, calendar } = scope;
  const isRead = readDays(stored, window, calendar);
  return days.map((date) => {
    const one = byDate.get(date);
    const partial = (one !== undefined && !isRead(date)) || isCut(date, window, calendar);
    if (one) {
      const { spend, costed, completed } = one;
      const [cost, wasted] = [toCents(spend.usd), toCents(spend.wastedUsd)];
      const sample = { costSample: costed, completedRuns: completed, unknownJobs: spend.unknownJobs };
      return { date, cost, wasted, ...sample, partial };
    }
    const quiet = isRead(date) ? 0 : null;
    return { date, cost: quiet, wasted: quiet, costSample: 0, completedRuns: quiet, unknownJobs: 0, partial };
  });
}
