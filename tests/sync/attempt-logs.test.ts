import { expect, test } from 'vitest';
import { Problem } from '../../server/platform/problem.ts';
import type { ReadLog, WaitingLog } from '../../server/store/attempt-logs.ts';
import { readWaitingLogs } from '../../server/sync/attempt-logs.ts';

const waitingOf = (runId: number, more: Partial<WaitingLog> = {}): WaitingLog => ({
  runId,
  attempt: 1,
  endedAt: 9,
  repoId: 1,
  owner: 'octo',
  repo: 'app',
  jobs: null,
  called: null,
  ...more,
});
const jobOf = (id: number) => ({
  id,
  name: `job ${id}`,
  status: 'completed',
  conclusion: 'success',
  startedAt: 1,
  completedAt: 2,
  runnerName: 'runner',
  steps: [],
});

interface Round {
  waiting?: WaitingLog[];
  /** How many jobs each attempt has. */
  jobs?: number;
  totalCount?: number;
  /** The problem of the first job's log. */
  problem?: 'upstream_unavailable' | 'upstream_rate_limited';
  failsToStore?: number;
  /** How many times there is still time. */
  turns?: number;
}

/** Reads what waits: what was stored of it, by run, and the jobs whose logs were requested. */
async function readRound({ waiting = [waitingOf(1), waitingOf(2)], jobs = 1, turns = 99, ...given }: Round) {
  const stored: (ReadLog & { runId: number })[] = [];
  const requested: number[] = [];
  let left = turns;
  const read = await readWaitingLogs({
    store: {
      actionUses: { commits: async () => new Map() },
      exposure: {
        waitingLogs: async () => waiting,
        async putLog({ runId }: WaitingLog, log: ReadLog) {
          if (given.failsToStore === runId && log.jobs !== null) throw new Error('rejected');
          stored.push({ ...log, runId });
        },
      },
    },
    codehost: {
      jobs: {
        async ofCompleted(_: unknown, runId: number) {
          const items = Array.from({ length: jobs }, (_one, index) => jobOf(runId * 10 + index));
          return { items, partial: false, stale: false, totalCount: given.totalCount ?? items.length };
        },
      },
      logs: {
        record: async () => ({ called: [], file: null }),
        async ofJob(_: unknown, id: number) {
          requested.push(id);
          if (given.problem && id === 10) throw new Problem(given.problem, 'Not now.');
          return { downloads: [], isComplete: true };
        },
      },
    },
    services: { clock: { now: () => 10 } },
    log: { warn: () => undefined },
    signal: new AbortController().signal,
    mayContinue: () => left-- > 0,
  } as never);
  const states = stored.map(({ runId, jobs: of }) => [runId, of?.map(({ log }) => log) ?? null]);
  return { read, states, requested };
}

test('a log that cannot be had is noted, and those behind it are read', async () => {
  const { states } = await readRound({ problem: 'upstream_unavailable' });
  expect(states).toEqual([
    [1, ['unreadable']],
    [2, ['complete']],
  ]);
});

test('a rate limit ends the round, and nothing is noted', async () => {
  expect(await readRound({ problem: 'upstream_rate_limited' })).toEqual({ read: 0, states: [], requested: [10] });
});

test('a list shorter than the platform counts is no list of all jobs', async () => {
  expect((await readRound({ waiting: [waitingOf(1)], totalCount: 2 })).states).toEqual([[1, null]]);
});

test('what cannot be stored is noted as not read, and the next is read', async () => {
  const { states } = await readRound({ failsToStore: 1 });
  expect(states).toEqual([
    [1, null],
    [2, ['complete']],
  ]);
});

test('a log that was read to its end is not requested again', async () => {
  const { id, name, startedAt, completedAt } = jobOf(10);
  const before = { id, name, startedAt, completedAt, log: 'complete' as const };
  const { states, requested } = await readRound({ waiting: [waitingOf(1, { jobs: [before] })], jobs: 2 });
  expect(states).toEqual([[1, ['complete', 'complete']]]);
  expect(requested).toEqual([11]);
});

test('a round ends between two jobs; an attempt that fills a round is stored as far as it was read', async () => {
  expect(await readRound({ jobs: 3, turns: 3 })).toMatchObject({
    states: [[1, ['complete', 'complete', 'unreadable']]],
    requested: [10, 11],
  });
  expect(await readRound({ jobs: 2, turns: 5 })).toMatchObject({
    states: [[1, ['complete', 'complete']]],
    requested: [10, 11, 20],
  });
});
