import { expect, test } from 'vitest';
import type { WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { reRunReachMs } from '../../server/store/exposed-runs.ts';
import { aJob } from '../metrics/worlds.ts';
import { aDatabase } from '../support/a-database.ts';
import { day, minute, noon, repository, run, track } from './world.ts';

const window = { from: noon, to: noon + day };
const since = window.from - reRunReachMs;
const read = { syncedThrough: noon + 9 * day, deepAt: noon + 9 * day, resume: null };
const runAt = (number: number, createdAt: number, more: Partial<WorkflowRun> = {}) =>
  run(number, { createdAt, startedAt: createdAt, updatedAt: createdAt + minute, runNumber: number, ...more });

aDatabase((given) => {
  /** Whether a repository with these runs, read back so far, is complete. */
  const isComplete = async (runs: WorkflowRun[], backfilledTo = since) => {
    const { store } = await given.openRaw();
    const repoId = await track(store);
    await store.runs.ingest(repoId, runs, { syncedAt: noon + 9 * day });
    await store.cursors.put(repoId, { ...read, backfilledTo });
    return (await store.exposure.completeRepositories([1], window)).has(1);
  };
  const [before, within, after] = [since - day, noon + minute, window.to + day];

  test('a list of runs is complete where it was read as far back as a run could be started again', async () => {
    const all = [runAt(1, within), runAt(2, after)];
    expect(await isComplete(all)).toBe(true);
    expect(await isComplete(all, since + 1)).toBe(false);
    expect(await isComplete([])).toBe(true);
  });

  test('a number that is missing at either edge leaves doubt', async () => {
    expect(await isComplete([runAt(4, before), runAt(5, within), runAt(6, after)])).toBe(true);
    expect(await isComplete([runAt(4, before), runAt(6, after)])).toBe(false);
    expect(await isComplete([runAt(5, within), runAt(6, after)])).toBe(false);
    expect(await isComplete([runAt(4, before), runAt(5, within)])).toBe(false);
    expect(await isComplete([runAt(4, before), runAt(5, within), runAt(7, after)])).toBe(false);
  });

  test('what awaited approval ran until it ended at last, and what runs has no end', async () => {
    const { store } = await given.openRaw();
    const repoId = await track(store);
    const createdAt = noon - 3 * day;
    const ended = createdAt + 5 * day;
    const attempts = () => store.exposure.attempts([1], window, 10);
    const see = (more: Partial<WorkflowRun>) =>
      store.runs.ingest(repoId, [runAt(1, createdAt, more)], { syncedAt: noon + 9 * day });
    await see({ conclusion: 'action_required' });
    expect(await attempts()).toEqual([]);
    await see({ status: 'in_progress', conclusion: null, updatedAt: ended - minute });
    expect(await attempts()).toMatchObject([{ runId: 1, completedAt: null }]);
    await see({ conclusion: 'success', updatedAt: ended });
    expect(await attempts()).toMatchObject([{ runId: 1, completedAt: ended }]);
  });

  test('jobs that never began have no logs', async () => {
    const { store } = await given.openRaw();
    const repoId = await track(store);
    await store.runs.ingest(repoId, [runAt(1, within)], { syncedAt: noon + 9 * day });
    const attempts = () => store.exposure.attempts([1], window, 10);
    expect(await attempts()).toMatchObject([{ jobsBegun: null, neverBegan: false }]);
    const jobs = [1, 2, 3].map((id) => aJob({ id, runId: 1, conclusion: id === 3 ? 'success' : 'skipped' }));
    await store.jobs.attempts.store(repository(1), [{ runId: 1, attempt: 1, detail: 'full', jobs }], noon);
    expect(await attempts()).toMatchObject([{ jobsBegun: 1, neverBegan: false }]);
  });
});
