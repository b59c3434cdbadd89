import type { MergeQueueEvent } from '../../../server/metrics/kernel/delivery-facts.ts';
import type { GroupRun } from '../../../server/metrics/merge-queue/builds.ts';
import type { MergeQueueNotice, QueuedPullRequest } from '../../../server/metrics/merge-queue/entries.ts';

/** A Monday. */
const day = Date.UTC(2026, 10, 23);
export const minute = 60_000;

/** An instant of that day, `10:30` or `10:30:04`. */
export function at(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return day + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

export const added = (time: string): MergeQueueEvent => ({
  kind: 'added',
  at: at(time),
  isByBot: false,
  reason: null,
  headSha: null,
});

export const removed = (time: string, reason: string | null, headSha: string | null = null): MergeQueueEvent => ({
  kind: 'removed',
  at: at(time),
  isByBot: false,
  reason,
  headSha,
});

/** What a webhook says of pull request 1. */
export const notice = (event: MergeQueueEvent, number = 1): MergeQueueNotice => ({
  ...event,
  number,
  baseBranch: 'main',
  headSha: 'head',
});

interface Parts {
  number?: number;
  events?: MergeQueueEvent[];
  mergedAt?: string;
  closedAt?: string;
  pushedAt?: string;
  mergeSha?: string;
  parentSha?: string;
}

export function pullRequest({ number = 1, events = [], ...parts }: Parts = {}): QueuedPullRequest {
  const mergedAt = parts.mergedAt === undefined ? null : at(parts.mergedAt);
  const closedAt = parts.closedAt === undefined ? mergedAt : at(parts.closedAt);
  return {
    number,
    baseBranch: 'main',
    state: mergedAt !== null ? 'merged' : closedAt !== null ? 'closed' : 'open',
    mergedAt,
    closedAt,
    headSha: 'head',
    clock: parts.pushedAt === undefined ? [] : [{ kind: 'pushed', at: at(parts.pushedAt), login: null }],
    mergeQueue: { events, mergeSha: parts.mergeSha ?? null, parentSha: parts.parentSha ?? null },
    htmlUrl: `https://codehost.test/octo/web/pull/${number}`,
  };
}

/** A run of a merge group that took so many minutes; null while it runs. */
export function groupRun(
  branch: string,
  time: string,
  minutes: number | null,
  parts: Partial<GroupRun> = {},
): GroupRun {
  const createdAt = at(time);
  return {
    id: createdAt,
    attempt: 1,
    number: 1,
    workflowName: 'CI',
    status: minutes === null ? 'in_progress' : 'completed',
    conclusion: minutes === null ? null : 'success',
    headBranch: branch,
    headSha: `head of ${branch}`,
    createdAt,
    startedAt: createdAt,
    completedAt: minutes === null ? null : createdAt + minutes * minute,
    htmlUrl: null,
    jobs: [],
    ...parts,
  };
}
