import { hash } from 'node:crypto';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { randomStream } from '../../metrics/kernel/random-stream.ts';
import { minuteMs, secondMs } from '../../metrics/kernel/window.ts';

/** A merged pull request of the sample queue, with the push in which it reached the branch. */
export interface Batched {
  pullRequest: PullRequest;
  mergedAt: Instant;
  mergeSha: string;
  parentSha: string;
  /** An entry before it in the group failed, so that its checks began anew. */
  isRebuilt: boolean;
}

/** Merges so close to one another went together, at most as many as the queue merges at once. */
const togetherMs = 60 * minuteMs;
const maxMerge = 5;

/** By number: merges within an hour reach the branch with the last of them, each following the one before. */
export function batchMerges(merged: readonly PullRequest[]): ReadonlyMap<number, Batched> {
  const groups: PullRequest[][] = [];
  for (const one of merged.toSorted((a, b) => endOf(a) - endOf(b) || a.number - b.number)) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group && first && group.length < maxMerge && endOf(one) - endOf(first) <= togetherMs) group.push(one);
    else groups.push([one]);
  }
  return new Map(groups.flatMap((group) => toBatch(group).map((one) => [one.pullRequest.number, one])));
}

function toBatch(group: readonly PullRequest[]): Batched[] {
  const last = Math.max(...group.map(endOf));
  const [first] = group;
  const isRebuilt = group.length > 1 && randomStream('merge queue batch', first?.number ?? 0)() < 0.4;
  return group.map((pullRequest, index) => ({
    pullRequest,
    mergedAt: last - (group.length - 1 - index) * 2 * secondMs,
    mergeSha: toSha(pullRequest),
    parentSha: index === 0 ? hash('sha1', `before ${toSha(pullRequest)}`) : toSha(group[index - 1] ?? pullRequest),
    isRebuilt: isRebuilt && index > 0,
  }));
}

const endOf = ({ mergedAt }: PullRequest): Instant => mergedAt ?? 0;
const toSha = ({ number }: PullRequest): string => hash('sha1', `merge of ${number}`);
