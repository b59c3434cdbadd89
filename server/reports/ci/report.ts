import type { Context } from '../../access/context.ts';
import { offers } from '../../access/decision.ts';
import { feature } from '../../access/rules.ts';
import type { Domain } from '../../api/wire.ts';
import { percent, roundTo } from '../../metrics/kernel/statistics.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { computeFlakyRate, computeRunFigures } from '../../metrics/runs/run-figures.ts';
import type { DayTally } from '../../store/workflow-figures.ts';
import { judgeDurations } from '../comparison/scope-durations.ts';
import { type Comparison, findComparison, isCut, type Range } from '../kernel/period.ts';
import {
  findMissing,
  findStoredFrom,
  isComparable,
  isReadInPart,
  isStored,
  readDays,
  type StoredWindows,
} from '../kernel/stored-coverage.ts';
import { toCost, totalCost } from './costs.ts';
import { type PricedDay, priceDays, toCents } from './day-costs.ts';
import { sampleCi } from './demo.ts';
import { type CiScope, keyOf, priceWorkflows, readCosts, readScope, readSpend, type ScopeInput } from './reading.ts';
import type { CiReport, durationDays, SortDirection, WorkflowSort } from './schema.ts';
import { isNamed, sortWorkflows, usualDirection } from './sorting.ts';

type Answer = Domain<typeof CiReport>;
export type WorkflowRow = Answer['workflows'][number];

export interface CiInput extends ScopeInput {
  range: Range;
  compare: Comparison;
  q?: string | undefined;
  sort: WorkflowSort;
  direction?: SortDirection | undefined;
  table: Answer['table'];
}

/** Costs are of another feature than the rest. */
export const mayReadCosts = async (context: Context): Promise<boolean> => offers(costs, context, await context.actor());

