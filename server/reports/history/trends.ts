import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { roundTo, percent as toPercent } from '../../metrics/kernel/statistics.ts';
import { staleAfterMs } from '../../metrics/kernel/window.ts';
import { addDays, type Calendar, type Day, getQuarter } from '../../metrics/people/workday-hours.ts';
import type { Coverage as Known } from '../../store/trends.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { instant } from '../kernel/instants.ts';
import { noteCanonicalName } from '../kernel/notes.ts';
import { type Comparison, findComparedDays, findPeriod, type Range } from '../kernel/period.ts';
import { listVisibleRepositories, visibleRepository } from '../repositories/visibility.ts';
import { type HistorySource, readHistory } from './source.ts';

const count = z.int().nullable();
const ms = z.int().nullable();
const percent = z.number().nullable();

const fromSteps = 'Of completed runs, cancelled ones included; within 2.5 %, as durations are counted in steps of 5 %.';

const Coverage = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  synced_through: instant.nullable(),
  first_run_at: instant.nullable(),
  partial: z.boolean().meta({ description: 'true while something of the window has not been read.' }),
  repos_included: z.int(),
  timezone: z.string(),
});

const Daily = z.object({
  date: z.iso.date(),
  total: count.meta({ description: 'Runs created that day; null for a day that was not read.' }),
  success: count,
  failure: count.meta({ description: 'failure, timed_out and startup_failure.' }),
  cancelled: count,
  other: count,
  success_rate: percent,
  avg_duration_ms: ms,
  avg_queue_ms: ms,
  median_duration_ms: ms.meta({ description: fromSteps }),
  p90_duration_ms: ms.meta({ description: fromSteps }),
  p95_duration_ms: ms,
});

const Quarterly = z.object({
  quarter: z.string(),
  year: z.int(),
  quarter_num: z.int(),
  total: count,
  success: count,
  failure: count,
  success_rate: percent,
  avg_duration_ms: ms,
  median_duration_ms: ms.meta({ description: fromSteps }),
  p90_duration_ms: ms.meta({ description: fromSteps }),
  partial: z.boolean().meta({ description: 'The running quarter, or one in which the data begins or ends.' }),
});

export const Trends = z
  .discriminatedUnion('type', [
    z.object({
      type: z.enum(['daily', 'org']),
      data: z.array(Daily),
      compared: z.array(Daily).nullable().meta({
        description: 'As many days that `data` is compared with, in the same order; null where `compare` is off.',
      }),
      coverage: Coverage,
    }),
    z.object({ type: z.literal('quarterly'), data: z.array(Quarterly), coverage: Coverage }),
  ])
  .meta({ id: 'Trends' });

interface TrendsInput {
  owner: string;
  repo?: string | undefined;
  type: 'daily' | 'quarterly' | 'org';
  days: number;
  range?: Range | undefined;
  compare: Comparison;
  quarters: number;
}

/** Trends of a repository, or of the tracked repositories of an owner that the caller's token can see. */
export async function trends(input: TrendsInput, context: Context, reply: Reply): Promise<Domain<typeof Trends>> {
  const source = await readHistory(context);
  const calendar = await teamCalendar(context);
  const repoIds = await includedRepositories(input, context, source);
  if (input.repo) noteCanonicalName(reply, await context.codehost(), { owner: input.owner, repo: input.repo });
  const scope: Scope = { repoIds, calendar, now: context.services.clock.now() };
  return input.type === 'quarterly'
    ? quarterly(input.quarters, scope, source)
    : daily(input.type, input, scope, source);
}

interface Scope {
  repoIds: number[];
  calendar: Calendar;
  now: Instant;
}

async function includedRepositories(
  { owner, repo, type }: TrendsInput,
  context: Context,
  { repositories }: HistorySource,
): Promise<number[]> {
  if (type !== 'org' && repo) {
    const known = await repositories.find(await visibleRepository({ owner, repo }, context));
    return known ? [known.id] : [];
  }
  const [visible, tracked] = await Promise.all([listVisibleRepositories(owner, context), repositories.tracked(owner)]);
  const seen = new Set(visible.items.map(({ id }) => id));
  return tracked.filter(({ codehostId }) => seen.has(codehostId)).map((row) => row.id);
}

async function daily(
  type: 'daily' | 'org',
  { days, range, compare }: Pick<TrendsInput, 'days' | 'range' | 'compare'>,
  scope: Scope,
  source: HistorySource,
) {
  const { repoIds, calendar, now } = scope;
  const dates = range === undefined ? calendar.lastDays(days, now) : findPeriod(range, calendar, now).days;
  const comparedDates = findComparedDays(compare, dates);
  const known = await source.trends.coverage(repoIds);
  const [data, compared] = await Promise.all([
    readDays(dates, known, scope, source),
    comparedDates && readDays(comparedDates, known, scope, source),
  ]);
  return { type, data, compared, coverage: coverage(toWindow(dates), known, scope) };
}

const toWindow = (dates: readonly Day[]) => ({ from: dates[0] as Day, to: dates.at(-1) as Day });

