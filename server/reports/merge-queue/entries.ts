import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { ReasonGroup } from '../../domain/queue-reasons.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { dayMs, isWithin, type Window } from '../../metrics/kernel/window.ts';
import { findFirstEntry } from '../../metrics/merge-queue/attempts.ts';
import { batchFinder } from '../../metrics/merge-queue/batches.ts';
import { minutesOfChecks } from '../../metrics/merge-queue/checks.ts';
import { listFailedChecks, nameCheck } from '../../metrics/merge-queue/deciding-checks.ts';
import { minutesInQueue } from '../../metrics/merge-queue/entries.ts';
import type { QueueHistory, Stay } from '../../metrics/merge-queue/history.ts';
import { isEjection, isEjectionByChecks } from '../../metrics/merge-queue/reasons.ts';
import { invalidRequest } from '../../platform/problem.ts';
import { toEnd, toStart } from '../kernel/moments.ts';
import { noteFreshness, noteListing } from '../kernel/notes.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import type { entryOutcomes, QueueEntries } from './entries-schema.ts';
import { countUnread, isUsed, toQueueCoverage } from './report.ts';
import { readQueueOf } from './source.ts';

type Answer = Domain<typeof QueueEntries>;
type Outcome = (typeof entryOutcomes)[number];

export interface EntriesInput extends RepositoryName {
  branch?: string | undefined;
  days: number;
  from?: string | undefined;
  to?: string | undefined;
  outcome?: Outcome | undefined;
  reason?: ReasonGroup | undefined;
  /** The name of a workflow, or of one of its jobs behind a slash. */
  check?: string | undefined;
  number?: number | undefined;
  /** What an answer gave as the begin of the next page. */
  cursor?: string | undefined;
  limit: number;
}

/** The entries of a merge queue that left it in a window, and those in it where the window reaches to now. */
export async function queueEntries(input: EntriesInput, context: Context, reply: Reply): Promise<Answer> {
  assertSpan(input, context.services.clock.now());
  const facts = await repositoryFacts(input, context, reply);
  const reading = await readQueueOf(facts, input.branch, context);
  const { history, set, live, open, branches } = reading;
  const window = toWindow(input, set.asOf);
  const unread = countUnread(reading, window);
  const used = isUsed(reading);
  const coverage = toQueueCoverage(reading, used && unread > 0);
  noteListing(reply, { ...set, partial: !coverage.complete });
  noteFreshness(reply, open);
  if (live) noteFreshness(reply, live);
  return {
    used,
    branch: history.branch || null,
    branches,
    window,
    ...pageEntries(history, { window, asOf: set.asOf }, input),
    pullRequestsUnread: unread,
    coverage,
    generatedAt: live ? Math.min(live.asOf, set.asOf) : set.asOf,
    dataSource: set.source,
  };
}

type Page = Pick<Answer, 'total' | 'entries' | 'nextCursor'>;
type PageInput = Omit<EntriesInput, 'owner' | 'repo' | 'branch' | 'days' | 'from' | 'to'>;

/** A page of the entries that match; those still in the queue are listed where the window reaches to the reading. */
export function pageEntries(
  history: QueueHistory,
  { window, asOf }: { window: Window; asOf: Instant },
  input: PageInput,
): Page {
  const matching = listStays(history, window, asOf).filter((stay) => matches(stay, input));
  const after = input.cursor === undefined ? matching : matching.filter(isAfter(input.cursor));
  const page = after.slice(0, input.limit);
  const last = page.at(-1);
  const findBatch = batchFinder(history.batches);
  return {
    total: matching.length,
    entries: page.map((stay) => toRow(stay, { now: history.now, batchId: findBatch(stay) })),
    nextCursor: last && after.length > page.length ? toPlace(last).join('.') : null,
  };
}

/** So far back queues are read. */
const keptMs = 90 * dayMs;

