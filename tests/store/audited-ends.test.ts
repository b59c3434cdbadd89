import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { eachDatabase } from '../support/database.ts';
import { day, noon } from './world.ts';

const all = { limit: 10, before: null, categories: null, actor: null, action: null };

eachDatabase((given) => {
  test('a session that is to be audited ends with its entry, or not at all', async () => {
    const { store, database } = await given.openRaw();
    const idHash = randomBytes(32);
    const user = { userId: 1, login: 'ann', userAgentShort: 'Browser', tokenHash: randomBytes(32) };
    await store.sessions.create({ idHash, ...user, createdAt: noon, expiresAt: noon + day });
    await database.query(`create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'full'; end $$`);
    await database.query('create trigger refuse_entry before insert on audit_log execute function refuse_entry()');
    const end = () => store.sessions.revoke(idHash, 'org_not_allowed', noon, { requestId: 'request-1' });
    await expect(end()).rejects.toThrow();
    expect(await store.sessions.find(idHash, noon)).toMatchObject({ login: 'ann' });
    await database.query('drop trigger refuse_entry on audit_log');
    expect(await Promise.all([end(), end(), end()])).toEqual(expect.arrayContaining([true, false, false]));
    expect(await store.sessions.find(idHash, noon)).toBeNull();
    expect(await store.audit.list(all)).toMatchObject([
      { action: 'session.revoked', target: 'ann', note: 'org_not_allowed', requestId: 'request-1' },
    ]);
    expect(await store.sessions.revoke(randomBytes(32), 'signed_out', noon)).toBe(false);
  });
});
