import type { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { toWire } from '../../domain/wire.ts';
import { peopleIn } from '../../identity/people.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { percent, roundTo } from '../../metrics/kernel/statistics.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import type { People } from '../../metrics/people/people.ts';
import { addDays } from '../../metrics/people/workday-hours.ts';
import { scopeHoursToMerge, scopeMerges } from '../../metrics/pull-requests/merges.ts';
import { computeRunFigures } from '../../metrics/runs/run-figures.ts';
import type { MergedOfRepositories } from '../../store/merged-pull-requests.ts';
import { sampleCi } from '../ci/demo.ts';
import { type CiScope, readScope } from '../ci/reading.ts';
import { type Comparison, findComparison, type Range } from '../kernel/period.ts';
import { activityOf, type RepositoryRunDay } from './activity.ts';
import type { ScopeOverview } from './schema.ts';

type Answer = z.input<typeof ScopeOverview>;

interface OverviewInput {
  org?: string | undefined;
  range: Range;
  compare: Comparison;
}

const historyDays = 90;

/** How a scope is doing, from stored facts alone. */
export async function scopeOverview({ org, range, compare }: OverviewInput, context: Context): Promise<Answer> {
  const scope = await readScope({ org }, range, context, (items) => sampleCi(items, context));
  const { source, repositories, calendar, period } = scope;
  const repoIds = [...repositories.keys()];
  const compared = findComparison(compare, period.window, calendar);
  const [storedFrom, syncedThrough] = await Promise.all([source.storedFrom(repoIds), source.syncedThrough(repoIds)]);
  const isStored = (id: number, from: Instant) => (storedFrom.get(id) ?? Number.POSITIVE_INFINITY) <= from;
  const isComparable = compared !== null && [...storedFrom.values()].every((from) => from <= compared.from);
  const [runs, merges, history] = await Promise.all([
    computeRuns(scope, isComparable ? compared : null),
    computeMerges(scope, compared, context),
    readHistory(scope, { storedFrom, syncedThrough }, context),
  ]);
  return {
    org: org ?? null,
    range,
    compare,
    window: period.window,
    comparison: compared,
    figures: { ...runs, ...merges },
    ...history,
    repos_included: repositories.size,
    repos_visible: scope.visible,
    synced_through: syncedThrough,
    partial: repoIds.length === 0 || !repoIds.every((id) => isStored(id, period.window.from)),
    timezone: calendar.timezone,
    generated_at: syncedThrough ?? period.window.to,
    data_source: 'database',
  };
}

async function computeRuns({ source, repositories, period }: CiScope, compared: Window | null) {
  const repoIds = [...repositories.keys()];
  const [tally, before] = await Promise.all([
    source.tally(repoIds, period.window),
    compared && source.tally(repoIds, compared),
  ]);
  const { failureRate, failureRateSample, failureRateChange, medianMs, durationSample, changePct } = computeRunFigures(
    tally.total,
    before?.total ?? null,
  );
  return toWire({
    failureRate,
    failedRuns: tally.total.failed,
    failureRateSample,
    failureRateChange,
    medianMs,
    durationSample,
    changePct,
  });
}

/** Merges are compared over the repositories that are known in both windows. */
async function computeMerges(scope: CiScope, compared: Window | null, context: Context) {
  const activity = activityOf(scope, context);
  const { window } = scope.period;
  const [now, earlier, people] = await Promise.all([
    activity.listMerges(window),
    compared && activity.listMerges(compared),
    peopleIn(context.services),
  ]);
  const figures = measureMerges(now, window, people);
  const isComparable = earlier !== null && earlier.complete.length === now.complete.length;
  const before = isComparable && compared ? measureMerges(earlier, compared, people) : null;
  return {
    prs_merged: figures.merged,
    prs_merged_before: before?.merged ?? null,
    median_hours_to_merge: figures.hours,
    median_hours_to_merge_before: before?.hours ?? null,
    merge_sample: figures.sample,
    repos_with_pull_requests: now.complete.length,
  };
}

function measureMerges({ complete, pullRequests }: MergedOfRepositories, window: Window, people: People) {
  const scope = { window, people };
  const hours = scopeHoursToMerge(scope)(pullRequests);
  return {
    merged: complete.length === 0 ? null : scopeMerges(scope)(pullRequests).value,
    hours: hours.value,
    sample: hours.sample,
  };
}

/** Every repository with the days that were read of it, the most failed runs first. */
async function readHistory(
  scope: CiScope,
  { storedFrom, syncedThrough }: { storedFrom: ReadonlyMap<number, Instant>; syncedThrough: Instant | null },
  context: Context,
): Promise<Pick<Answer, 'dates' | 'failure_rates' | 'repositories'>> {
  const { calendar, repositories } = scope;
  const now = context.services.clock.now();
  const from = calendar.getStart(addDays(calendar.getDay(now), 1 - historyDays));
  const dates = calendar.daysBetween(from, now);
  const counted = await activityOf(scope, context).listRunDays({ from, to: now });
  const byRepository = Map.groupBy(counted, ({ repoId }) => repoId);
  const lastRead = syncedThrough === null ? null : calendar.getDay(syncedThrough);
  const rows = [...repositories.values()].map(({ id, name }) => {
    const own = byRepository.get(id) ?? [];
    const byDate = new Map(own.map((one) => [one.date, one]));
    const firstRead = storedFrom.get(id);
    const isRead = (date: string) =>
      firstRead !== undefined && lastRead !== null && date >= calendar.getDay(firstRead) && date <= lastRead;
    return {
      repo: name,
      ...summarize(own),
      days: dates.map((date) => toDay(byDate.get(date) ?? null, isRead(date))),
    };
  });
  const byDate = Map.groupBy(counted, ({ date }) => date);
  const rates = dates.map((date) => summarize(byDate.get(date) ?? []).failure_rate);
  return {
    dates,
    failure_rates: rates,
    repositories: rows.sort((a, b) => b.failed - a.failed || a.repo.localeCompare(b.repo, 'en')),
  };
}

/** A day without runs was quiet where runs were read, else nothing is known of it. */
function toDay(day: RepositoryRunDay | null, isRead: boolean) {
  if (day) return { passed: day.success, failed: day.failure };
  return isRead ? { passed: 0, failed: 0 } : null;
}

function summarize(days: readonly RepositoryRunDay[]) {
  const sum = (pick: (day: RepositoryRunDay) => number) => days.reduce((total, day) => total + pick(day), 0);
  const [passed, failed] = [sum(({ success }) => success), sum(({ failure }) => failure)];
  const rate = percent(failed, passed + failed);
  return { runs: sum(({ total }) => total), passed, failed, failure_rate: rate === null ? null : roundTo(rate, 0) };
}
