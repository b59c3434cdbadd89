import { randomUUID } from 'node:crypto';
import type { Platform } from '../codehost/changes/client.ts';
import { transient } from '../codehost/client/reader.ts';
import type { MergeQueue } from '../codehost/delivery/merge-queue.ts';
import { readOpenPullRequests, storeOpenPullRequests } from '../facts/open-pull-requests.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs, hourMs, minuteMs } from '../metrics/kernel/window.ts';
import { isSameConfiguration } from '../metrics/merge-queue/configuration.ts';
import { findEntries } from '../metrics/merge-queue/entries.ts';
import type { Clock } from '../platform/clock.ts';
import { Problem } from '../platform/problem.ts';
import type { Store } from '../store/orm.ts';
import { type PolledQueue, readPolledQueue, storePolledQueue } from '../store/polled-queues.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { syncPullRequests } from './pull-requests.ts';

export interface PollContext {
  store: Store;
  codehost: Platform;
  clock: Clock;
  /** How often it may be looked at; not more often than once a minute. */
  everyMs?: number;
  mayContinue(): boolean;
}

/** Just before a merge an entry can be gone already: only the second look counts, and not before. */
const apartMs = minuteMs;
/** A stay known from webhooks alone is believed so long; timelines of later ends are stored. */
const recentMs = 3 * dayMs;

/** What reading again did not show is not read again before. */
const retryMs = hourMs;

/** Where there is no queue, nobody asks again for so long. */
const withoutQueueMs = dayMs;

/**
 * Looks at the merge queue of the default branch. Where it differs from what is stored, as after a delivery that was lost,
 * pull requests are read again: their timelines tell what happened. An entry that is stored and not in the queue has to
 * be missing twice. Answers whether a request was sent to the platform.
 * @throws Problem when the token is rejected.
 */
export async function pollQueue(known: KnownRepository, context: PollContext): Promise<boolean> {
  const { store, clock } = context;
  const before = await readPolledQueue(store, known.id, clock.now());
  if (before && isRecent(before, clock.now(), context.everyMs)) return false;
  const seen = await look(known, context);
  if (!seen) return true;
  const { queue, branch } = seen;
  const { missing, unknown } = compare(queue, await listStored(known, branch, context));
  const lost = missing.filter((number) => before?.missing.includes(number));
  const wanted = [...lost, ...(await listLearnable(known, unknown, context))];
  const inVain = before?.inVain && before.inVain.at > clock.now() - retryMs ? before.inVain : null;
  const isDue = wanted.some((number) => !inVain?.numbers.includes(number));
  const isRead = isDue && (await readAgain(known, context));
  const after = isRead ? compare(queue, await listStored(known, branch, context)) : { missing, unknown };
  const left = new Set([...after.missing, ...after.unknown]);
  await storePolledQueue(store, known.id, {
    at: clock.now(),
    branch,
    hasQueue: queue !== null,
    ...noteConfiguration(queue, before, clock.now()),
    missing: after.missing,
    agrees: left.size === 0,
    inVain: isRead ? { numbers: wanted.filter((number) => left.has(number)), at: clock.now() } : inVain,
  });
  return true;
}

const isRecent = ({ at, hasQueue, missing }: PolledQueue, now: Instant, everyMs = apartMs): boolean =>
  // A second look decides what the first one missed.
  at > now - (missing.length > 0 ? apartMs : hasQueue ? everyMs : withoutQueueMs);

async function look({ owner, repo }: KnownRepository, { codehost }: PollContext) {
  try {
    const { queue, defaultBranch, stale } = await codehost.pullRequests.queue({ owner, repo }, null);
    return stale || defaultBranch === null ? null : { queue, branch: defaultBranch };
  } catch (error) {
    if (error instanceof Problem && error.code !== 'unauthenticated') return null;
    throw error;
  }
}

/** The numbers of those that are in the queue by what is stored. */
async function listStored(known: KnownRepository, branch: string, { store, clock }: PollContext): Promise<Set<number>> {
  const now = clock.now();
  const [open, ended, notices] = await Promise.all([
    readOpenPullRequests(known.id, store, now),
    store.facts.facts({ id: known.codehostId }, 'pull_requests', now - recentMs),
    store.mergeQueueNotices.list(known.codehostId, now - 48 * hourMs),
  ]);
  const numbers = new Set(ended.map(({ number }) => number));
  const pullRequests = [...ended, ...(open?.items ?? []).filter(({ number }) => !numbers.has(number))];
  const entries = findEntries(pullRequests, notices, now);
  return new Set(entries.flatMap((one) => (one.outcome === 'open' && one.branch === branch ? one.number : [])));
}

/** Of a queue that is longer than is read, what is not read is not missing. */
function compare(queue: MergeQueue | null, stored: ReadonlySet<number>): { missing: number[]; unknown: number[] } {
  const listed = new Set(queue?.entries.map(({ number }) => number));
  const isWhole = queue === null || queue.entries.length >= queue.total;
  return {
    missing: isWhole ? [...stored].filter((number) => !listed.has(number)) : [],
    unknown: [...listed].filter((number) => !stored.has(number)),
  };
}

/** Of more open pull requests than are read, those that were not read will not be read the next time either. */
async function listLearnable(
  known: KnownRepository,
  numbers: readonly number[],
  { store, clock }: PollContext,
): Promise<readonly number[]> {
  const open = numbers.length === 0 ? null : await readOpenPullRequests(known.id, store, clock.now());
  if (!open?.partial) return numbers;
  const read = new Set(open.items.map(({ number }) => number));
  return numbers.filter((number) => read.has(number));
}

/**
 * Reads those that are open, and those that ended since they were last read; false where another process does, or where
 * the platform gives nothing for now.
 */
async function readAgain(known: KnownRepository, context: PollContext): Promise<boolean> {
  const { store, codehost, clock, mayContinue } = context;
  const repository = await codehost.repositories.get(known);
  const isDone = await store.leases.hold(`facts:${known.id}`, randomUUID(), async (lost) => {
    const options = { store, codehost, clock, facts: store.facts, mayContinue: () => !lost.aborted && mayContinue() };
    const { problem } = await syncPullRequests(known.id, repository, options);
    const problems = [problem, await storeOpenPullRequests(known.id, repository, options)];
    return problems.every((one) => one === null || !transient.has(one.code));
  });
  return isDone ?? false;
}

type Configured = Pick<PolledQueue, 'configuration' | 'changedAt'>;

/** What could not be read is no change. */
function noteConfiguration(queue: MergeQueue | null, before: Configured | null, now: Instant): Configured {
  const configuration = queue?.configuration ?? before?.configuration ?? null;
  const isChanged =
    before?.configuration != null &&
    configuration !== null &&
    !isSameConfiguration(before.configuration, configuration);
  return { configuration, changedAt: isChanged ? now : (before?.changedAt ?? null) };
}
