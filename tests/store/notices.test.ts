import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { type Database, toDatabase } from '../../server/store/database.ts';
import { listenTo } from '../../server/store/notices.ts';
import type { Store } from '../../server/store/orm.ts';
import { createMigrated } from '../support/created-databases.ts';
import { openTestStore } from '../support/database.ts';
import { migratedMemory } from '../support/migrated.ts';
import { day, noon } from './world.ts';

const socket = inject('postgres');

test('the embedded database has no other process to tell', async () => {
  const store = await openTestStore(await migratedMemory());
  expect(store.notices).toBeNull();
  await store.close();
});

describe.skipIf(socket === null)('processes on one PostgreSQL', () => {
  let [here, there]: Store[] = [];
  let database: Database;
  let close: () => Promise<void>;
  let heard = 0;
  beforeAll(async () => {
    const url = await createMigrated(socket as string);
    [here, there] = [await openTestStore(url), await openTestStore(url)];
    const connection = await connect({ url, log: createLog('silent'), poolMax: 2, statementTimeoutMs: 60_000 });
    close = connection.close;
    database = toDatabase(connection.orm);
    there?.notices?.on('sessions', () => heard++);
    await hearing(1);
  });
  afterAll(async () => {
    await here?.close();
    await there?.close();
    await close?.();
  });

  const hearing = (times: number) => vi.waitFor(() => expect(heard).toBe(times), { timeout: 60_000, interval: 5 });
  const begun = async () => {
    const idHash = randomBytes(32);
    const made = { createdAt: noon, expiresAt: noon + day, userAgentShort: '' };
    await here?.sessions.create({ idHash, tokenHash: randomBytes(32), userId: 7, login: 'bo', ...made });
    return idHash;
  };
  const listeners = async () => {
    const listening = `select pid from pg_stat_activity
      where datname = current_database() and application_name = 'delivery-analytics notices'`;
    return (await database.query<{ pid: number }>(listening)).map(({ pid }) => pid);
  };

  test('hear that a session was ended, and of nothing else', async () => {
    const before = heard;
    const session = await begun();
    await here?.sessions.find(session, noon + day / 2);
    await here?.sessions.revoke(session, 'signed_out', noon);
    await hearing(before + 1);
    await begun();
    await here?.sessions.revokeOthers(7, null, 'ended_elsewhere', noon);
    await hearing(before + 2);
  });

  test('hear of a change when it is committed, and never of one that is not', async () => {
    const before = heard;
    await begun();
    const end = (how: () => void) =>
      database.transaction(async ({ query }) => {
        await query('update sessions set revoked_at = now()');
        how();
      });
    const undone = end(() => {
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await end(() => undefined);
    await hearing(before + 1);
  });

  test('that were cut off listen again, and forget what they may have missed', async () => {
    const before = heard;
    const [pid] = await listeners();
    await database.query('select pg_terminate_backend($1)', [pid]);
    await hearing(before + 1);
    expect(await listeners()).not.toContain(pid);
    await here?.sessions.revokeOthers(7, null, 'ended_elsewhere', noon);
    await hearing(before + 2);
  });

  test('say when they listen, and when they cannot', async () => {
    const store = await openTestStore(await createMigrated(socket as string));
    let dropped = 0;
    store.notices?.on('tokens', () => dropped++);
    await store.notices?.tried();
    expect(dropped).toBe(1);
    await store.close();
    const nowhere = listenTo('postgres://nobody@127.0.0.1:1/none', createLog('silent'));
    nowhere.on('tokens', () => dropped++);
    await nowhere.tried();
    expect(dropped).toBe(1);
    await nowhere.close();
  });

  test('listen no longer than they are open, and not at all where nothing is remembered', async () => {
    expect(await listeners()).toHaveLength(1);
    await there?.close();
    there = undefined;
    expect(await listeners()).toHaveLength(0);
  });
});
