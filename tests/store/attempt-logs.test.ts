import { expect, test } from 'vitest';
import { aDatabase } from '../support/a-database.ts';
import { noon, track } from './world.ts';

const commit = 'a'.repeat(40);

aDatabase((given) => {
  test('what could not be read once more stays as it was read, and counts as read until then', async () => {
    const { store } = await given.openRaw();
    const { exposure } = store;
    await track(store);
    const repositoryId = 1;
    const read = async (log: Parameters<typeof exposure.putLog>[1]) => {
      await exposure.wantLogs(repositoryId, [{ runId: 1, attempt: 1, endedAt: noon }], noon);
      const [waiting] = await exposure.waitingLogs(1);
      if (waiting) await exposure.putLog(waiting, log, noon);
      return exposure.logsOf([1]);
    };
    const nothing = { jobs: null, called: null, file: null, downloads: [], isCut: false, isPartial: true };
    const jobs = [{ id: 10, name: 'job', startedAt: noon - 20, completedAt: noon - 10, log: 'complete' as const }];
    const line = { jobId: 10, actionKey: 'a/b', commit, digest: null, at: noon, isInStep: false, isAtOtherTime: false };
    const downloads = Array.from({ length: 8_000 }, (_, index) => ({ ...line, ref: `v${index}` }));
    expect(await read({ ...nothing, jobs, called: [], downloads, isPartial: false })).toMatchObject([
      { endedAt: noon, jobs, called: [] },
    ]);
    expect(await read(nothing)).toMatchObject([{ endedAt: noon - 10, readAt: noon, jobs, called: [] }]);
    expect(await exposure.waitingLogs(1)).toEqual([]);
    expect(await read({ ...nothing, isCut: true })).toMatchObject([{ readAt: null, jobs, isPartial: true }]);
    expect(await exposure.waitingLogs(1)).toMatchObject([{ runId: 1, jobs }]);
    expect(await exposure.allDownloads([10, 11])).toHaveLength(8_000);
    const stretch = { from: noon - 100, to: noon };
    expect(await exposure.loggedRuns([repositoryId], stretch, 10)).toEqual(new Set([1]));
    expect(await exposure.loggedRuns([2], stretch, 10)).toEqual(new Set());
    const commits = [commit, 'b'.repeat(40), 'c'.repeat(40)];
    expect(await exposure.recordedCommits(commits, [repositoryId])).toEqual(new Set([commit]));
    const called = [
      { actionKey: 'a/b', path: 'x.yml', kind: 'reusable_workflow' as const, ref: 'v1', commit: 'b'.repeat(40) },
    ];
    await read({ ...nothing, jobs, called });
    expect(await exposure.recordedCommits(commits, [repositoryId])).toEqual(new Set(commits.slice(0, 2)));
    expect(await exposure.recordedCommits(commits, [2])).toEqual(new Set());
    expect(await exposure.downloads([10], { actionKeys: ['a/b'], commits: [] })).toHaveLength(8_000);
  });

  test('one whose run was gone ended when it did, however often it is looked at', async () => {
    const { store } = await given.openRaw();
    const { exposure } = store;
    await track(store);
    const gone = { jobs: [], called: null, file: null, downloads: [], isCut: false, isPartial: false };
    for (const jobs of [[], null]) {
      await exposure.wantLogs(1, [{ runId: 2, attempt: 1, endedAt: noon }], noon);
      const [waiting] = await exposure.waitingLogs(1);
      if (!waiting) throw new Error('It does not wait.');
      await exposure.putLog(waiting, { ...gone, jobs }, noon);
      expect(await exposure.logsOf([2])).toMatchObject([{ endedAt: noon, jobs: [] }]);
    }
  });
});
