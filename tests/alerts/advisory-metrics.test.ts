import { expect, test } from 'vitest';
import { openAdvisories } from '../../server/alerts/advisory-metrics.ts';
import { measureNow } from '../../server/alerts/metric.ts';
import { backTest } from '../../server/alerts/replay.ts';
import { getMetricPath, getSentPath } from '../../server/alerts/rules.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import type { UsedRef } from '../../server/scan/action-uses.ts';
import type { Store } from '../../server/store/orm.ts';
import { day, hour, minute, noon, track } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';

const tool: UsedRef = { actionKey: 'some/tool', path: '', kind: 'action', ref: 'v1' };
const [first, second] = ['GHSA-aaaa-bbbb-cccc', 'GHSA-dddd-eeee-ffff'] as [string, string];
/** The nightly reading at 05:17, so many nights before noon. */
const night = (nights: number) => noon - nights * day - 7 * hour + 17 * minute;
const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

async function use(store: Store, repoId: number, at: number, ...refs: UsedRef[]) {
  const uses = refs.map((ref) => ({ ...ref, workflows: 2 }));
  await store.actionUses.putUses(
    repoId,
    { treeId: null, ruleVersion: 1, unreadFiles: 0, unknown: [], uses },
    toDay(at),
  );
}

/** One reading, with these advisories of each ref; of the unread ones those that may affect them. */
async function read(store: Store, at: number, found: Record<string, string[]>, unread: Record<string, string[]> = {}) {
  const refs = await store.exposure.usesOfActions();
  const among = (given: Record<string, string[]>) =>
    refs.flatMap(({ refId, actionKey, ref }) =>
      (given[`${actionKey}@${ref}`] ?? []).map((advisoryId) => ({ refId, advisoryId })),
    );
  const told = refs.filter(({ actionKey, ref }) => unread[`${actionKey}@${ref}`] === undefined);
  const refIds = told.map(({ refId }) => refId);
  await store.exposure.putAdvisories({ refIds, advised: among(found), possible: among(unread) }, at);
}

const watched = (repoId: number, now = noon) => ({
  repoId,
  defaultBranch: 'main',
  windowHours: 24,
  now,
  people: createPeople(),
});
const measure = (store: Store, repoId: number, now = noon) => measureNow(openAdvisories, watched(repoId, now), store);

