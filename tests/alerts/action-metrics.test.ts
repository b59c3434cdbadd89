import { expect, test } from 'vitest';
import { actionTagsMoved } from '../../server/alerts/action-metrics.ts';
import { webhookMessage } from '../../server/alerts/channels/webhook-body.ts';
import { alertFeed } from '../../server/alerts/feed.ts';
import { measureNow } from '../../server/alerts/metric.ts';
import { backTest } from '../../server/alerts/replay.ts';
import { getMetricPath, getSentPath } from '../../server/alerts/rules.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import type { LedgerRow } from '../../server/metrics/security/ref-ledger.ts';
import type { UsedRef } from '../../server/scan/action-uses.ts';
import type { AlertEvent } from '../../server/store/alert-events.ts';
import type { Store } from '../../server/store/orm.ts';
import { day, hour, minute, noon, track } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';

const [good, bad] = ['a'.repeat(40), 'b'.repeat(40)] as [string, string];
const tool: UsedRef = { actionKey: 'some/tool', path: '', kind: 'action', ref: 'v1' };
/** The nightly observation at 05:17, so many nights before noon. */
const night = (nights: number) => noon - nights * day - 7 * hour + 17 * minute;
const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

async function use(store: Store, repoId: number, at: number, ...refs: UsedRef[]) {
  const uses = refs.map((ref) => ({ ...ref, workflows: 2 }));
  const read = { treeId: null, ruleVersion: 1, unreadFiles: 0, unknown: [], uses };
  await store.actionUses.putUses(repoId, read, toDay(at));
}

const row = (from: number, to: number, more: Partial<LedgerRow> = {}): LedgerRow => ({
  observedFrom: night(from),
  observedTo: night(to),
  state: 'present',
  commit: good,
  tagObject: null,
  codehostId: 7,
  repository: 'some/tool',
  previousCommit: null,
  moveClass: null,
  alarm: null,
  judgedAt: null,
  ...more,
});

const observe = (store: Store, ...rows: LedgerRow[]) => observeOf(store, false, ...rows);

async function observeOf(store: Store, isPrivate: boolean, ...rows: LedgerRow[]) {
  const [ref] = await store.actionLedger.refsInUse(1);
  if (!ref) throw new Error('No ref is used.');
  let lastObservedTo: number | null = null;
  for (const one of rows) {
    const { alarm, moveClass, judgedAt } = one;
    const observation = {
      refId: ref.id,
      repository: { codehostId: 7, isPrivate },
      isBranch: false,
      lastObservedTo,
      row: one,
    };
    await store.actionLedger.observe([observation]);
    if (moveClass && alarm)
      await store.actionLedger.judge(
        { ...ref, isBranch: false, row: one, before: [] },
        moveClass,
        alarm,
        judgedAt ?? one.observedFrom,
      );
    lastObservedTo = one.observedTo;
  }
}

const watched = (repoId: number, now = noon) => ({
  repoId,
  defaultBranch: 'main',
  windowHours: 24,
  now,
  people: createPeople(),
});
const measure = (store: Store, repoId: number, now = noon) => measureNow(actionTagsMoved, watched(repoId, now), store);

const moved = (from: number, to: number, more: Partial<LedgerRow> = {}) =>
  row(from, to, { commit: bad, previousCommit: good, moveClass: 'rewritten', alarm: 'rewritten', ...more });

