import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs, type Window } from '../../metrics/kernel/window.ts';
import type { MergeQueueNotice } from '../../metrics/merge-queue/entries.ts';
import type { QueueHistory } from '../../metrics/merge-queue/history.ts';
import type { PolledQueue } from '../../store/polled-queues.ts';
import type { ScopeRepository } from '../ci/reading.ts';

/** All that any window needs, with what comes before it. */
export const readMs = 92 * dayMs;

/** How many are in a queue, and when that was so. */
interface KnownLength {
  value: number;
  asOf: Instant;
}

/** The queue of a branch as it is stored. */
export interface KnownQueue {
  history: QueueHistory;
  /** From when on all runs are stored; null where none ever were. */
  runsFrom: Instant | null;
  /** null where open pull requests were not read lately, or not all of them. */
  length: KnownLength | null;
}

export interface RepositoryQueues {
  repository: ScopeRepository;
  /** The window of which every pull request that ended is stored. */
  stored: Window | undefined;
  /** As the queue of its default branch was last looked at. */
  polled: PolledQueue | undefined;
  /** Pull requests that ended, in the window that is read of any repository with a queue. */
  ended: readonly PullRequest[];
  /** The busiest first; empty where none was seen. */
  queues: KnownQueue[];
}

interface Told {
  /** When open pull requests were read. */
  openAsOf: Instant;
  /** The oldest first. */
  notices: readonly Pick<MergeQueueNotice, 'baseBranch' | 'at'>[];
  polled: PolledQueue | undefined;
  now: Instant;
}

/**
 * When as many were in the queue of a branch as are stored. It is now where a webhook told of this branch since open pull
 * requests were read, as long as looking at the queue showed nothing that webhooks did not tell.
 */
export function findLengthAsOf(branch: string, { openAsOf, notices, polled, now }: Told): Instant {
  const toldAt = notices.findLast(({ baseBranch }) => baseBranch === branch)?.at ?? 0;
  const own = polled?.branch === branch ? polled : undefined;
  if (toldAt > openAsOf && own?.agrees !== false) return now;
  return Math.max(openAsOf, toldAt, own?.agrees ? own.at : 0);
}
