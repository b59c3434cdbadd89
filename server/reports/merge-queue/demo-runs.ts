import { hash } from 'node:crypto';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { GroupRun } from '../../metrics/merge-queue/builds.ts';

interface RunOf {
  pullRequest: PullRequest;
  htmlUrl: string;
  /** Of its builds. */
  round: number;
}

/** A run of the sample queue: it builds for a third of its time, then tests. */
export function createRun(
  { pullRequest: { number }, htmlUrl, round }: RunOf,
  createdAt: Instant,
  lasts: number,
  conclusion: 'success' | 'failure' | 'cancelled',
): GroupRun {
  const id = 90_000_000 + number * 10 + round;
  const [startedAt, builtAt] = [toSecond(createdAt), toSecond(createdAt + lasts / 3)];
  const completedAt = toSecond(createdAt + lasts);
  return {
    id,
    attempt: 1,
    number: 4000 + 3 * number + round,
    workflowName: 'CI',
    status: 'completed',
    conclusion,
    headBranch: `gh-readonly-queue/main/pr-${number}-${hash('sha1', `base ${id}`)}`,
    headSha: hash('sha1', `head ${id}`),
    createdAt: startedAt,
    startedAt,
    completedAt,
    htmlUrl: `${htmlUrl}/actions/runs/${id}`,
    jobs: [
      { name: 'Build', conclusion: 'success', startedAt, completedAt: builtAt },
      { name: number % 3 === 0 ? 'Browser tests' : 'Test', conclusion, startedAt: builtAt, completedAt },
    ],
  };
}

const toSecond = (at: Instant) => Math.round(at / 1000) * 1000;
