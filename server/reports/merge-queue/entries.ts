import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { ReasonGroup } from '../../domain/queue-reasons.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { isWithin, type Window } from '../../metrics/kernel/window.ts';
import { findFirstEntry } from '../../metrics/merge-queue/attempts.ts';
import { batchFinder } from '../../metrics/merge-queue/batches.ts';
import type { Boarding } from '../../metrics/merge-queue/boarding.ts';
import { minutesOfChecks } from '../../metrics/merge-queue/checks.ts';
import { listFailedChecks, nameCheck } from '../../metrics/merge-queue/deciding-checks.ts';
import { minutesInQueue } from '../../metrics/merge-queue/entries.ts';
import type { QueueHistory, Stay } from '../../metrics/merge-queue/history.ts';
import { isEjection, isEjectionByChecks } from '../../metrics/merge-queue/reasons.ts';
import type { entryOutcomes, QueueEntries } from './entries-schema.ts';
import { type ListingInput, readListing } from './listing.ts';
import type { QueueReading } from './source.ts';

type Answer = Domain<typeof QueueEntries>;
type Outcome = (typeof entryOutcomes)[number];

export interface EntriesInput extends ListingInput {
  outcome?: Outcome | undefined;
  reason?: ReasonGroup | undefined;
  /** The name of a workflow, or of one of its jobs behind a slash. */
  check?: string | undefined;
  number?: number | undefined;
}

/** The entries of a merge queue that left it in a window, and those in it where the window reaches to now. */
export async function queueEntries(input: EntriesInput, context: Context, reply: Reply): Promise<Answer> {
  const { reading, window, about } = await readListing(input, { hasJobs: true }, context, reply);
  return { ...about, ...pageEntries(reading, { window, asOf: reading.set.asOf }, input) };
}

type Page = Pick<Answer, 'total' | 'entries' | 'nextCursor'>;
type PageInput = Omit<EntriesInput, 'owner' | 'repo' | 'branch' | 'days' | 'from' | 'to'>;

/** A page of the entries that match; those still in the queue are listed where the window reaches to the reading. */
export function pageEntries(
  { history, trains }: Pick<QueueReading, 'history' | 'trains'>,
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
    entries: page.map((stay) =>
      toRow(stay, { now: history.now, batchId: findBatch(stay), boarding: trains.ofEntry(stay) }),
    ),
    nextCursor: last && after.length > page.length ? toPlace(last).join('.') : null,
  };
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
  boarding: Boarding;
}

function toRow(stay: Stay, { now, batchId, boarding }: RowOptions): Answer['entries'][number] {
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
    deployedAt: typeof boarding === 'string' ? null : boarding.deployedAt,
    inferred: stay.isInferred,
    source: stay.source,
  };
}

const roundOrNull = (value: number | null) => (value === null ? null : roundTo(value, 1));
