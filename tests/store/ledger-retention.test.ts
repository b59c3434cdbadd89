import { expect, test } from 'vitest';
import type { LedgerRow } from '../../server/metrics/security/ref-ledger.ts';
import type { UsedRef } from '../../server/scan/action-uses.ts';
import { eachDatabase } from '../support/database.ts';
import { day, noon, track } from './world.ts';

const fiveYears = 5 * 365.25 * day;
const [old, newer] = ['a'.repeat(40), 'b'.repeat(40)] as [string, string];
const use = (actionKey: string, ref: string): UsedRef => ({ actionKey, path: '', kind: 'action', ref });
const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

eachDatabase((given) => {
  test('the ledger of actions is stored for five years, and what it refers to as long', async () => {
    const { store } = await given.openRaw();
    const repoId = await track(store);
    const read = { treeId: null, ruleVersion: 1, unreadFiles: 0, unknown: [] };
    const put = (uses: UsedRef[], at: number) =>
      store.actionUses.putUses(repoId, { ...read, uses: uses.map((one) => ({ ...one, workflows: 1 })) }, toDay(at));
    await put([use('some/old', 'v1'), use('some/tool', 'v1')], noon);
    const later = noon + 40 * day;
    const refs = await store.actionLedger.refsInUse(10);
    const lookAt = async (actionKey: string, commit: string, at: number) => {
      const ref = refs.find((one) => one.actionKey === actionKey) as (typeof refs)[number];
      const repository = { codehostId: 7, repository: actionKey };
      const none = { tagObject: null, previousCommit: null, moveClass: null, alarm: null, judgedAt: null };
      const row: LedgerRow = { observedFrom: at, observedTo: at, state: 'present', commit, ...repository, ...none };
      const known = (await store.actionInventory.newestHistories([ref.id], 1)).get(ref.id)?.at(-1)?.observedTo ?? null;
      const found = { codehostId: 7, isPrivate: false };
      await store.actionLedger.observe([
        { refId: ref.id, repository: found, isBranch: false, lastObservedTo: known, row },
      ]);
      return ref.id;
    };
    const oldId = await lookAt('some/old', old, noon);
    const toolId = await lookAt('some/tool', old, noon);
    await put([use('some/tool', 'v1')], later);
    await lookAt('some/tool', newer, later);
    const release = { actionKey: 'some/tool', tag: 'v1', immutable: true, publishedAt: null };
    await store.actionLedger.putRelease({ ...release, commit: old, seenAt: noon });
    await store.actionLedger.putRelease({ ...release, commit: newer, seenAt: later });
    for (const commit of [old, newer])
      await store.actionUses.putActionFile({ commit, path: '', uses: null, leadsTo: commit, privateSource: null }, 1);

    const advising = (refId: number) => ({
      refIds: [refId],
      advised: [{ refId, advisoryId: 'GHSA-aaaa-bbbb-cccc' }],
      possible: [],
    });
    await store.exposure.putAdvisories(advising(oldId), noon);
    await store.exposure.putAdvisories(advising(toolId), later);

    const options = { runDays: 30, mayContinue: () => true };
    expect((await store.purge(noon + fiveYears - 2 * day, options)).rows).toEqual({});
    expect((await store.purge(noon + fiveYears + 2 * day, options)).rows).toEqual({
      ref_ledger: 2,
      use_days: 2,
      action_releases: 1,
      advised_refs: 1,
      advisory_readings: 1,
      action_refs: 1,
      action_files: 1,
    });
    const histories = await store.actionInventory.newestHistories([oldId, toolId], 10);
    expect([...histories]).toMatchObject([[toolId, [{ commit: newer }]]]);
    expect(await store.actionLedger.releases(['some/tool'])).toMatchObject([{ commit: newer }]);
    expect(await store.actionUses.actionFiles([old, newer], 1)).toMatchObject([{ commit: newer }]);
  });
});