async function readDays(dates: readonly Day[], known: Known, { repoIds, calendar }: Scope, source: HistorySource) {
  const rows = await source.trends.daily(repoIds, { ...toWindow(dates), timezone: calendar.timezone });
  const byDate = new Map(rows.map((row) => [row.date, row]));
  const { knownDay, lastDay } = findKnownDays(known, calendar);
  return dates.map((date) => {
    // What is stored of other days, by webhooks or of other repositories, is a part of them.
    const isOutside = (knownDay !== null && date < knownDay) || (lastDay !== null && date > lastDay);
    const row = isOutside ? undefined : byDate.get(date);
    if (!row) return { ...emptyDay, date, ...(isCovered(date, known, calendar) ? noRuns : notRead) };
    return { ...row, successRate: rate(row.success, row.failure) };
  });
}

/** Passed of passed and failed, in percent with at most two decimals. */
function rate(success: number, failure: number): number | null {
  const value = toPercent(success, success + failure);
  return value === null ? null : roundTo(value, 2);
}

const emptyDay = {
  successRate: null,
  avgDurationMs: null,
  avgQueueMs: null,
  medianDurationMs: null,
  p90DurationMs: null,
  p95DurationMs: null,
};
const noRuns = { total: 0, success: 0, failure: 0, cancelled: 0, other: 0 };
const notRead = { total: null, success: null, failure: null, cancelled: null, other: null };

/** The days from which on, and up to which, something is known; null where that is not bounded. */
function findKnownDays({ someKnownFrom, syncedThrough }: Known, { getDay }: Calendar) {
  const toDay = (at: Instant | null) => (at === null ? null : getDay(at));
  return { knownDay: toDay(someKnownFrom), lastDay: toDay(syncedThrough) };
}

/** The first day that has runs or, without any, is known to have had none. */
function findFirstDay({ firstRunAt, someKnownFrom }: Known, { getDay }: Calendar): Day | null {
  return firstRunAt === null ? null : getDay(Math.max(firstRunAt, someKnownFrom ?? firstRunAt));
}

/** Between the first run and the watermark a day without runs was quiet; elsewhere nothing is known of it. */
function isCovered(date: Day, known: Known, calendar: Calendar): boolean {
  const firstDay = findFirstDay(known, calendar);
  if (firstDay === null || known.syncedThrough === null) return false;
  return date >= firstDay && date <= calendar.getDay(known.syncedThrough);
}

/** Whether at the begin of this day not every repository is known. */
const isBeforeKnown = (day: Day, { allKnownFrom }: Known, { getStart }: Calendar): boolean =>
  allKnownFrom !== null && getStart(day) < allKnownFrom;

async function quarterly(count: number, scope: Scope, source: HistorySource) {
  const { repoIds, calendar, now } = scope;
  const today = calendar.getDay(now);
  const quarters = lastQuarters(count, today);
  const window = { from: quarters[0]?.from ?? today, to: today };
  const [known, rows] = await Promise.all([
    source.trends.coverage(repoIds),
    source.trends.quarterly(repoIds, { ...window, timezone: calendar.timezone }),
  ]);
  const firstDay = findFirstDay(known, calendar);
  const { knownDay } = findKnownDays(known, calendar);
  const lastDay = known.syncedThrough === null ? today : calendar.getDay(known.syncedThrough);
  const data = quarters.map(({ year, quarter, from, to }) => {
    const isOutside = from > lastDay || (knownDay !== null && to < knownDay);
    const row = isOutside ? undefined : rows.find((one) => one.year === year && one.quarter === quarter);
    const begins = (firstDay !== null && firstDay > from && firstDay <= to) || isBeforeKnown(from, known, calendar);
    const read = firstDay !== null && firstDay <= to && from <= lastDay;
    return {
      quarter: `Q${quarter} ${year}`,
      year,
      quarterNum: quarter,
      total: row?.total ?? (read ? 0 : null),
      success: row?.success ?? (read ? 0 : null),
      failure: row?.failure ?? (read ? 0 : null),
      successRate: row ? rate(row.success, row.failure) : null,
      avgDurationMs: row?.avgDurationMs ?? null,
      medianDurationMs: row?.medianDurationMs ?? null,
      p90DurationMs: row?.p90DurationMs ?? null,
      partial: to >= today || to > lastDay || begins,
    };
  });
  return { type: 'quarterly' as const, data, coverage: coverage(window, known, scope) };
}

/** The quarters that end with the running one, oldest first. */
function lastQuarters(count: number, today: Day) {
  const quarters = [completeQuarter(today)];
  while (quarters.length < count) quarters.unshift(completeQuarter(addDays(quarters[0]?.from ?? today, -1)));
  return quarters;
}

function completeQuarter(day: Day) {
  const { year, quarter, firstDay: from } = getQuarter(day);
  return { year, quarter, from, to: addDays(getQuarter(addDays(from, 100)).firstDay, -1) };
}

function coverage(window: { from: Day; to: Day }, known: Known, { repoIds, calendar, now }: Scope) {
  const { syncedThrough, firstRunAt } = known;
  const isBehind = syncedThrough === null || syncedThrough < now - staleAfterMs;
  return {
    ...window,
    syncedThrough,
    firstRunAt,
    partial: known.partial || isBehind || isBeforeKnown(window.from, known, calendar),
    reposIncluded: repoIds.length,
    timezone: calendar.timezone,
  };
}
