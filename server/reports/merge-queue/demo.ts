import { hash } from 'node:crypto';
import type { MergeQueueEvent, PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { type RandomStream, randomStream } from '../../metrics/kernel/random-stream.ts';
import { minuteMs } from '../../metrics/kernel/window.ts';
import type { GroupRun } from '../../metrics/merge-queue/builds.ts';
import type { StoredQueue } from './source.ts';

/** The repository of the sample organization whose main branch has a queue. */
const queueOf = 'tidewater-web';

/** The sample organization has no stored runs of merge groups: they are invented, for what it really merged. */
export function sampleQueue(
  { repo, htmlUrl }: Pick<Repository, 'repo' | 'htmlUrl'>,
  pullRequests: readonly PullRequest[],
  now: Instant,
): StoredQueue {
  if (repo !== queueOf) return { facts: { pullRequests, notices: [], runs: [] }, queue: null, runsFrom: 0 };
  const stories = pullRequests.map((one) => tell(one, htmlUrl, now));
  const waiting = stories.filter(({ enteredAt }) => enteredAt !== null);
  return {
    facts: {
      pullRequests: stories.map(({ pullRequest }) => pullRequest),
      notices: [],
      runs: stories.flatMap(({ runs }) => runs),
    },
    runsFrom: 0,
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

/** What became of a pull request in the queue: nine in ten were merged by it, one in eight in a second attempt. */
function tell(pullRequest: PullRequest, htmlUrl: string, now: Instant): Story {
  const random = randomStream('merge queue', pullRequest.number);
  const { mergedAt, createdAt } = pullRequest;
  if (pullRequest.state === 'open') return waitOrNot(pullRequest, random, now);
  if (mergedAt === null || random() < 0.08)
    return { pullRequest: withEvents(pullRequest, []), runs: [], enteredAt: null };
  const checks = (9 + 7 * random()) * minuteMs;
  const enteredAt = mergedAt - checks - random() * 14 * minuteMs;
  const events = [added(enteredAt), removed(mergedAt, 'merged', null)];
  const runs = [createRun({ pullRequest, htmlUrl, round: 2 }, mergedAt - checks, checks, 'success')];
  const failedAt = enteredAt - (20 + 60 * random()) * minuteMs;
  if (random() < 0.12 && failedAt - 30 * minuteMs > createdAt) {
    const isFlaky = random() < 0.61;
    const reason = isFlaky || random() < 0.6 ? 'failed_checks' : 'merge_conflict';
    const headSha = isFlaky ? pullRequest.headSha : hash('sha1', `before ${pullRequest.number}`);
    events.unshift(added(failedAt - 16 * minuteMs), removed(failedAt, reason, headSha));
    runs.unshift(createRun({ pullRequest, htmlUrl, round: 0 }, failedAt - 14 * minuteMs, 13 * minuteMs, 'failure'));
  }
  return { pullRequest: withEvents(pullRequest, events), runs, enteredAt: null };
}

/** Three of the approved ones wait. */
function waitOrNot(pullRequest: PullRequest, random: RandomStream, now: Instant): Story {
  const isApproved = pullRequest.reviews?.some(({ state }) => state === 'approved') ?? false;
  if (!isApproved || pullRequest.isDraft)
    return { pullRequest: withEvents(pullRequest, []), runs: [], enteredAt: null };
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

interface RunOf {
  pullRequest: PullRequest;
  htmlUrl: string;
  /** Of its builds. */
  round: number;
}

function createRun(
  { pullRequest: { number }, htmlUrl, round }: RunOf,
  createdAt: Instant,
  lasts: number,
  conclusion: 'success' | 'failure',
): GroupRun {
  const id = 90_000_000 + number * 10 + round;
  const baseSha = hash('sha1', `base ${id}`);
  const startedAt = toSecond(createdAt);
  return {
    id,
    attempt: 1,
    number,
    workflowName: 'CI',
    status: 'completed',
    conclusion,
    headBranch: `gh-readonly-queue/main/pr-${number}-${baseSha}`,
    headSha: hash('sha1', `head ${id}`),
    createdAt: startedAt,
    startedAt,
    completedAt: toSecond(createdAt + lasts),
    htmlUrl: `${htmlUrl}/actions/runs/${id}`,
    jobs: [],
  };
}