/** Every workflow of a scope, from stored runs and jobs alone. */
export async function ciReport(input: CiInput, context: Context): Promise<Answer> {
  const { org = null, repo = null, range, compare } = input;
  const scope = await readScope(input, range, context, (items) => sampleCi(items, context));
  const { source, repositories, calendar, window, dayCount: days } = scope;
  const repoIds = [...repositories.keys()];
  const wanted = findComparison(compare, window, calendar);
  const mayCost = await mayReadCosts(context);
  const [tally, before, flakiness, byDay, stored, syncedThrough] = await Promise.all([
    source.tally(repoIds, window),
    wanted && source.tally(repoIds, wanted),
    source.flakiness(repoIds, window),
    source.days(repoIds, window, calendar.timezone),
    source.storedWindows(repoIds),
    source.syncedThrough(repoIds),
  ]);
  const now = context.services.clock.now();
  const hasComparison = wanted !== null && isComparable(stored, [window, wanted], now);
  const durations = await judgeDurations({ scope, compared: hasComparison ? wanted : null, range, input }, context);
  const isUnread = tally.total.runs === 0 && !isReadInPart(stored, window);
  const missing = findMissing('runs', { stored, repoIds, now }, window);
  const costs = mayCost ? await readCosts(scope, window) : null;
  const spend = costs && priceWorkflows(scope, { tally, stored: costs.workflows, days }, context);
  const spendBefore =
    spend && before && hasComparison ? await readSpend(scope, { tally: before, window: wanted, days }, context) : null;
  const earlier = new Map(before?.workflows.map((one) => [keyOf(one), one]));
  const flaky = new Map(flakiness.map((one) => [keyOf(one), one]));
  const spendOf = new Map(spend?.map((one) => [one.key, one]));
  const spendBeforeOf = new Map(spendBefore?.map((one) => [one.key, one]));
  const rows = tally.workflows.map((one): WorkflowRow => {
    const key = keyOf(one);
    const {
      commits,
      flaky: flakyCommits,
      unread: rerunsUnread,
    } = flaky.get(key) ?? { commits: 0, flaky: 0, unread: 0 };
    const known = stored.get(one.repoId);
    const isWhole = isStored(known, window, now);
    const isCompared = wanted !== null && isWhole && isStored(known, wanted, now);
    const compared = isCompared ? (earlier.get(key) ?? null) : null;
    return {
      repo: repositories.get(one.repoId)?.name ?? '',
      workflowId: one.workflowId,
      workflow: one.workflow,
      ...computeRunFigures(one, compared),
      flakyRate: computeFlakyRate({ commits, flaky: flakyCommits }),
      flakyCommits,
      flakySample: commits,
      rerunsUnread,
      ...toCost(spendOf.get(key) ?? null, spendBeforeOf.get(key) ?? null, one.completed),
      partial: !isWhole,
      comparable: isCompared,
    };
  });
  const sort = !mayCost && (input.sort === 'cost' || input.sort === 'wasted') ? 'run_time' : input.sort;
  const direction = input.direction ?? usualDirection(sort);
  return {
    org,
    repo,
    range,
    compare,
    sort,
    direction,
    table: input.table,
    window,
    comparison: wanted,
    comparable: hasComparison,
    totals: {
      ...computeRunFigures(tally.total, hasComparison ? (before?.total ?? null) : null),
      ...durations,
      ...totalCost(spend, spendBefore, tally.total.completed),
      ...(isUnread && unread),
    },
    workflows: sortWorkflows(rows.filter(isNamed(input.q)), sort, direction),
    days: withCosts(byDay, { scope, stored }, costs && priceDays(costs, context)),
    daysBefore: hasComparison ? await readDaysBefore(scope, wanted, { stored }) : null,
    withheld: mayCost ? [] : [{ feature: 'costAnalytics', fields: [...costFields] }],
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

type Day = Domain<typeof durationDays>[number];

/** Days with what they cost: a day that was read and has no completed run cost nothing. null where cost is withheld. */
function withCosts(
  byDay: readonly DayTally[],
  { scope, stored }: { scope: CiScope; stored: StoredWindows },
  priced: readonly PricedDay[] | null,
): Answer['days'] {
  const tallies = new Map(byDay.map((one) => [one.date, one]));
  const byDate = new Map(priced?.map((one) => [one.date, one]));
  return toDays(byDay, scope, stored).map((day) => {
    const quiet = day.runs === null ? null : 0;
    const completedRuns = tallies.get(day.date)?.completed ?? quiet;
    const withheld = { cost: null, wasted: null, costSample: null, unknownJobs: null };
    if (priced === null) return { ...day, ...withheld, completedRuns };
    const { spend, costed } = byDate.get(day.date) ?? {
      spend: { usd: quiet, wastedUsd: quiet, unknownJobs: 0 },
      costed: 0,
    };
    const [cost, wasted] = [toCents(spend.usd), toCents(spend.wastedUsd)];
    return { ...day, cost, wasted, costSample: costed, completedRuns, unknownJobs: spend.unknownJobs };
  });
}

/** Counts of a window of which nothing was read. */
const unread = { runs: null, runTimeMs: null, failedRuns: null, cancelledRuns: null, completedRuns: null };

const costs = feature('costAnalytics');

const costFields = [
  'cost_per_month',
  'wasted_per_month',
  'cost_sample',
  'unknown_jobs',
  'cost_change_pct',
  'wasted_change_pct',
  'wasted_share',
  'cost',
  'wasted',
] as const;

/** The days of the window that a scope is compared with, of all of its runs or of one workflow. */
export async function readDaysBefore(
  scope: CiScope,
  window: Window,
  { stored }: { stored: StoredWindows },
  workflowId?: number,
): Promise<Day[]> {
  const { source, repositories, calendar } = scope;
  const tallies = await source.days([...repositories.keys()], window, calendar.timezone, workflowId);
  const days = calendar.daysBetween(window.from, window.to);
  return toDays(tallies, { ...scope, window, days }, stored);
}

/** A day without runs was quiet where it was read of every repository; elsewhere that is not known. */
export function toDays(byDay: readonly DayTally[], { calendar, window, days }: CiScope, stored: StoredWindows): Day[] {
  const tallies = new Map(byDay.map((one) => [one.date, one]));
  const isRead = readDays(stored, window, calendar);
  return days.map((date) => {
    const one = tallies.get(date);
    const quiet = isRead(date) ? 0 : null;
    const round = (value: number | null | undefined) => (value == null ? null : roundTo(value, 0));
    return {
      date,
      runs: one?.timed ?? quiet,
      medianMs: round(one?.medianMs),
      p90Ms: round(one?.p90Ms),
      failureRate: one ? round(percent(one.failed, one.passed + one.failed)) : null,
      queueWaitMs: round(one?.waitMs),
      runTimeMs: one?.runTimeMs ?? quiet,
      partial: (one !== undefined && !isRead(date)) || isCut(date, window, calendar),
    };
  });
}
