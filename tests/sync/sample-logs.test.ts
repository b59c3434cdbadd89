import { expect, test } from 'vitest';
import type { LedgerRow } from '../../server/metrics/security/ref-ledger.ts';
import { sampleLogs } from '../../server/sync/sample-logs.ts';
import { hour, minute, noon, run, track } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';

const today = new Date(noon).toISOString().slice(0, 10);
const commit = 'a'.repeat(40);

aDatabase((given) => {
  /** Runs of a repository that uses `some/tool@v1`, an hour before noon and in the hour of noon. */
  const begin = async () => {
    const { store } = await given.openRaw();
    const repoId = await track(store);
    const used = { actionKey: 'some/tool', path: '', kind: 'action', ref: 'v1', workflows: 1 } as const;
    const uses = [used, { ...used, actionKey: 'some/pinned', ref: commit }];
    await store.actionUses.putUses(repoId, { treeId: null, ruleVersion: 1, unreadFiles: 0, unknown: [], uses }, today);
    const ingest = (...runs: ReturnType<typeof run>[]) => store.runs.ingest(repoId, runs, { syncedAt: noon });
    const runAt = (id: number, createdAt: number, more: object = {}) =>
      run(id, { createdAt, startedAt: createdAt, updatedAt: createdAt + minute, ...more });
    await ingest(
      runAt(1, noon - hour),
      runAt(2, noon - hour + minute),
      runAt(3, noon),
      runAt(4, noon, { conclusion: 'skipped' }),
      runAt(5, noon, { workflowId: 8 }),
    );
    const sample = (mode: 'first' | 'all' | 'off') =>
      sampleLogs({ store, clock: { now: () => noon + hour }, env: { EXPOSURE_LOG_SAMPLE: mode } } as never);
    const waiting = async () => (await store.exposure.waitingLogs(100)).map(({ runId }) => runId).toSorted();
    /** A ref that its repository uses was moved at noon, in a way that alarms. */
    const move = async (actionKey = 'some/tool') => {
      const ref = (await store.actionLedger.refsInUse(10)).find((one) => one.actionKey === actionKey);
      const row: LedgerRow = {
        observedFrom: noon,
        observedTo: noon,
        state: 'present',
        commit,
        tagObject: null,
        codehostId: 7,
        repository: actionKey,
        previousCommit: 'b'.repeat(40),
        moveClass: 'rewritten',
        alarm: 'rewritten',
        judgedAt: noon,
      };
      await store.actionLedger.observe([
        { refId: ref?.id ?? 0, repository: null, isBranch: false, lastObservedTo: null, row },
      ]);
    };
    return { store, repoId, ingest, runAt, sample, waiting, move };
  };

  test('of each workflow the first run of an hour is read, and each once', async () => {
    const { sample, waiting } = await begin();
    expect(await sample('off')).toBe(0);
    expect(await sample('first')).toBe(3);
    expect(await waiting()).toEqual([1, 3, 5]);
    expect(await sample('first')).toBe(0);
    expect(await sample('all')).toBe(1);
    expect(await waiting()).toEqual([1, 2, 3, 5]);
    expect(await sample('all')).toBe(0);
  });

  test('later attempts are reached behind more than are looked at once, and nothing is looked at again unchanged', async () => {
    const { ingest, runAt, sample, waiting } = await begin();
    expect(await sample('first')).toBe(3);
    // All of them in an hour of which the first is read.
    const many = Array.from({ length: 5001 }, (_, index) => runAt(100 + index, noon - hour + 2 * minute));
    await ingest(...many, runAt(9000, noon + minute, { workflowId: 9 }));
    expect(await sample('first')).toBe(0);
    expect(await sample('first')).toBe(1);
    expect(await waiting()).toEqual([1, 3, 5, 9000]);
    expect(await sample('first')).toBe(0);
    // One that is stored late ended before those that were looked at.
    await ingest(runAt(9001, noon - 2 * hour));
    expect(await sample('first')).toBe(1);
    expect(await waiting()).toEqual([1, 3, 5, 9000, 9001].toSorted());
  });

  test('an hour in which logs named every ref that can move needs no more, unless one moved in a way that alarms', async () => {
    const { store, ingest, runAt, sample, waiting, move } = await begin();
    await sample('first');
    const line = {
      actionKey: 'some/tool',
      ref: 'v1',
      commit,
      digest: null,
      at: noon + 5,
      isInStep: false,
      isAtOtherTime: false,
    };
    const rest = { jobs: null, called: null, file: null, isCut: false, isPartial: false };
    for (const waits of await store.exposure.waitingLogs(100))
      await store.exposure.putLog(waits, { ...rest, downloads: [{ ...line, jobId: 10 }] }, noon + hour);
    await ingest(runAt(6, noon + minute, { workflowId: 9 }), runAt(7, noon - hour, { workflowId: 9 }));
    expect(await sample('first')).toBe(1);
    expect(await waiting()).toEqual([7]);
    await move();
    expect(await sample('first')).toBe(2);
    expect(await waiting()).toEqual([2, 6, 7]);
  });

  test('near an alarming move every attempt is read, also superseded ones and those of older runs', async () => {
    const { store, ingest, runAt, sample, move } = await begin();
    const waiting = async () =>
      (await store.exposure.waitingLogs(100)).map(({ runId, attempt }) => `${runId}/${attempt}`).toSorted();
    for (let left = 1; left > 0; ) left = await sample('all');
    const known = await waiting();
    const [hit, old, early] = [60, 61, 62];
    const again = { attempt: 2, startedAt: noon + 50 * hour, updatedAt: noon + 51 * hour };
    await ingest(runAt(hit, noon + hour));
    await ingest(runAt(hit, noon + hour, again));
    await ingest(runAt(old, noon - 20 * 24 * hour));
    await ingest(runAt(old, noon - 20 * 24 * hour, { attempt: 2, startedAt: noon + hour, updatedAt: noon + 2 * hour }));
    await ingest(runAt(early, noon - 60 * hour));
    await move();
    expect(await sample('first')).toBe(2);
    expect((await waiting()).filter((one) => !known.includes(one))).toEqual([`${hit}/1`, `${old}/2`]);
  });

  test('near an alarming move of a called workflow attempts are read, and without one no log is needed for it', async () => {
    const { store, repoId, sample, waiting, move } = await begin();
    const flow = {
      actionKey: 'some/flows',
      path: '.github/workflows/ci.yml',
      kind: 'reusable_workflow',
      ref: 'main',
    } as const;
    const given = { treeId: null, ruleVersion: 1, unreadFiles: 0, unknown: [], uses: [{ ...flow, workflows: 1 }] };
    await store.actionUses.putUses(repoId, given, today);
    expect(await sample('first')).toBe(0);
    await move('some/flows');
    expect(await sample('first')).toBe(4);
    expect(await waiting()).toEqual([1, 2, 3, 5]);
  });
});
