import type { Context } from '../../access/context.ts';
import type { Freshness, Listing } from '../../codehost/client/client.ts';
import type { MergeQueue } from '../../codehost/delivery/merge-queue.ts';
import type { FactSet } from '../../facts/facts.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs, minuteMs, type Window } from '../../metrics/kernel/window.ts';
import { isSameConfiguration } from '../../metrics/merge-queue/configuration.ts';
import { findQueues, type QueueFacts, type QueueHistory, queueHistory } from '../../metrics/merge-queue/history.ts';
import { findTrains, type Trains } from '../../metrics/merge-queue/trains.ts';
import { type PolledQueue, readPolledQueue } from '../../store/polled-queues.ts';
import { ifReadable } from '../kernel/coverage.ts';
import type { RepositoryFacts } from '../repositories/facts.ts';
import { sampleQueue } from './demo.ts';
import { readDeployed } from './deployed.ts';

/** What was read of the queue of a branch. */
export interface QueueReading {
  /** Pull requests that ended. */
  set: FactSet<PullRequest>;
  /** Those that are open, as they were read. */
  open: Pick<Listing<PullRequest>, 'partial' | 'stale' | 'asOf'>;
  facts: QueueFacts;
  history: QueueHistory;
  /** By which deployments it reached production, as far as these are stored. */
  trains: Trains;
  /** From when on all runs are stored; null where none ever were. */
  runsFrom: Instant | null;
  /** Branches with a queue, the busiest first. */
  branches: string[];
  /** When its configuration changed last, as far as the service has seen. */
  changedAt: Instant | null;
  /** As it is now; null where it could not be read. */
  live: (LiveQueue & Freshness) | null;
  now: Instant;
}

/** `queue` is null where the branch has none. */
export interface LiveQueue {
  queue: MergeQueue | null;
  defaultBranch: string | null;
  isSupported: boolean;
}

/** The reading that all windows of a quarter share. */
const quarterMs = 92 * dayMs;

export interface QueueRequest {
  /** Without it the default branch, or the busiest where that has no queue. */
  branch: string | undefined;
  /** Of which window the jobs of builds are read, by when pull requests were read; null: of none. */
  jobsOf: ((asOf: Instant) => Window) | null;
}

/** Reads the queue of a branch. */
export async function readQueueOf(
  repositoryFacts: RepositoryFacts,
  { branch, jobsOf }: QueueRequest,
  context: Context,
): Promise<QueueReading> {
  const { read, codehost, repository, now } = repositoryFacts;
  const [set, open, current] = await Promise.all([
    read('pull_requests', { since: now - quarterMs, maxAgeMs: 5 * minuteMs }),
    codehost.pullRequests.open(repository),
    ifReadable(codehost.pullRequests.queue(repository, branch ?? null)),
  ]);
  const ended = new Set(set.items.map(({ number }) => number));
  // The list of open ones may be older: what has ended since is in both.
  const pullRequests = [...set.items, ...open.items.filter(({ number }) => !ended.has(number))];
  const stored = context.isDemo
    ? sampleQueue(repository, pullRequests, now)
    : await readStored({ pullRequests, repositoryId: repository.id, jobsOf: jobsOf?.(set.asOf) ?? null }, now, context);
  const { facts } = stored;
  const live = stored.queue ? { queue: stored.queue, ...inDemo, asOf: now } : current;
  const branches = findQueues(facts, now);
  const preferred = live?.defaultBranch ?? repository.defaultBranch ?? null;
  const chosen = branch ?? (live?.queue || branches.length === 0 ? preferred : pickBranch(branches, preferred));
  // Which branch is the busiest is known only now.
  const isAnother = branch === undefined && chosen !== preferred && chosen !== null;
  const history = queueHistory(facts, chosen ?? '', now);
  return {
    set,
    open,
    facts,
    history,
    trains: findTrains(history, facts.pullRequests, await readDeployed(repositoryFacts, chosen ?? '', context)),
    runsFrom: stored.runsFrom,
    branches: live?.queue && chosen !== null ? [...new Set([...branches, chosen])] : branches,
    live: isAnother ? await ifReadable(codehost.pullRequests.queue(repository, chosen)) : live,
    changedAt: findChange(live?.queue ?? null, chosen === stored.polled?.branch ? stored.polled : null, now),
    now,
  };
}

/** What differs from the last look has changed just now. */
function findChange(queue: MergeQueue | null, polled: PolledQueue | null, now: Instant): Instant | null {
  const [is, was] = [queue?.configuration ?? null, polled?.configuration ?? null];
  return is !== null && was !== null && !isSameConfiguration(is, was) ? now : (polled?.changedAt ?? null);
}

const inDemo = { defaultBranch: null, isSupported: true, stale: false };

const pickBranch = (branches: readonly string[], preferred: string | null): string | null =>
  preferred !== null && branches.includes(preferred) ? preferred : (branches[0] ?? preferred);

/** What is stored of the queues of a repository; `queue` is that of the sample organization now. */
export interface StoredQueue extends Pick<QueueReading, 'facts' | 'runsFrom'> {
  queue: MergeQueue | null;
  /** What looking at it has shown. */
  polled: PolledQueue | null;
}

interface Stored {
  pullRequests: readonly PullRequest[];
  repositoryId: number;
  jobsOf: Window | null;
}

async function readStored(
  { pullRequests, repositoryId, jobsOf }: Stored,
  now: Instant,
  { services: { store } }: Context,
): Promise<StoredQueue> {
  if (!store) return { facts: { pullRequests, notices: [], runs: [] }, queue: null, runsFrom: null, polled: null };
  const [notices, runs, [state]] = await Promise.all([
    store.mergeQueueNotices.list(repositoryId, now - quarterMs),
    store.mergeGroupRuns(repositoryId, now - quarterMs, jobsOf),
    store.runs.syncStates([repositoryId]),
  ]);
  const [runsFrom, polled] = state
    ? await Promise.all([store.runs.knownFrom(state.repoId), readPolledQueue(store, state.repoId, now)])
    : [null, null];
  return { facts: { pullRequests, notices, runs }, queue: null, runsFrom, polled };
}
