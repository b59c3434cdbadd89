import { hash } from 'node:crypto';
import type { MergeQueueEvent, PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { type RandomStream, randomStream } from '../../metrics/kernel/random-stream.ts';
import { minuteMs } from '../../metrics/kernel/window.ts';
import type { GroupRun } from '../../metrics/merge-queue/builds.ts';
import { type Batched, batchMerges } from './demo-batches.ts';
import { createRun } from './demo-runs.ts';
import type { StoredQueue } from './source.ts';

/** The repository of the sample organization whose main branch has a queue. */
const queueOf = 'tidewater-web';

/** The sample organization has no stored runs of merge groups: they are invented, for what it really merged. */
export function sampleQueue(
  { repo, htmlUrl }: Pick<Repository, 'repo' | 'htmlUrl'>,
  pullRequests: readonly PullRequest[],
  now: Instant,
): StoredQueue {
  if (repo !== queueOf)
    return { facts: { pullRequests, notices: [], runs: [] }, queue: null, runsFrom: 0, polled: null };
  const batched = batchMerges(pullRequests.filter(isQueued));
  const stories = pullRequests.map((one) => {
    const merge = batched.get(one.number);
    return merge ? tellMerge(merge, htmlUrl) : waitOrNot(one, now);
  });
  const waiting = stories.filter(({ enteredAt }) => enteredAt !== null);
  return {
    facts: {
      pullRequests: stories.map(({ pullRequest }) => pullRequest),
      notices: [],
      runs: stories.flatMap(({ runs }) => runs),
    },
    runsFrom: 0,
    polled: null,
    queue: {
      url: `${htmlUrl}/queue/main`,
      configuration: {
        checksTimeoutMinutes: 60,
        maxBuilds: 5,
        maxMerge: 5,
        minMerge: 1,
        minWaitMinutes: 5,
        strategy: 'allgreen',
        method: 'squash',
      },
      total: waiting.length,
      entries: waiting
        .sort((a, b) => (a.enteredAt ?? 0) - (b.enteredAt ?? 0))
        .map(({ pullRequest, enteredAt }, index) => ({
          number: pullRequest.number,
          title: pullRequest.title,
          htmlUrl: pullRequest.htmlUrl,
          position: index + 1,
          state: index === 0 ? 'awaiting_checks' : 'queued',
          enteredAt: enteredAt ?? now,
          estimatedAt: now + (18 + 4 * index) * minuteMs,
        })),
    },
  };
}

interface Story {
  pullRequest: PullRequest;
  runs: GroupRun[];
  /** When it entered the queue that it is in; null for others. */
  enteredAt: Instant | null;
}

const luckOf = ({ number }: PullRequest) => randomStream('merge queue', number);

/** Nine in ten were merged by the queue. */
const isQueued = (one: PullRequest): boolean => one.mergedAt !== null && luckOf(one)() >= 0.08;

/** One in eight was merged in a second attempt; behind an entry that failed, the others were built once more. */
function tellMerge({ pullRequest, mergedAt, mergeSha, parentSha, isRebuilt }: Batched, htmlUrl: string): Story {
  const random = luckOf(pullRequest);
  const checks = (9 + 7 * random()) * minuteMs;
  const begin = Math.min(pullRequest.mergedAt ?? mergedAt, mergedAt - (isRebuilt ? 12 * minuteMs : 0));
  const enteredAt = begin - checks - (1 + 14 * random()) * minuteMs;
  const events = [added(enteredAt), removed(mergedAt, 'merged', null)];
  const runs = [createRun({ pullRequest, htmlUrl, round: 2 }, mergedAt - checks, checks, 'success')];
  if (isRebuilt)
    runs.unshift(createRun({ pullRequest, htmlUrl, round: 1 }, enteredAt + minuteMs / 2, 6 * minuteMs, 'cancelled'));
  const failedAt = enteredAt - (20 + 60 * random()) * minuteMs;
  if (random() < 0.12 && failedAt - 30 * minuteMs > pullRequest.createdAt) {
    const isFlaky = random() < 0.61;
    const reason = isFlaky || random() < 0.6 ? 'failed_checks' : 'merge_conflict';
    const headSha = isFlaky ? pullRequest.headSha : hash('sha1', `before ${pullRequest.number}`);
    events.unshift(added(failedAt - 16 * minuteMs), removed(failedAt, reason, headSha));
    runs.unshift(createRun({ pullRequest, htmlUrl, round: 0 }, failedAt - 14 * minuteMs, 13 * minuteMs, 'failure'));
  }
  const merged = { ...pullRequest, mergedAt: toSecond(mergedAt), closedAt: toSecond(mergedAt) };
  return { pullRequest: { ...merged, mergeQueue: { events, mergeSha, parentSha } }, runs, enteredAt: null };
}

/** Of the open ones, those that were approved wait; what else was closed or merged was never in the queue. */
function waitOrNot(pullRequest: PullRequest, now: Instant): Story {
  const isApproved = pullRequest.reviews?.some(({ state }) => state === 'approved') ?? false;
  if (pullRequest.state !== 'open' || !isApproved || pullRequest.isDraft)
    return { pullRequest: withEvents(pullRequest, []), runs: [], enteredAt: null };
  const random: RandomStream = luckOf(pullRequest);
  const enteredAt = Math.floor((now - (3 + 20 * random()) * minuteMs) / 1000) * 1000;
  return { pullRequest: withEvents(pullRequest, [added(enteredAt)]), runs: [], enteredAt };
}

const withEvents = (pullRequest: PullRequest, events: MergeQueueEvent[]): PullRequest => ({
  ...pullRequest,
  mergeQueue: { events, mergeSha: null, parentSha: null },
});

const toSecond = (at: Instant) => Math.round(at / 1000) * 1000;

const added = (at: Instant): MergeQueueEvent => ({
  kind: 'added',
  at: toSecond(at),
  isByBot: false,
  reason: null,
  headSha: null,
});

const removed = (at: Instant, reason: string, headSha: string | null): MergeQueueEvent => ({
  kind: 'removed',
  at: toSecond(at),
  isByBot: false,
  reason,
  headSha,
});
