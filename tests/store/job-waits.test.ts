import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillJobWaits } from '../../migrations/Migration20261130160000_job_waits.ts';
import type { WorkflowJob, WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { getQueueWait } from '../../server/metrics/runs/queue-wait.ts';
import type { Store } from '../../server/store/orm.ts';
import { jobWorlds } from '../metrics/job-worlds.ts';
import { naiveJobWait } from '../metrics/naive.ts';
import { aJob, aStep, second } from '../metrics/worlds.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { day, hour, minute, noon, repository, run, track } from './world.ts';

/** GitHub says that a first attempt started when it was made, however long its jobs wait for a runner. */
const first = run(1, { startedAt: noon, conclusion: 'failure' });
const again = run(1, { attempt: 2, startedAt: noon + hour, updatedAt: noon + 2 * hour });
const job = (id: number, attempt: number, createdAt: number, waited: number, more: Partial<WorkflowJob> = {}) => {
  const startedAt = createdAt + waited;
  return aJob({ id, runId: 1, attempt, createdAt, startedAt, completedAt: startedAt + minute, ...more });
};
const ofFirst = [
  job(1, 1, noon, 0, { steps: [aStep({ number: 1, startedAt: noon + 40 * second })] }),
  job(2, 1, noon + second, 50 * second),
  job(3, 1, noon + minute, second),
];
const ofAgain = [job(4, 2, noon + hour, 20 * minute)];
const waited = [
  [40 * second, 40 * second],
  [20 * minute, 20 * minute],
];

const tell = (store: Store, repoId: number, runs: WorkflowRun[]) => store.runs.ingest(repoId, runs, { syncedAt: noon });
const list = (store: Store, attempt: number, jobs: WorkflowJob[]) =>
  store.jobs.attempts.store(repository(1), [{ runId: 1, attempt, detail: 'full', jobs }], noon);
const waits = async (store: Store, repoId: number) =>
  (await store.runs.attempts(repoId, { since: 0 })).map(({ jobWaitMs, queueWaitMs }) => [jobWaitMs, queueWaitMs]);

/** The same with ids of which no other repository has one. */
function ofRepository(number: number, one: WorkflowRun, jobs: readonly WorkflowJob[]) {
  const id = 1000 * number + one.id;
  const renumbered = jobs.map((each) => ({ ...each, id: 100_000 * number + each.id, runId: id }));
  return { run: { ...one, id, headSha: 'a'.repeat(40) }, jobs: renumbered };
}

eachDatabase((given) => {
  test.each([
    ['a listing', (store: Store, _: number, attempt: number, jobs: WorkflowJob[]) => list(store, attempt, jobs)],
    ['webhooks', (store: Store, repoId: number, _: number, jobs: WorkflowJob[]) => store.jobs.put(repoId, jobs, noon)],
  ])('%s of jobs tells how long their attempt waited for a runner, whatever comes after', async (_, bring) => {
    const store = await given.open();
    const repoId = await track(store);
    await tell(store, repoId, [{ ...first, status: 'in_progress', conclusion: null, updatedAt: noon + minute }]);
    expect(await waits(store, repoId)).toEqual([[null, 0]]);
    await bring(store, repoId, 1, ofFirst);
    expect(await waits(store, repoId)).toEqual([waited[0]]);
    await tell(store, repoId, [first]);
    expect(await waits(store, repoId)).toEqual([waited[0]]);
    await tell(store, repoId, [again]);
    expect(await waits(store, repoId)).toEqual([waited[0], [null, null]]);
    await bring(store, repoId, 2, ofAgain);
    expect(await waits(store, repoId)).toEqual(waited);
    await tell(store, repoId, [{ ...first, updatedAt: first.updatedAt + second }, again]);
    expect(await waits(store, repoId)).toEqual(waited);
    const known = await store.runs.jobWaits(repoId, [1, 2]);
    expect(known).toEqual([{ id: 1, attempt: 2, waitMs: 20 * minute }]);
  });

  test('jobs of a superseded attempt, and of a re-run that is told of later, are not missed', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await tell(store, repoId, [first]);
    await list(store, 2, ofAgain);
    await tell(store, repoId, [again]);
    await list(store, 1, ofFirst);
    expect(await waits(store, repoId)).toEqual(waited);
  });

  test('the day is counted anew, and comparisons leave out runs whose jobs are not known', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await tell(store, repoId, [first, run(2, { startedAt: noon })]);
    await store.runs.recomputeDirty();
    const window = { from: noon - day, to: noon + day };
    expect(await store.windowRuns.waits([repoId], window)).toEqual([{ value: 0, count: 2 }]);
    await list(store, 1, ofFirst);
    expect(await store.runs.recomputeDirty()).toBe(1);
    expect(await store.windowRuns.waits([repoId], window)).toEqual([{ value: 40 * second, count: 1 }]);
    // The same again changes nothing.
    await list(store, 1, ofFirst);
    expect(await store.runs.recomputeDirty()).toBe(0);
  });

  test('what was stored before jobs told it is filled in', async () => {
    const { store, database } = await given.openRaw();
    const repoId = await track(store);
    await tell(store, repoId, [first, again, run(2)]);
    await list(store, 1, ofFirst);
    await list(store, 2, ofAgain);
    const right = await waits(store, repoId);
    await store.runs.recomputeDirty();
    for (const table of ['workflow_runs', 'workflow_run_attempts'])
      await database.query(`update ${table} set job_wait_ms = null, queue_wait_ms = 0`);
    await database.query(fillJobWaits);
    const filled = await waits(store, repoId);
    expect(filled.filter(([byJobs]) => byJobs !== null)).toEqual(right.filter(([byJobs]) => byJobs !== null));
    expect(await store.runs.recomputeDirty()).toBe(1);
  });

  test('what is stored of a run is what its jobs tell in hand', async () => {
    // A repository for each world, beside those before it: a database for each takes ten times as long.
    const store = await given.open();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(jobWorlds, async (world) => {
        const repoId = await track(store, ++number);
        const told = world.map(({ run: one, jobs }) => ofRepository(number, one, jobs));
        await store.runs.ingest(
          repoId,
          told.map(({ run: one }) => one),
          { syncedAt: noon },
        );
        for (const { run: one, jobs } of told)
          await store.jobs.attempts.store(
            repository(number),
            [{ runId: one.id, attempt: one.attempt, detail: 'full', jobs }],
            noon,
          );
        const stored = new Map((await store.runs.attempts(repoId, { since: 0 })).map((one) => [one.id, one]));
        for (const { run: one, jobs } of told) {
          const { ms, source } = getQueueWait(one, jobs);
          expect(naiveJobWait(one, jobs)).toBe(source === 'jobs' ? ms : null);
          expect(stored.get(one.id)).toMatchObject({ queueWaitMs: ms, jobWaitMs: source === 'jobs' ? ms : null });
          expect(getQueueWait(stored.get(one.id) ?? one)).toEqual({ ms, source });
        }
      }),
      { numRuns: rounds('PROPERTY_RUNS', 15, 200) },
    );
  });
});
