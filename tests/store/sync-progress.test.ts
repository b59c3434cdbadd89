import { expect, test } from 'vitest';
import type { BackgroundReading } from '../../server/store/sync-progress.ts';
import { eachDatabase } from '../support/database.ts';
import { hour, minute, noon, readBackTo, track } from './world.ts';

eachDatabase((given) => {
  test('the progress of repositories is their cursor, their lease and the state of the background', async () => {
    const { store, database } = await given.openRaw();
    const [read, leased, expired, idle] = [
      await track(store, 1),
      await track(store, 2),
      await track(store, 3),
      await track(store, 4),
    ];
    await readBackTo(store, read, noon - hour, noon + 1);
    await store.cursors.put(idle, { syncedThrough: null, backfilledTo: null, deepAt: noon, resume: null });
    await store.leases.acquire(`runs:${leased}`, 'process', minute);
    await store.leases.acquire(`runs:${expired}`, 'process', minute);
    await database.query(`update job_leases set expires_at = clock_timestamp() - interval '1 second' where job = $1`, [
      `runs:${expired}`,
    ]);
    const waiting = { state: 'waiting', code: 'upstream_rate_limited', resumeAt: noon + hour } as const;
    const done = { state: 'done', code: null, resumeAt: null } as const;
    await store.syncProgress.note(
      new Map<number, BackgroundReading>([
        [1, done],
        [77, waiting],
      ]),
      noon,
      minute,
    );
    const ids = [77, 1, 2, 3, 4, 78];
    const none = { repoId: null, cursor: null, isBeingRead: false, background: null };
    const cursor = { syncedThrough: noon + 1, backfilledTo: noon - hour, resume: null };
    expect(await store.syncProgress.of(ids, noon + minute - 1)).toEqual([
      { ...none, codehostId: 77, background: waiting },
      { ...none, codehostId: 1, repoId: read, cursor, background: done },
      { ...none, codehostId: 2, repoId: leased, isBeingRead: true },
    ]);
    expect(await store.syncProgress.of([77, 1], noon + minute)).toEqual([
      { ...none, codehostId: 1, repoId: read, cursor },
    ]);
    expect(await store.syncProgress.of([], noon)).toEqual([]);
  });

  test('a repository that was never synchronized, or not for a day and a half, is behind', async () => {
    const { store } = await given.openRaw();
    expect(await store.syncProgress.summary(noon)).toBeNull();
    const [fresh, old] = [await track(store, 1), await track(store, 2), await track(store, 3)];
    await readBackTo(store, fresh, noon - 90 * hour, noon - 36 * hour);
    await readBackTo(store, old, noon - 90 * hour, noon - 36 * hour - 1);
    const summary = { repositories: 3, running: 0, syncedThrough: noon - 36 * hour };
    expect(await store.syncProgress.summary(noon)).toEqual({ ...summary, behind: 2 });
    expect(await store.syncProgress.summary(noon + 1)).toEqual({ ...summary, behind: 3 });
    expect(await store.syncProgress.summary(noon, [1])).toEqual({ ...summary, repositories: 1, behind: 0 });
    expect(await store.syncProgress.summary(noon, [1, 2, 77])).toEqual({ ...summary, repositories: 2, behind: 1 });
    expect(await store.syncProgress.summary(noon, [77])).toBeNull();
    expect(await store.syncProgress.summary(noon, [])).toBeNull();
  });
});
