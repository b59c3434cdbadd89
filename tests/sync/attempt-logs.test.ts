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
  file: null,
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
  runnerGroup: null,
  labels: [],
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
  /** Whether it is certain which workflow file ran, and what the request for it answers. */
  files?: 'spent' | 'failing' | 'there';
  record?: 'failing';
  /** What the list of jobs of a run that is not there goes with. */
  missing?: 'run' | 'repository';
}

/** Reads what waits: what was stored of it, by run, and the jobs whose logs were requested. */
async function readRound({ waiting = [waitingOf(1), waitingOf(2)], jobs = 1, turns = 99, ...given }: Round) {
  const stored: (ReadLog & { runId: number })[] = [];
  const requested: number[] = [];
  const known: object[] = [];
  let [left, fileRequests] = [turns, 0];
  const { attempts: read } = await readWaitingLogs({
    store: {
      actionUses: {
        commits: async () => new Map(),
        actionFiles: async () => known,
        putActionFile: async (file: object) => void known.push(file),
        putRepository: async () => undefined,
      },
      exposure: {
        waitingLogs: async () => waiting,
        allDownloads: async () => [],
        async putLog({ runId }: WaitingLog, log: ReadLog) {
          if (given.failsToStore === runId && log.jobs !== null) throw new Error('rejected');
          stored.push({ ...log, runId });
        },
      },
    },
    codehost: {
      jobs: {
        async ofCompleted(_: unknown, runId: number) {
          if (given.missing) throw new Problem('not_found', 'Not there.');
          const items = Array.from({ length: jobs }, (_one, index) => jobOf(runId * 10 + index));
          return { items, partial: false, stale: false, totalCount: given.totalCount ?? items.length };
        },
      },
      logs: {
        async record() {
          if (given.record) throw new Problem('upstream_unavailable', 'Not now.');
          return { called: [], file: given.files ? { path: workflow, commit: head } : null };
        },
        async ofJob(_: unknown, id: number) {
          requested.push(id);
          if (given.problem && id === 10) throw new Problem(given.problem, 'Not now.');
          return { downloads: [], isComplete: true };
        },
      },
      async changes() {
        if (given.missing === 'repository') throw new Problem('not_found', 'Not there.');
        return {};
      },
      async actionFiles() {
        fileRequests += 1;
        if (given.files === 'spent') throw new Problem('upstream_rate_limited', 'Not now.');
        if (given.files === 'failing') throw new Problem('upstream_unavailable', 'Not now.');
        return [{ path: workflow, text: '', leadsTo: head, repositoryId: 1, isPrivate: false }];
      },
    },
    services: {
      clock: { now: () => 10 },
      scanner: { run: async () => ({ state: 'done', result: { parseError: null, uses: noUses } }) },
    },
    log: { warn: () => undefined },
    signal: new AbortController().signal,
    mayContinue: () => left-- > 0,
  } as never);
  const kept = stored.map(({ isCut, isPartial, file }) => ({ isCut, isPartial, file }));
  const states = stored.map(({ runId, jobs: of }) => [runId, of?.map(({ log }) => log) ?? null]);
  return { read, states, requested, kept, fileRequests };
}

const workflow = '.github/workflows/ci.yml';
const head = 'c'.repeat(40);
const noUses = { refs: [], unknown: [], localWorkflows: [] };

test('a run that is not there has no logs any more, unless its repository cannot be seen', async () => {
  const gone = await readRound({ waiting: [waitingOf(1)], missing: 'run' });
  expect(gone).toMatchObject({ read: 1, states: [[1, []]], kept: [{ isCut: false, isPartial: false }] });
  const unseen = await readRound({ waiting: [waitingOf(1)], missing: 'repository' });
  expect(unseen).toMatchObject({ read: 1, states: [[1, null]], kept: [{ isCut: false, isPartial: true }] });
});

test('a log that cannot be had is noted, and those behind it are read', async () => {
  const { states } = await readRound({ problem: 'upstream_unavailable' });
  expect(states).toEqual([
    [1, ['unreadable']],
    [2, ['complete']],
  ]);
});

test('a rate limit ends the round, and nothing is noted', async () => {
  expect(await readRound({ problem: 'upstream_rate_limited' })).toMatchObject({ read: 0, states: [], requested: [10] });
  const later = await readRound({ waiting: [waitingOf(2), waitingOf(1)], problem: 'upstream_rate_limited' });
  expect(later).toMatchObject({ read: 1, states: [[2, ['complete']]], requested: [20, 10] });
});

