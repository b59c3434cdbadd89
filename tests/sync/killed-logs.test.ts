import { expect, test } from 'vitest';
import { readWaitingLogs } from '../../server/sync/attempt-logs.ts';
import { chance } from '../reports/exposure/verdict/worlds.ts';
import { hour, minute, noon, run, track } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';

const [attempts, jobs, kills] = [30, 3, 20];
const head = 'c'.repeat(40);

/** The platform, whose answers follow from what is asked alone; the request before which the process is killed. */
function platform(killAt: { request: number }) {
  let requests = 0;
  const answer = <T>(value: T): Promise<T> => {
    requests += 1;
    return requests === killAt.request ? Promise.reject(new Error('killed')) : Promise.resolve(value);
  };
  const jobOf = (runId: number, index: number) => ({
    id: runId * 10 + index,
    name: `job ${index}`,
    status: 'completed',
    conclusion: 'success',
    startedAt: noon,
    completedAt: noon + minute,
    runnerName: 'runner',
    runnerGroup: null,
    labels: [],
    steps: [],
  });
  return {
    requests: () => requests,
    codehost: {
      jobs: {
        ofCompleted: (_: unknown, runId: number) => {
          const items = Array.from({ length: jobs }, (_one, index) => jobOf(runId, index));
          return answer({ items, partial: false, stale: false, totalCount: items.length });
        },
      },
      logs: {
        record: () => answer({ called: [], file: { path: '.github/workflows/ci.yml', commit: head } }),
        ofJob: (_: unknown, id: number) => {
          const line = { actionKey: 'some/tool', ref: `v${id % 7}`, commit: `${id}`.padStart(40, '0'), at: noon };
          const download = { ...line, digest: null, isInStep: false, isAtOtherTime: false };
          return answer({ downloads: [download], isComplete: id % 5 !== 0 });
        },
      },
      actionFiles: (files: { path: string }[]) =>
        answer(files.map(({ path }) => ({ path, text: '', leadsTo: head, repositoryId: 1, isPrivate: false }))),
      changes: async () => ({}),
    },
  };
}

aDatabase((given) => {
  /** What is stored of logs in the end, and the requests that it took; killed so often on the way. */
  async function readAll(killed: number) {
    const { store, database } = await given.openRaw();
    const repoId = await track(store);
    const runs = Array.from({ length: attempts }, (_, index) =>
      run(index + 1, { createdAt: noon + index, startedAt: noon + index, updatedAt: noon + hour + index }),
    );
    await store.runs.ingest(repoId, runs, { syncedAt: noon });
    const wanted = runs.map(({ id, updatedAt }) => ({ runId: id, attempt: 1, endedAt: updatedAt }));
    await store.exposure.wantLogs(1, wanted, noon);
    const random = chance(killed);
    let [requests, left] = [0, killed];
    for (let round = 0; (await store.exposure.countWaitingLogs()) > 0; round++) {
      expect(round).toBeLessThanOrEqual(kills);
      const killAt = { request: left-- > 0 ? 1 + random.below(12) : 0 };
      const { codehost, requests: counted } = platform(killAt);
      await readWaitingLogs({
        store,
        codehost,
        services: {
          clock: { now: () => noon + 2 * hour },
          scanner: {
            run: async () => ({
              state: 'done',
              result: { parseError: null, uses: { refs: [], unknown: [], localWorkflows: [] } },
            }),
          },
        },
        log: { warn: () => undefined },
        signal: new AbortController().signal,
        mayContinue: () => true,
      } as never).catch((error: Error) => expect(error.message).toBe('killed'));
      requests += counted();
    }
    const rows = await Promise.all([
      database.query('select * from attempt_logs order by run_id, run_attempt'),
      database.query('select * from action_downloads order by job_id, action_key, ref, commit'),
      database.query('select * from action_files order by commit, path'),
    ]);
    return { bytes: JSON.stringify(rows), requests };
  }

  test('section 1.16 (d): killed 20 times, the reading of logs ends with the same bytes', async () => {
    const [whole, killed] = [await readAll(0), await readAll(kills)];
    expect(killed.bytes).toBe(whole.bytes);
    // Two for each attempt and one for each job, and the file that all of them share.
    expect(whole.requests).toBe(attempts * (2 + jobs) + 1);
    // What a kill costs is what had been asked of one attempt.
    expect(killed.requests - whole.requests).toBeLessThanOrEqual(kills * (2 + jobs + 1));
  });
});
