import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { counted } from '../../domain/quantity.ts';
import {
  type ForecastDay,
  forecastDefinition,
  forecastSpend,
  listKnownDays,
  maxForecastDays,
  minForecastDays,
  type SpendForecast,
} from '../../metrics/cost/spend-forecast.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { addDays, type Day } from '../../metrics/people/workday-hours.ts';
import { addSpend, type PricedDay, priceDays, sum, toCents } from '../ci/day-costs.ts';
import { type CiScope, readCosts } from '../ci/reading.ts';
import { isStored, type StoredWindows } from '../kernel/stored-coverage.ts';
import type { SpendReport } from './schema.ts';

type Forecast = Domain<typeof SpendReport>['forecast'];

/** The share of runs with job data below which a forecast would be one of the data, not of the cost. */
const minCoverage = 0.95;

/** A month with the days that its end is predicted from. */
export interface ForecastReading {
  /** `YYYY-MM` */
  month: string;
  spent: number | null;
  days: ForecastDay[];
  forecast: SpendForecast | null;
  /** Why there is no forecast. */
  missing: string | null;
  /** From the first day that is used. */
  window: Window;
}

/** How the running month ends, from the days before this one: whatever range is selected. */
export async function readForecast(
  scope: CiScope,
  { stored, now }: { stored: StoredWindows; now: Instant },
  context: Context,
): Promise<ForecastReading> {
  const { calendar, repositories } = scope;
  const today = calendar.getDay(now);
  const month = today.slice(0, 7);
  const firstOfMonth = `${month}-01`;
  const firstUsed = addDays(today, -maxForecastDays);
  const from = calendar.getStart(firstUsed < firstOfMonth ? firstUsed : firstOfMonth);
  const days = priceDays(await readCosts(scope, { from, to: now }), context);
  const costed = sum(days.map((one) => one.costed)) ?? 0;
  const completed = sum(days.map((one) => one.completed)) ?? 0;
  const byDate = new Map(days.map((one) => [one.date, one]));
  const spentOn = (dates: readonly string[]) => sum(dates.map((date) => byDate.get(date)?.spend.usd ?? null)) ?? 0;
  const inMonth = calendar.daysBetween(calendar.getStart(firstOfMonth), now);
  const past = calendar.daysBetween(calendar.getStart(firstUsed), now).filter((day) => day < today);
  const isRead = (window: Window) =>
    repositories.size > 0 && [...repositories.keys()].every((id) => isStored(stored.get(id), window, now));
  const isDayRead = (day: Day) => isRead({ from: calendar.getStart(day), to: calendar.getStart(addDays(day, 1)) - 1 });
  const soFar = {
    spentBefore: spentOn(inMonth.filter((day) => day < today)),
    spentToday: spentOn([today]),
    left: listDays(today, month),
  };
  const used = past.map((day) => ({ day, ...findCost(byDate.get(day), isDayRead(day)), month: soFar }));
  const forecast = forecastSpend(listKnownDays(used), soFar);
  const unknownJobs = sum(days.map(({ spend }) => spend.unknownJobs)) ?? 0;
  const missing = explainMissing({
    isWhole: isRead({ from, to: now }),
    costed,
    completed,
    unknownJobs,
    from: calendar.getDay(from),
  });
  return {
    month,
    spent: costed === 0 ? null : toCents(sumSpent(days.filter(({ date }) => inMonth.includes(date)))),
    days: used,
    forecast: missing === null ? forecast : null,
    missing: missing ?? (forecast === null ? `Needs ${minForecastDays} complete days.` : null),
    window: { from, to: now },
  };
}

/** The same in the shape of the answer. */
export const toForecast = ({ month, spent, days, forecast, missing }: ForecastReading): Forecast => ({
  month,
  spent,
  expected: forecast?.expected ?? null,
  low: forecast?.low ?? null,
  high: forecast?.high ?? null,
  sampleDays: listKnownDays(days).length,
  missing,
  definition: forecastDefinition,
});

/** What a day cost, or why that is not known. */
function findCost(priced: PricedDay | undefined, isRead: boolean): Pick<ForecastDay, 'usd' | 'unknown'> {
  if (!isRead) return { usd: null, unknown: 'unread' };
  if (!priced) return { usd: 0, unknown: null };
  const { usd } = priced.spend;
  if (usd !== null) return { usd, unknown: null };
  return { usd, unknown: priced.costed === 0 ? 'uncosted' : 'unpriced' };
}

/** null where runs completed and none of them has a known cost; without a run nothing was spent. */
const sumSpent = (days: readonly PricedDay[]): number | null =>
  days.some(({ completed }) => completed > 0) ? addSpend(days.map(({ spend }) => spend)).usd : 0;

interface Known {
  isWhole: boolean;
  costed: number;
  completed: number;
  unknownJobs: number;
  /** The first day that is used. */
  from: string;
}

function explainMissing({ isWhole, costed, completed, unknownJobs, from }: Known): string | null {
  if (completed === 0) return 'No completed runs.';
  if (costed < minCoverage * completed)
    return `Needs job data for ${100 * minCoverage} % of runs; ${Math.floor((100 * costed) / completed)} % have it.`;
  if (unknownJobs > 0) return `${counted(unknownJobs, 'jobs without a known price')} since ${from}.`;
  return isWhole ? null : `Not every run since ${from} is synced.`;
}

/** Today and the days after it in its month. */
function listDays(today: string, month: string): string[] {
  const days: string[] = [];
  for (let day = today; day.startsWith(month); day = addDays(day, 1)) days.push(day);
  return days;
}