/** Rejects a span of which nothing is read: an empty answer would say that nothing happened. */
function assertSpan({ from, to }: EntriesInput, now: Instant): void {
  const refuse = (field: string, message: string) =>
    invalidRequest([{ field, reason: 'invalid', message: `${field} ${message}.` }]);
  const [begin, end] = [toStart(from), toEnd(to)];
  if (begin !== null && begin > now) throw refuse('from', 'lies in the future');
  if (end !== null && end < now - keptMs) throw refuse('to', 'lies more than 90 days back');
  if (begin !== null && end !== null && begin > end) throw refuse('to', 'lies before from');
}

/** What is older than is read is cut off, and the answer has the window. */
function toWindow({ from, to, days }: EntriesInput, asOf: Instant): Window {
  const end = Math.min(toEnd(to) ?? asOf, asOf);
  return { from: Math.max(toStart(from) ?? end - days * dayMs, asOf - keptMs), to: end };
}

/** In the order of pages. */
const listStays = ({ stays }: QueueHistory, window: Window, asOf: Instant): Stay[] =>
  stays
    .filter(({ leftAt }) => (leftAt === null ? window.to >= asOf : isWithin(leftAt, window)))
    .sort((a, b) => comparePlaces(toPlace(a), toPlace(b)));

/** Where an entry stands: whether it left, when it last changed, its pull request, and when it entered. */
type Place = readonly [number, number, number, number];

const toPlace = ({ leftAt, enteredAt, number }: Stay): Place => [
  leftAt === null ? 0 : 1,
  leftAt ?? enteredAt ?? 0,
  number,
  enteredAt ?? 0,
];

/** Those in the queue first; of either the newest, and of one instant the highest number. */
function comparePlaces([aLeft, ...a]: Place, [bLeft, ...b]: Place): number {
  if (aLeft !== bLeft) return aLeft - bLeft;
  const differing = a.findIndex((part, index) => part !== b[index]);
  return differing < 0 ? 0 : (b[differing] ?? 0) - (a[differing] ?? 0);
}

function isAfter(cursor: string): (stay: Stay) => boolean {
  const [left = 0, at = 0, number = 0, entered = 0] = cursor.split('.').map(Number);
  return (stay) => comparePlaces([left, at, number, entered], toPlace(stay)) < 0;
}

function toOutcome({ outcome, group }: Stay): Outcome {
  if (outcome !== 'removed') return outcome;
  return isEjection(group) ? 'ejected' : 'removed';
}

function matches(stay: Stay, { outcome, reason, number, check }: PageInput): boolean {
  if (outcome !== undefined && toOutcome(stay) !== outcome) return false;
  if (reason !== undefined && stay.group !== reason) return false;
  if (number !== undefined && stay.number !== number) return false;
  return check === undefined || failedChecksOf(stay).includes(check);
}

/** As the table of workflows that ejected pull requests counts them. */
const failedChecksOf = (stay: Stay): string[] =>
  isEjectionByChecks(stay.group) ? listFailedChecks(stay).map(nameCheck) : [];

interface RowOptions {
  now: Instant;
  batchId: string | null;
}

function toRow(stay: Stay, { now, batchId }: RowOptions): Answer['entries'][number] {
  const { enteredAt, builds } = stay;
  return {
    number: stay.number,
    htmlUrl: stay.htmlUrl,
    enteredAt,
    leftAt: stay.leftAt,
    outcome: toOutcome(stay),
    reason: stay.reason,
    group: stay.group,
    minutes: roundOrNull(minutesInQueue({ enteredAt, leftAt: stay.leftAt ?? now })),
    attempts: stay.attempts.length,
    firstEnteredAt: findFirstEntry(stay),
    checksRounds: builds.length === 0 ? null : builds.length,
    checksMinutes: roundOrNull(minutesOfChecks(stay)),
    failedChecks: failedChecksOf(stay),
    mergedUnchanged: stay.isMergedUnchanged,
    batchId,
    mergeSha: stay.mergeSha,
    inferred: stay.isInferred,
    source: stay.source,
  };
}

const roundOrNull = (value: number | null) => (value === null ? null : roundTo(value, 1));