test('what was read before the quota was spent is stored, and not requested again', async () => {
  const round = await readRound({ waiting: [waitingOf(0)], jobs: 12, problem: 'upstream_rate_limited' });
  expect(round.states[0]?.[1]).toEqual([...Array(10).fill('complete'), 'unread', 'unread']);
  expect(round).toMatchObject({ read: 0, kept: [{ isCut: true }] });
  const jobs = Array.from({ length: 12 }, (_, id) => ({
    ...toLogged(id),
    log: id < 10 ? ('complete' as const) : ('unread' as const),
  }));
  const next = await readRound({ waiting: [waitingOf(0, { jobs })], jobs: 12 });
  expect(next).toMatchObject({ read: 1, requested: [10, 11], kept: [{ isCut: false }] });
});

test('where no more files are given, logs are read all the same, and the files wait', async () => {
  const first = await readRound({ files: 'spent' });
  expect(first).toMatchObject({ read: 0, requested: [10, 20], fileRequests: 1 });
  expect(first.kept).toMatchObject([
    { isCut: true, file: { isCut: true, uses: [{ ref: head, readAt: null }] } },
    { isCut: true, file: { isCut: true } },
  ]);
  const waiting = [1, 2].map((runId, index) =>
    waitingOf(runId, { jobs: [toLogged(runId * 10)], file: first.kept[index]?.file ?? null }),
  );
  expect(await readRound({ waiting, files: 'spent' })).toMatchObject({ read: 0, requested: [], fileRequests: 1 });
  const last = await readRound({ waiting, files: 'there' });
  expect(last).toMatchObject({ read: 2, requested: [], fileRequests: 1 });
  expect(last.kept).toMatchObject(
    [1, 2].map(() => ({ isCut: false, file: { isCut: false, uses: [{ readAt: head }] } })),
  );
});

test('a file that waits to be read again takes no reading away, however much that left open', async () => {
  const root = { actionKey: 'octo/app', path: workflow, kind: 'reusable_workflow', ref: head, readAt: head } as const;
  const open = ['v1', 'v2', 'v3'].map((ref) => ({
    ...root,
    actionKey: 'some/tool',
    path: '',
    kind: 'action' as const,
    ref,
    readAt: null,
  }));
  const uses = [root, ...open].map((use) => ({ ...use, privateSources: [] })) as never;
  const waiting = [waitingOf(1), waitingOf(2, { file: { uses, unknown: [], isCut: false } })];
  const { kept } = await readRound({ waiting, files: 'spent' });
  expect(kept[1]?.file).toEqual({ uses, unknown: [], isCut: true });
});

test('a record or file that failed is read when somebody asks again, and takes nothing away', async () => {
  const { kept } = await readRound({ waiting: [waitingOf(1)], files: 'there' });
  const [{ file = null } = {}] = kept;
  const again = { waiting: [waitingOf(1, { file })], files: 'failing' as const };
  expect((await readRound(again)).kept).toEqual([{ isCut: false, isPartial: true, file }]);
  expect((await readRound({ ...again, record: 'failing' })).kept).toEqual([{ isCut: false, isPartial: true, file }]);
  expect((await readRound({ ...again, waiting: [waitingOf(1)] })).kept).toEqual([
    { isCut: false, isPartial: true, file: null },
  ]);
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

const toLogged = (id: number) => {
  const { name, startedAt, completedAt } = jobOf(id);
  return { id, name, startedAt, completedAt, log: 'complete' as const };
};

test('a log that was read to its end is not requested again', async () => {
  const { states, requested } = await readRound({ waiting: [waitingOf(1, { jobs: [toLogged(10)] })], jobs: 2 });
  expect(states).toEqual([[1, ['complete', 'complete']]]);
  expect(requested).toEqual([11]);
});

test('a round ends between two jobs, and the next one goes on there', async () => {
  expect(await readRound({ jobs: 3, turns: 3 })).toMatchObject({
    states: [[1, ['complete', 'complete', 'unread']]],
    requested: [10, 11],
    kept: [{ isCut: true }],
  });
  expect(await readRound({ jobs: 2, turns: 5 })).toMatchObject({
    states: [
      [1, ['complete', 'complete']],
      [2, ['complete', 'unread']],
    ],
    requested: [10, 11, 20],
  });
  const left = [
    toLogged(10),
    { ...toLogged(11), log: 'unreadable' as const },
    { ...toLogged(12), log: 'unread' as const },
  ];
  // What could not be read is not tried again before the rest was tried.
  expect(await readRound({ waiting: [waitingOf(1, { jobs: left })], jobs: 3 })).toMatchObject({ requested: [12] });
});

test('an attempt that a whole round does not bring further is in the way of no other', async () => {
  const stuck = await readRound({ turns: 1 });
  expect(stuck).toMatchObject({ read: 1, states: [[1, ['unreadable']]], kept: [{ isCut: false, isPartial: true }] });
  expect(await readRound({ turns: 3 })).toMatchObject({ read: 1, states: [[1, ['complete']]] });
});
