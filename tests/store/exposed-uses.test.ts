import { expect, test } from 'vitest';
import type { LedgerRow } from '../../server/metrics/security/ref-ledger.ts';
import { aDatabase } from '../support/a-database.ts';
import { noon, track } from './world.ts';

const commit = 'a'.repeat(40);
const today = new Date(noon).toISOString().slice(0, 10);

aDatabase((given) => {
  test('an action is known by its id: its present name is for whoever sees its repository', async () => {
    const { store } = await given.openRaw();
    const repoId = await track(store);
    const used = { actionKey: 'some/tool', path: '', kind: 'action', ref: commit, workflows: 1 } as const;
    const uses = [used, { ...used, ref: 'v1' }, { ...used, actionKey: 'pinned/only' }];
    await store.actionUses.putUses(repoId, { treeId: null, ruleVersion: 1, unreadFiles: 0, unknown: [], uses }, today);
    const tagObject = 'b'.repeat(40);
    const unmoved = { tagObject, previousCommit: null, moveClass: null, alarm: null, judgedAt: null };
    const row: LedgerRow = {
      ...unmoved,
      observedFrom: noon,
      observedTo: noon,
      state: 'present',
      commit,
      codehostId: 7,
      repository: 'secret/name',
    };
    const refs = await store.actionLedger.refsInUse(10);
    await store.actionLedger.observe(
      refs.map(({ id }) => ({
        refId: id,
        repository: { codehostId: 7, isPrivate: true },
        isBranch: false,
        lastObservedTo: null,
        row,
      })),
    );
    const { exposure } = store;
    const all = ['some/tool', 'secret/name'];
    expect(await exposure.namesOf('some/tool', [1], null)).toEqual({ all, shown: ['some/tool'], isIdKnown: true });
    expect(await exposure.namesOf('some/tool', [1, 7], null)).toEqual({ all, shown: all, isIdKnown: true });
    const former = 'former/name';
    expect(await exposure.namesOf(former, [1], null)).toEqual({ all: [former], shown: [former], isIdKnown: false });
    const found = { codehostId: 7, name: 'secret/name' };
    const { all: renamed, isIdKnown } = await exposure.namesOf(former, [1, 7], found);
    expect([renamed.toSorted(), isIdKnown]).toEqual([[former, 'secret/name', 'some/tool'], true]);
    expect(await exposure.knownNames()).toEqual(new Set(['some/tool']));
    await store.actionUses.putRepository('pinned/only', { codehostId: 8, isPrivate: true });
    await store.actionUses.putRepository('some/tool', { codehostId: 9, isPrivate: false });
    expect(await exposure.knownNames()).toEqual(new Set(['some/tool', 'pinned/only']));
    const pinned = { codehostId: 8, name: former };
    expect(await exposure.namesOf(former, [1], pinned)).toMatchObject({
      all: [former, 'pinned/only'],
      shown: [former],
    });
    const commitsOf = (ids: number[]) => exposure.commitsOf([commit, tagObject, 'c'.repeat(40)], ['some/tool'], ids);
    expect(await commitsOf([1])).toEqual([]);
    expect(await commitsOf([1, 7])).toEqual([
      { sha: commit, commit },
      { sha: tagObject, commit },
    ]);
    // Whoever pins the tag of a listed commit runs that commit.
    expect(await exposure.commitsOf([commit], ['some/tool'], [1, 7])).toContainEqual({ sha: tagObject, commit });
    expect(await exposure.usedSince([1], ['some/tool'])).toContainEqual({ ref: commit, day: today });
    expect(await exposure.usedSince([2], ['some/tool'])).toEqual([]);
    await exposure.wantLogs(1, [{ runId: 1, attempt: 1, endedAt: noon }], noon);
    const [waiting] = await exposure.waitingLogs(1);
    if (!waiting) throw new Error('No log waits.');
    const line = { ref: 'v1', commit, digest: null, at: noon, isInStep: false, isAtOtherTime: false };
    const downloads = [
      { ...line, jobId: 10, actionKey: 'some/tool' },
      { ...line, jobId: 11, actionKey: 'never/seen' },
      { ...line, jobId: 12, actionKey: 'docker://alpine' },
      { ...line, jobId: 13, actionKey: 'pinned/only' },
    ];
    await exposure.putLog(
      waiting,
      { jobs: null, called: null, file: null, downloads, isCut: false, isPartial: false },
      noon,
    );
    const jobs = [10, 11, 12, 13];
    expect(await exposure.jobsOfUnknownNames(jobs, [])).toEqual(new Set([11]));
    expect(await exposure.jobsOfUnknownNames(jobs, ['never/seen'])).toEqual(new Set());
  });
});
