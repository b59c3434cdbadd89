import { expect, test } from 'vitest';
import {
  lock,
  lockAdvisorPullRequests,
  lockFiledIssues,
  lockRuns,
  shareLock,
  tryLock,
} from '../../server/store/locks.ts';
import { eachDatabase } from '../support/database.ts';

const held = `select locktype, mode, classid::int, objid::bigint::float8 as objid, objsubid from pg_locks
  where locktype = 'advisory' and pid = pg_backend_pid() order by objsubid, classid, objid`;

eachDatabase((given) => {
  test('locks are held until the transaction ends', async () => {
    const { database } = await given.openRaw();
    const within = await database.transaction(async (queries) => {
      await lock(queries, 'settings');
      await shareLock(queries, 'timeZone');
      await lockRuns(queries, 12);
      await lockFiledIssues(queries, 2 ** 40);
      await lockAdvisorPullRequests(queries, 2 ** 40);
      expect(await tryLock(queries, 'rollups')).toBe(true);
      return queries.query(held);
    });
    const [{ hash } = { hash: 0 }] = await database.query<{ hash: number }>(
      'select (hashint8($1)::bigint & 4294967295)::float8 as hash',
      [2 ** 40],
    );
    const advisory = { locktype: 'advisory', mode: 'ExclusiveLock' };
    expect(within).toEqual([
      { ...advisory, mode: 'ShareLock', classid: 0, objid: 7246111, objsubid: 1 },
      { ...advisory, classid: 0, objid: 7246113, objsubid: 1 },
      { ...advisory, classid: 0, objid: 7246118, objsubid: 1 },
      { ...advisory, classid: 7246112, objid: 12, objsubid: 2 },
      { ...advisory, classid: 7246115, objid: hash, objsubid: 2 },
      { ...advisory, classid: 7246124, objid: hash, objsubid: 2 },
    ]);
    expect(await database.query(held)).toEqual([]);
  });

  // The embedded database runs one transaction at a time.
  if (given.name === 'embedded') return;
  test('a lock that another transaction holds is not taken', async () => {
    const { database } = await given.openRaw();
    await database.transaction(async (first) => {
      await lock(first, 'rollups');
      await database.transaction(async (second) => expect(await tryLock(second, 'rollups')).toBe(false));
    });
  });
});