aDatabase((given) => {
  test('advisories that affect what is used count once each while they are published, as a back-test says', async () => {
    const store = await given.open();
    const repoId = await track(store);
    const pinned = { ...tool, ref: 'a'.repeat(40) };
    for (let nights = 4; nights >= 0; nights--) await use(store, repoId, night(nights), tool, pinned);
    await read(store, night(4), {});
    await read(store, night(3), { 'some/tool@v1': [first] });
    await read(store, night(2), { 'some/tool@v1': [first], [`some/tool@${pinned.ref}`]: [first, second] });
    await read(store, night(1), {});
    await read(store, night(0), { 'some/tool@v1': [second] });
    expect(await measure(store, repoId, night(4) + hour)).toEqual({ value: 0, sample: 2 });
    expect(await measure(store, repoId, night(2) + hour)).toMatchObject({ value: 2, sample: 2 });
    expect(await measure(store, repoId, night(1) + hour)).toEqual({ value: 0, sample: 2 });
    expect(await measure(store, repoId)).toEqual({
      value: 1,
      sample: 2,
      details: { advisory: second, action: 'some/tool', ref: 'v1', workflows: 2 },
    });
    const rule = { metric: 'action_advisory_open', threshold: 1, minSample: null, windowHours: 24 };
    const { fired, series } = await backTest(rule, watched(repoId), noon, store);
    expect(fired.map(toDay)).toEqual([night(0), night(2), night(3)].map(toDay));
    expect(series.map(({ value }) => value)).toEqual([0, 1, 2, 0, 1]);
  });

  test('it is null, and not 0, where advisories or uses were not read in the last 26 hours', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await use(store, repoId, night(1), tool);
    expect(await measure(store, repoId, night(1) + hour)).toMatchObject({ value: null });
    await read(store, night(1), {});
    expect(await measure(store, repoId, night(1) + hour)).toEqual({ value: 0, sample: 1 });
    const late = await measure(store, repoId, night(1) + 27 * hour);
    expect(late).toEqual({
      value: null,
      sample: 0,
      incomplete: 'Advisories about actions were not read in the last 26 hours.',
    });
    await read(store, night(-1), {});
    expect((await measure(store, repoId, night(-1) + hour)).value).toBeNull();
  });

  test('what is used since the last reading is not compared yet, and counts with the next', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await use(store, repoId, night(1), tool);
    await read(store, night(1), { 'some/tool@v1': [first] });
    await use(store, repoId, night(0), { ...tool, ref: 'v2' });
    expect(await measure(store, repoId, night(0) + hour)).toMatchObject({ value: 1, details: { ref: 'v1' } });
    await read(store, night(0), {});
    expect(await measure(store, repoId, night(0) + hour)).toEqual({ value: 0, sample: 1 });
  });

  test('where it could not be read which version is used, what affected it stays open, and none is not known', async () => {
    const store = await given.open();
    const repoId = await track(store);
    const pinned = { ...tool, ref: 'a'.repeat(40) };
    const incomplete = 'Of some actions it could not be read which version is used.';
    for (let nights = 4; nights >= 0; nights--) await use(store, repoId, night(nights), tool, pinned);
    const unread = { 'some/tool@v1': [first, second] };
    await read(store, night(4), {}, unread);
    await read(store, night(3), { 'some/tool@v1': [first] });
    await read(store, night(2), {}, unread);
    await read(store, night(1), {}, { 'some/tool@v1': [second] });
    await read(store, night(0), {});
    expect(await measure(store, repoId, night(4) + hour)).toEqual({ value: null, sample: 0, incomplete });
    expect(await measure(store, repoId, night(3) + hour)).toMatchObject({ value: 1, sample: 2 });
    const open = { advisory: first, action: 'some/tool', ref: 'v1', workflows: 2 };
    const carried = await measure(store, repoId, night(2) + hour);
    expect(carried).toEqual({ value: 1, sample: 2, details: open, incomplete });
    // Withdrawn meanwhile, and the other was never found of it.
    expect((await measure(store, repoId, night(1) + hour)).value).toBeNull();
    expect(await measure(store, repoId)).toEqual({ value: 0, sample: 2 });
    const rule = { metric: 'action_advisory_open', threshold: 1, minSample: null, windowHours: 24 };
    const { series } = await backTest(rule, watched(repoId), noon, store);
    expect(series.map(({ value }) => value)).toEqual([null, 1, 1, null, 0]);
  });

  test('what only a private file says is named by the use that leads to it, and images have no advisories', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await use(store, repoId, night(0), { ...tool, actionKey: 'docker://a', kind: 'image' });
    await read(store, night(0), {});
    expect(await measure(store, repoId)).toEqual({ value: 0, sample: 0, isNone: true });
    const through = 'octo/private@v1';
    const nested = { ...tool, through, workflows: 2, privateSources: [8] };
    await store.actionUses.putUsesInTurn(repoId, { uses: [nested], unknown: [] });
    await read(store, night(0) + hour, { 'some/tool@v1': [first] });
    expect((await measure(store, repoId)).details).toEqual({ used_by: through, workflows: 2 });
  });
});

test('an event leads to the action among those in use; what leaves the service does not name it', () => {
  const page = getMetricPath('action_advisory_open', 'octo/web', { action: 'some/tool', ref: 'v1' });
  expect(page).toBe('/org/octo/actions?q=some%2Ftool');
  expect(getMetricPath('action_advisory_open', 'octo/web')).toBe('/org/octo/actions');
  expect(getSentPath('action_advisory_open', 'octo/web', page)).toBe('/org/octo/actions');
});
