import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { percent, roundTo } from '../../metrics/kernel/statistics.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { addDays } from '../../metrics/people/workday-hours.ts';
import { computeRunFigures } from '../../metrics/runs/run-figures.ts';
import { sampleCi } from '../ci/demo.ts';
import { type CiScope, readScope } from '../ci/reading.ts';
import { toDays } from '../ci/report.ts';
import { coverRuns } from '../ci/scope-coverage.ts';
import { judgeDurations } from '../comparison/scope-durations.ts';
import { type Comparison, findComparison, type Range } from '../kernel/period.ts';
import {
  findMissing,
  findStoredFrom,
  isComparable,
  isReadInPart,
  type StoredWindows,
} from '../kernel/stored-coverage.ts';
import { activityOf, type RepositoryRunDay } from './activity.ts';
import { readMerges } from './merges.ts';
import type { ScopeOverview } from './schema.ts';

type Answer = Domain<typeof ScopeOverview>;

interface OverviewInput {
  org?: string | undefined;
  range: Range;
  compare: Comparison;
}

const historyDays = 90;

/** How a scope is doing, from stored facts alone. */
export async function scopeOverview({ org, range, compare }: OverviewInput, context: Context): Promise<Answer> {
  const scope = await readScope({ org }, range, context, (items) => sampleCi(items, context));
  const { source, repositories, calendar, window } = scope;
  const repoIds = [...repositories.keys()];
  const compared = findComparison(compare, window, calendar);
  const now = context.services.clock.now();
  const [stored, syncedThrough] = await Promise.all([source.storedWindows(repoIds), source.syncedThrough(repoIds)]);
  const hasComparison = compared !== null && isComparable(stored, [window, compared], now);
  const question = { scope, compared: hasComparison ? compared : null, range, input: { org } };
  const [durations, runs, days, merges, history] = await Promise.all([
    judgeDurations(question, context),
    computeRuns(scope, stored, hasComparison ? compared : null),
    source.days(repoIds, window, calendar.timezone),
    readMerges(scope, { compared }, context),
    readHistory(scope, { stored, syncedThrough }, context),
  ]);
  const missing = [...findMissing('runs', { stored, repoIds, now }, window), ...merges.missing];
  return {
    org: org ?? null,
    range,
    compare,
    window,
    comparison: compared,
    comparable: hasComparison,
    figures: { ...runs, ...durations, ...merges.figures },
    durationDays: toDays(days, scope, stored),
    mergeDays: merges.days,
    ...history,
    reposIncluded: repositories.size,
    reposVisible: scope.visible,
    syncedFrom: findStoredFrom(stored),
    syncedThrough,
    runs: coverRuns(scope, { stored, window, now }),
    pullRequests: merges.repositories,
    pullRequestsFrom: findStoredFrom(merges.stored),
    pullRequestsThrough: merges.through,
    partial: missing.length > 0,
    partialReasons: missing,
    timezone: calendar.timezone,
    generatedAt: syncedThrough ?? window.to,
    dataSource: 'database',
  };
}

async function computeRuns({ source, repositories, window }: CiScope, stored: StoredWindows, compared: Window | null) {
  const repoIds = [...repositories.keys()];
  const [tally, before] = await Promise.all([
    source.tally(repoIds, window),
    compared && source.tally(repoIds, compared),
  ]);
  const isUnread = tally.total.runs === 0 && !isReadInPart(stored, window);
  const figures = computeRunFigures(tally.total, before?.total ?? null);
  return { ...figures, failedRuns: isUnread ? null : figures.failedRuns };
}

/** Every repository with the days that were read of it, the most failed runs first. */
async function readHistory(
  scope: CiScope,
  { stored, syncedThrough }: { stored: StoredWindows; syncedThrough: Instant | null },
  context: Context,
): Promise<Pick<Answer, 'dates' | 'failureRates' | 'repositories'>> {
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
    const firstRead = stored.get(id)?.from;
    const isRead = (date: string) =>
      firstRead !== undefined && lastRead !== null && date >= calendar.getDay(firstRead) && date <= lastRead;
    return {
      repo: name,
      ...summarize(own),
      days: dates.map((date) => toDay(byDate.get(date) ?? null, isRead(date))),
    };
  });
  const byDate = Map.groupBy(counted, ({ date }) => date);
  const rates = dates.map((date) => summarize(byDate.get(date) ?? []).failureRate);
  return {
    dates,
    failureRates: rates,
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
  return { runs: sum(({ total }) => total), passed, failed, failureRate: rate === null ? null : roundTo(rate, 0) };
}
