import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
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
  const daysOf = (priced: readonly PricedDay[], part: CiScope) => listDays(priced, part, [stored, syncedThrough]);
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
    rows: listRows(by, { scope, spend, costs, days }, context),
    days: daysOf(days, scope),
    daysBefore:
      comparison && costsBefore ? daysOf(priceDays(costsBefore, context), withWindow(scope, comparison)) : null,
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

/** Each day of the window. Between the first that is stored and the last synchronization one without runs cost nothing. */
function listDays(
  priced: readonly PricedDay[],
  { days: dates, window, calendar }: CiScope,
  [stored, syncedThrough]: [stored: StoredWindows, synced: Instant | null],
): Answer['days'] {
  const byDate = new Map(priced.map((one) => [one.date, one]));
  const begins = [...stored.values()].map(({ from }) => from);
  const first = begins.length === 0 ? null : calendar.getDay(Math.min(...begins));
  const last = syncedThrough === null ? null : calendar.getDay(syncedThrough);
  return dates.map((date) => {
    const one = byDate.get(date);
    const partial = isCut(date, window, calendar);
    if (one) {
      const { spend, costed, completed } = one;
      const [cost, wasted] = [toCents(spend.usd), toCents(spend.wastedUsd)];
      const sample = { costSample: costed, completedRuns: completed, unknownJobs: spend.unknownJobs };
      return { date, cost, wasted, ...sample, partial };
    }
    const quiet = first !== null && last !== null && date >= first && date <= last ? 0 : null;
    return { date, cost: quiet, wasted: quiet, costSample: 0, completedRuns: quiet, unknownJobs: 0, partial };
  });
}
