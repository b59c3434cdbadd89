import { expect, test } from 'vitest';
import { aJob } from '../metrics/worlds.ts';
import { eachDatabase } from '../support/database.ts';
import { hour, minute, noon, repository, run, track } from './world.ts';

const day = 24 * hour;

eachDatabase((given) => {
  test('jobs of merge groups are read of a window alone, and only where they are asked for', async () => {
    const store = await given.open();
    const repoId = await track(store);
    const begins = [noon - 40 * day, noon - 2 * day, noon];
    const runs = begins.map((createdAt, index) =>
      run(index + 1, { event: 'merge_group', createdAt, startedAt: createdAt, updatedAt: createdAt + 10 * minute }),
    );
    await store.runs.ingest(repoId, runs, { syncedAt: noon + hour });
    const jobs = begins.map((startedAt, index) =>
      aJob({ id: index + 1, runId: index + 1, createdAt: startedAt, startedAt, completedAt: startedAt + minute }),
    );
    await store.jobs.put(repoId, jobs, noon + hour);
    const read = async (jobsOf: { from: number; to: number } | null) => {
      const found = await store.mergeGroupRuns(repository(1).id, noon - 90 * day, jobsOf);
      return found.toSorted((a, b) => a.id - b.id).map((one) => one.jobs.length);
    };
    expect(await read(null)).toEqual([0, 0, 0]);
    expect(await read({ from: noon - 7 * day, to: noon + hour })).toEqual([0, 1, 1]);
    expect(await read({ from: noon - 7 * day, to: noon - day })).toEqual([0, 1, 0]);
    expect(await read({ from: noon - 90 * day, to: noon + hour })).toEqual([1, 1, 1]);
  });
});
