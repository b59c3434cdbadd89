import { expect, test } from 'vitest';
import { reopenAwaiting } from '../../migrations/Migration20261130131000_awaited_approvals.ts';
import { eachDatabase } from '../support/database.ts';
import { day, hour, minute, noon, run, track } from './world.ts';

eachDatabase((given) => {
  const awaiting = run(1, { conclusion: 'action_required', startedAt: noon, updatedAt: noon + minute });
  const begun = { startedAt: noon + 2 * hour, updatedAt: noon + 3 * hour };
  const underWay = run(1, { ...begun, updatedAt: noon + 2 * hour, status: 'in_progress', conclusion: null });
  const ended = run(1, begun);

  test.each([
    ['in their order', [awaiting, underWay, ended]],
    ['in reverse', [ended, underWay, awaiting]],
  ])('a run that was approved ends when it ends, with what is told of it %s', async (_, told) => {
    const store = await given.open();
    const repo = await track(store);
    for (const one of told) await store.runs.ingest(repo, [one], { syncedAt: noon });
    const [stored] = await store.runs.recent(repo, { limit: 1 });
    expect(stored).toMatchObject({ conclusion: 'success', completedAt: noon + 3 * hour, durationMs: hour });
  });

  test('a run that awaits approval has neither an end nor a duration, also one stored before that was so', async () => {
    const { store, database } = await given.openRaw();
    const repo = await track(store);
    await store.runs.ingest(repo, [awaiting, run(2), run(3, { ...awaiting, id: 3 })], { syncedAt: noon });
    await store.runs.ingest(repo, [run(3, { attempt: 2, updatedAt: noon + day })], { syncedAt: noon });
    const ends = async () =>
      (await store.runs.attempts(repo, { since: 0 })).map(({ completedAt, durationMs }) => [completedAt, durationMs]);
    const right = await ends();
    expect(right).toContainEqual([null, null]);
    await store.runs.recomputeDirty();
    for (const table of ['workflow_runs', 'workflow_run_attempts'])
      await database.query(
        `update ${table} set completed_at = updated_at, duration_ms = 1 where conclusion = 'action_required'`,
      );
    await database.query(reopenAwaiting);
    expect(await ends()).toEqual(right);
    expect(await store.runs.recomputeDirty()).toBe(1);
  });
});
