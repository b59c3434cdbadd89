import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Measurement } from '../../metrics/kernel/metric.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { isLowSample, percent, roundTo } from '../../metrics/kernel/statistics.ts';
import {
  dayMs,
  hourMs,
  isWithin,
  lastDaysWindow,
  minuteMs,
  type Window,
  windowBefore,
} from '../../metrics/kernel/window.ts';
import { bucketQueue, type QueueBucket } from '../../metrics/merge-queue/buckets.ts';
import { type GroupRun, latestAttempts } from '../../metrics/merge-queue/builds.ts';
import { decidingChecks, ejectingChecks } from '../../metrics/merge-queue/deciding-checks.ts';
import { type EtaModel, learnEta } from '../../metrics/merge-queue/eta.ts';
import type { QueueHistory } from '../../metrics/merge-queue/history.ts';
import { countBatchSizes, countReasons, measureQueue } from '../../metrics/merge-queue/summary.ts';
import { measureTrains, type TrainScope } from '../../metrics/merge-queue/trains.ts';
import { addDays, type Calendar } from '../../metrics/people/workday-hours.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { type CoverageReason, toCoverage } from '../kernel/coverage.ts';
import { noteFreshness, noteListing } from '../kernel/notes.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { measurePresentLength } from './present-length.ts';
import type { MergeQueueReport } from './schema.ts';
import { type QueueReading, readQueueOf } from './source.ts';

type Answer = Domain<typeof MergeQueueReport>;

export interface QueueInput extends RepositoryName {
  branch?: string | undefined;
  days: number;
}

/** What waits in the merge queue of a branch, and how it fared in the last days. */
export async function mergeQueueReport(
  { branch, days, ...name }: QueueInput,
  context: Context,
  reply: Reply,
): Promise<Answer> {
  const facts = await repositoryFacts(name, context, reply);
  const jobsOf = (asOf: Instant) => lastDaysWindow(days, asOf);
  const [reading, calendar] = await Promise.all([
    readQueueOf(facts, { branch, jobsOf }, context),
    teamCalendar(context),
  ]);
  const { history, runsFrom, trains, live, set, branches } = reading;
  const window = lastDaysWindow(days, set.asOf);
  const scope = { history, window, runsFrom, trains };
  const used = isUsed(reading);
  const pullRequestsUnread = countUnread(reading, window);
  const coverage = toQueueCoverage(reading, used && pullRequestsUnread > 0);
  noteListing(reply, { ...set, partial: !coverage.complete });
  noteFreshness(reply, reading.open);
  if (live) noteFreshness(reply, live);
  const model = learnEta(history.stays, reading.now, { changedAt: reading.changedAt });
  const earlier = windowBefore(window, set.asOf - 92 * dayMs);
  return {
    supported: live?.isSupported ?? true,
    used,
    kind: 'platform',
    branch: history.branch || null,
    branches,
    url: live?.queue?.url || null,
    config: live?.queue?.configuration ?? null,
    ...presentPart(reading, model),
    figures: used ? toFigures({ ...measureAll(scope), queueLength: measurePresentLength(reading, scope) }) : null,
    previous:
      used && earlier && countUnread(reading, earlier) === 0
        ? toFigures(measureAll({ ...scope, window: earlier }))
        : null,
    reasons: withShares(countReasons(scope)),
    batchSizes: countBatchSizes(scope),
    ...bucketPart(history, { days, window, calendar, isUsed: used }),
    slowestChecks: decidingChecks(scope),
    topFailingChecks: ejectingChecks(scope),
    estimates: { judged: model.judged, coveredPct: roundOrNull(model.coveredPct) },
    windowDays: days,
    runsStored: history.builds.length > 0,
    pullRequestsUnread,
    coverage,
    generatedAt: live ? Math.min(live.asOf, set.asOf) : set.asOf,
    dataSource: set.source,
  };
}

/** Whether the branch has a queue, or had one that is known of. */
export const isUsed = ({ live, branches, history }: QueueReading): boolean =>
  Boolean(live?.queue) || branches.includes(history.branch);

/** How many pull requests that ended in the window were read without what happened to them in a queue. */
export const countUnread = ({ set }: QueueReading, window: Window): number =>
  set.items.filter(
    ({ mergedAt, closedAt, mergeQueue }) => mergeQueue === null && isWithin(mergedAt ?? closedAt, window),
  ).length;

/** `isUnread`: of some pull requests it was not read whether they were in a queue. */
export function toQueueCoverage({ set, open, live }: QueueReading, isUnread: boolean) {
  const reasons = new Set<CoverageReason>();
  if (set.partial) reasons.add(set.capped ? 'search_cap' : 'upstream_truncated');
  if (open.partial || isUnread) reasons.add('upstream_truncated');
  if (open.stale || !live) reasons.add('sub_fetch_failed');
  return toCoverage({ read: set.items.length, reasons: [...reasons] });
}

const roundOrNull = (value: number | null) => (value === null ? null : roundTo(value, 0));

const toFigure = ({ value, sample }: Measurement) => ({ value, sample, lowSample: isLowSample(sample) });

const measureAll = (scope: TrainScope) => ({ ...measureQueue(scope), ...measureTrains(scope) });