aDatabase((given) => {
  test('alarming moves of the window are counted, and every one fires in its own night, as a back-test says', async () => {
    const store = await given.open();
    const repoId = await track(store);
    for (let nights = 9; nights >= 0; nights--) await use(store, repoId, night(nights), tool);
    await observe(
      store,
      row(9, 7),
      moved(6, 5),
      row(4, 3, { previousCommit: bad, moveClass: 'back', alarm: 'none' }),
      moved(2, 1, { moveClass: 'back', alarm: 'returned' }),
      row(0, 0, { previousCommit: bad, moveClass: 'back', alarm: 'none' }),
    );
    expect(await measure(store, repoId)).toEqual({ value: 0, sample: 1 });
    const now = night(2) + hour;
    expect(await measure(store, repoId, now)).toEqual({
      value: 1,
      sample: 1,
      details: {
        action: 'some/tool',
        ref: 'v1',
        from: good.slice(0, 12),
        to: bad.slice(0, 12),
        class: 'back',
        why: 'returned',
        workflows: 2,
      },
    });
    const rule = { metric: 'action_tags_moved', threshold: 1, minSample: null, windowHours: 24 };
    const { fired, evaluated } = await backTest(rule, watched(repoId), noon, store);
    expect(fired.map(toDay)).toEqual([toDay(night(2)), toDay(night(6))]);
    expect(evaluated).toBe(9);
  });

  test('of a private action the alert tells no commit, and of what a private file says its use alone', async () => {
    const store = await given.open();
    const repoId = await track(store);
    const verdict = { class: 'rewritten', why: 'rewritten', workflows: 2 };
    await use(store, repoId, night(0), tool);
    await observeOf(store, true, row(9, 1), moved(0, 0));
    const { details } = (await measure(store, repoId)) as { details: object };
    expect(details).toEqual({ action: 'some/tool', ref: 'v1', ...verdict });

    const through = 'octo/private@v1';
    await use(store, repoId, night(0));
    const nested = { ...tool, through, workflows: 2, privateSources: [8] };
    await store.actionUses.putUsesInTurn(repoId, { uses: [nested], unknown: [] });
    const inTurn = (await measure(store, repoId)) as { details: object };
    expect(inTurn.details).toEqual({ used_by: through, ...verdict });
  });

  test('a forward move is no alarm, and one that was not compared leaves a lower bound', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await use(store, repoId, night(1), tool);
    await use(store, repoId, night(0), tool);
    await observe(store, row(1, 1), moved(0, 0, { moveClass: 'forward', alarm: 'none' }));
    expect(await measure(store, repoId)).toEqual({ value: 0, sample: 1 });
    const other = await given.open();
    const otherId = await track(other);
    await use(other, otherId, night(0), tool);
    await observe(other, row(1, 1), moved(0, 0, { moveClass: null, alarm: null }));
    expect(await measure(other, otherId)).toEqual({
      value: 0,
      sample: 1,
      incomplete: '1 of 1 moves could not be compared yet.',
    });
  });

  test('without a complete observation of the last 26 hours there is no value, and never 0', async () => {
    const store = await given.open();
    const repoId = await track(store);
    const notRead = 'It was not read in the last 26 hours which actions are used.';
    expect(await measure(store, repoId)).toEqual({ value: null, sample: 0, incomplete: notRead });
    await use(store, repoId, night(0), tool);
    const notObserved = 'Not every tag and branch was observed in the last 26 hours.';
    expect(await measure(store, repoId)).toEqual({ value: null, sample: 0, incomplete: notObserved });
    await observe(store, row(0, 0));
    expect(await measure(store, repoId)).toEqual({ value: 0, sample: 1 });
    expect(await measure(store, repoId, night(0) + 27 * hour)).toMatchObject({ value: null });
    expect(await measure(store, repoId, noon + 3 * day)).toEqual({ value: null, sample: 0, incomplete: notRead });
  });

  test('a look that brought nothing is no observation, however long ago a ref could be read', async () => {
    const notObserved = 'Not every tag and branch was observed in the last 26 hours.';
    const nothing = { state: 'unreadable', commit: null, codehostId: null, repository: null } as const;
    for (const readableUntil of [2, 20]) {
      const store = await given.open();
      const repoId = await track(store);
      await use(store, repoId, night(0), tool);
      await observe(store, row(21, readableUntil), row(1, 0, nothing));
      expect(await measure(store, repoId)).toEqual({ value: null, sample: 0, incomplete: notObserved });
    }
    const store = await given.open();
    const repoId = await track(store);
    await use(store, repoId, night(0), tool);
    await observe(store, row(1, 0, nothing));
    const neverRead = 'None of the tags and branches could be read.';
    expect(await measure(store, repoId)).toEqual({ value: null, sample: 0, incomplete: neverRead });
  });

  test('a move that is judged some nights later counts in the night in which it is', async () => {
    const store = await given.open();
    const repoId = await track(store);
    for (let nights = 9; nights >= 0; nights--) await use(store, repoId, night(nights), tool);
    const back = row(2, 0, { previousCommit: bad, moveClass: 'back', alarm: 'none' });
    await observe(store, row(9, 9), moved(8, 3, { judgedAt: night(0) + minute }), back);
    expect(await measure(store, repoId)).toMatchObject({ value: 1, details: { why: 'rewritten' } });
    const open = '1 of 1 moves could not be compared yet.';
    expect(await measure(store, repoId, night(8) + hour)).toEqual({ value: 0, sample: 1, incomplete: open });
    expect(await measure(store, repoId, night(0))).toEqual({ value: 0, sample: 1 });
  });

  test('a repository that uses nothing that can move has nothing that moves', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await use(store, repoId, night(0), { ...tool, ref: good }, { ...tool, actionKey: 'docker://a', kind: 'image' });
    expect(await measure(store, repoId)).toEqual({ value: 0, sample: 0, isNone: true });
    await use(store, repoId, night(0));
    expect(await measure(store, repoId)).toEqual({ value: 0, sample: 0, isNone: true });
  });
});

test('an event leads to the history of the ref that moved', () => {
  expect(getMetricPath('action_tags_moved', 'octo/web', { action: 'some/tool', ref: 'v1' })).toBe(
    '/org/octo/actions?name=some%2Ftool&ref=v1#history',
  );
  expect(getMetricPath('action_tags_moved', 'octo/web')).toBe('/org/octo/actions');
});

test('what leaves the service about a moved ref names neither the action nor the ref', () => {
  const event = {
    id: 1,
    ruleId: 1,
    scope: 'repo:octo/web',
    repo: 'octo/web',
    metric: 'action_tags_moved',
    value: 1,
    threshold: 1,
    windowHours: 24,
    sampleSize: 3,
    details: { action: 'some/tool', ref: 'v1' },
    isTest: false,
    computedAt: 0,
    firedAt: 0,
    resolvedAt: null,
  } as unknown as AlertEvent;
  const service = 'https://service.test';
  expect(JSON.parse(webhookMessage(event, service).body).data.links.evidence).toBe(`${service}/org/octo/actions`);
  expect(alertFeed([event], service).entries[0]?.page).toBe(`${service}/org/octo/actions`);
  const explained = getMetricPath('failure_rate', 'octo/web', { workflow_id: 7001 });
  expect(getSentPath('failure_rate', 'octo/web', explained)).toBe('/repos/octo/web/workflows/7001');
});
