import type { Instant } from '../kernel/facts.ts';
import { dayMs } from '../kernel/window.ts';
import { type Batch, findBatches } from './batches.ts';
import { findBuilds, type GroupBuild, type GroupRun } from './builds.ts';
import { type Entry, findEntries, type MergeQueueNotice, type QueuedPullRequest } from './entries.ts';

/** What is stored of the merge queues of a repository. */
export interface QueueFacts {
  pullRequests: readonly QueuedPullRequest[];
  notices: readonly MergeQueueNotice[];
  runs: readonly GroupRun[];
}

/** A stay in a queue with what was built for it, and the stays of the same pull request before it. */
export interface Stay extends Entry {
  /** The builds of its number while it was in the queue, oldest first. */
  builds: GroupBuild[];
  /** All stays up to this one that are not weeks apart, oldest first; itself the last. */
  attempts: Entry[];
  /** Its pull request was merged later with the head that was removed; null where that is not known. */
  isMergedUnchanged: boolean | null;
}

/** What happened in one queue. */
export interface QueueHistory {
  branch: string;
  /** By the begin of the stay. */
  stays: Stay[];
  batches: Batch[];
  builds: GroupBuild[];
  /** Merged into the branch, through the queue or not. */
  merged: QueuedPullRequest[];
  now: Instant;
}

/** Stays of a pull request that are further apart are of different attempts to merge it. */
const chainMs = 14 * dayMs;

/** The branches that have a queue, the busiest first. */
export function findQueues(facts: QueueFacts, now: Instant): string[] {
  const entries = findEntries(facts.pullRequests, facts.notices, now).map(({ branch }) => branch);
  const builds = findBuilds(facts.runs).flatMap(({ branch }) => branch ?? []);
  const counts = Map.groupBy([...entries, ...builds], (branch) => branch);
  return [...counts]
    .sort(([one, a], [other, b]) => b.length - a.length || (one < other ? -1 : 1))
    .map(([branch]) => branch);
}

/** What happened in the queue of a branch. */
export function queueHistory(facts: QueueFacts, branch: string, now: Instant): QueueHistory {
  const entries = findEntries(facts.pullRequests, facts.notices, now).filter((one) => one.branch === branch);
  const builds = findBuilds(facts.runs).filter((one) => one.branch === branch);
  const buildsOf = Map.groupBy(builds, ({ number }) => number);
  const entriesOf = Map.groupBy(entries, ({ number }) => number);
  const pullRequests = new Map(facts.pullRequests.map((one) => [one.number, one]));
  const groupHeads = new Set(builds.map(({ headSha }) => headSha));
  // The commit of a merge group says nothing of the head of the pull request.
  const withHead = (entry: Entry): Entry =>
    entry.headSha !== null && groupHeads.has(entry.headSha) ? { ...entry, headSha: null } : entry;
  const toStay = (entry: Entry): Stay => ({
    ...entry,
    builds: (buildsOf.get(entry.number) ?? []).filter(({ createdAt }) => isDuring(createdAt, entry)),
    attempts: findAttempts(entry, entriesOf.get(entry.number) ?? []),
    isMergedUnchanged: findMergedUnchanged(entry, pullRequests.get(entry.number)),
  });
  return {
    branch,
    stays: entries
      .map(withHead)
      .map(toStay)
      .sort((a, b) => startOf(a) - startOf(b) || a.number - b.number),
    batches: findBatches(entries),
    builds,
    merged: facts.pullRequests.filter(({ state, baseBranch }) => state === 'merged' && baseBranch === branch),
    now,
  };
}

const startOf = ({ enteredAt, leftAt }: Entry): Instant => enteredAt ?? leftAt ?? 0;

const isDuring = (instant: Instant, { enteredAt, leftAt }: Entry): boolean =>
  enteredAt !== null && instant >= enteredAt && instant <= (leftAt ?? Number.POSITIVE_INFINITY);

function findAttempts(entry: Entry, all: readonly Entry[]): Entry[] {
  const attempts: Entry[] = [];
  for (const one of all) {
    if (startOf(one) > startOf(entry)) break;
    const before = attempts.at(-1);
    const isApart = before && startOf(one) - (before.leftAt ?? startOf(before)) > chainMs;
    // What was merged is no attempt of a later merge.
    if (isApart || before?.outcome === 'merged') attempts.length = 0;
    attempts.push(one);
  }
  return attempts;
}

function findMergedUnchanged({ headSha, leftAt, outcome }: Entry, pullRequest: QueuedPullRequest | undefined) {
  if (outcome !== 'removed' || !pullRequest) return null;
  if (pullRequest.mergedAt === null || pullRequest.mergedAt < (leftAt ?? 0)) return false;
  return headSha === null || pullRequest.headSha === null ? null : headSha === pullRequest.headSha;
}