const toFigures = (measured: ReturnType<typeof measureAll>) =>
  Object.fromEntries(Object.entries(measured).map(([key, one]) => [key, toFigure(one)])) as NonNullable<
    Answer['figures']
  >;

/** What is in the queue now. */
function presentPart({ live, history, now }: QueueReading, model: EtaModel): Pick<Answer, 'now' | 'entries'> {
  if (!live) return { now: null, entries: [] };
  const entries = live.queue?.entries ?? [];
  const listed = new Set(entries.map(({ number }) => number));
  const count = (state: (typeof entries)[number]['state']) => entries.filter((one) => one.state === state).length;
  const age = (enteredAt: number) => roundTo(Math.max(0, now - enteredAt) / minuteMs, 1);
  return {
    now: {
      length: live.queue?.total ?? 0,
      byState: {
        queued: count('queued'),
        awaitingChecks: count('awaiting_checks'),
        mergeable: count('mergeable'),
        unmergeable: count('unmergeable'),
        locked: count('locked'),
      },
      oldestMinutes: entries.length === 0 ? null : Math.max(...entries.map(({ enteredAt }) => age(enteredAt))),
      pausedHint: model.isStalled,
      asOf: live.asOf,
    },
    entries: entries.map(({ number, htmlUrl, title, position, state, enteredAt, estimatedAt }) => ({
      number,
      htmlUrl,
      title,
      position,
      state,
      enteredAt,
      minutes: age(enteredAt),
      ahead: position - 1,
      ...readEta(model.estimate({ enteredAt, ahead: position - 1 + countGone(history, listed, enteredAt) })),
      platformEta: estimatedAt,
      checks: readChecks(history, number, enteredAt),
    })),
  };
}

/** Those that were ahead when it entered, and are gone, also where that is not stored yet. */
const countGone = ({ stays }: QueueHistory, listed: ReadonlySet<number>, at: Instant): number =>
  stays.filter(({ number, enteredAt, leftAt }) => {
    if (enteredAt === null || enteredAt >= at) return false;
    return leftAt === null ? !listed.has(number) : leftAt > at;
  }).length;

function readEta(found: ReturnType<EtaModel['estimate']>): Pick<Answer['entries'][number], 'eta' | 'etaReason'> {
  if (typeof found === 'string') return { eta: null, etaReason: found };
  const { chancePct, chanceInterval, at, low, high } = found;
  const interval = { low: roundTo(chanceInterval.low, 0), high: roundTo(chanceInterval.high, 0) };
  const band = { at: Math.round(at), low: Math.round(low), high: Math.round(high) };
  return { eta: { ...band, chancePct: roundTo(chancePct, 0), chanceInterval: interval }, etaReason: null };
}

/** Of the newest build of a number since it entered the queue: how many runs failed, and one of these, else the last. */
function readChecks({ builds }: QueueHistory, number: number, enteredAt: number) {
  const build = builds.findLast((one) => one.number === number && one.createdAt >= enteredAt);
  const latest = build ? latestAttempts(build.runs) : [];
  const failed = latest.filter((one) => getOutcome(one) === 'fail');
  const run = failed.at(-1) ?? latest.at(-1);
  return {
    run: run ? toRun(run) : null,
    failedSoFar: failed.length,
  };
}

const toRun = ({ workflowName, startedAt, ...run }: GroupRun) => ({
  id: run.id,
  attempt: run.attempt,
  number: run.number,
  workflow: workflowName,
  event: 'merge_group',
  headBranch: run.headBranch,
  headSha: run.headSha,
  startedAt,
  htmlUrl: run.htmlUrl,
});

function withShares(reasons: ReturnType<typeof countReasons>): Answer['reasons'] {
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  return reasons.map((one) => ({ ...one, sharePct: roundTo(percent(one.count, total) ?? 0, 1) }));
}

interface BucketOptions {
  days: number;
  window: Window;
  calendar: Calendar;
  isUsed: boolean;
}

/** By hour over a week, by day over more. */
function bucketPart(
  { stays, now }: QueueHistory,
  { days, window, calendar, isUsed }: BucketOptions,
): Pick<Answer, 'hours' | 'days'> {
  if (!isUsed) return { hours: [], days: [] };
  const toPart = ({ from: _, lengthMean, ...rest }: QueueBucket) => ({
    ...rest,
    lengthMean: lengthMean === null ? null : roundTo(lengthMean, 2),
  });
  if (days === 7) {
    const first = Math.floor(window.from / hourMs) * hourMs;
    const count = Math.ceil((window.to - first) / hourMs);
    const starts = Array.from({ length: count }, (_, index) => first + index * hourMs);
    const spans = starts.map((from) => ({ from: Math.max(from, window.from), to: from + hourMs }));
    const buckets = bucketQueue(stays, spans, now);
    return { hours: buckets.map((one, index) => ({ hour: starts[index] ?? one.from, ...toPart(one) })), days: [] };
  }
  const listed = calendar.daysBetween(window.from, window.to);
  const spans = listed.map((day) => ({
    from: Math.max(calendar.getStart(day), window.from),
    to: calendar.getStart(addDays(day, 1)),
  }));
  const buckets = bucketQueue(stays, spans, now);
  return { hours: [], days: buckets.map((one, index) => ({ day: listed[index] ?? '', ...toPart(one) })) };
}
