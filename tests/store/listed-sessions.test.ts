import { expect, test } from 'vitest';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';
import { hour, minute, noon } from './world.ts';

const nothing = { mayBootstrap: false, defaultGroup: null };
const by = { actor: { id: 1, login: 'ann' }, requestId: 'request-1', now: noon };
const idHash = (n: number) => Buffer.alloc(32, n);

const begin = ({ sessions }: Store, n: number, userId: number, login: string, expiresAt = noon + hour) =>
  sessions.create({
    idHash: idHash(n),
    tokenHash: idHash(100 + n),
    userId,
    login,
    createdAt: noon - n * minute,
    expiresAt,
    userAgentShort: `browser ${n}`,
  });

eachDatabase((given) => {
  test('sessions are listed and ended under the present login of their account', async () => {
    const store = await given.open();
    await begin(store, 1, 7, 'old-name');
    await begin(store, 2, 7, 'old-name');
    await begin(store, 3, 2 ** 40, 'Bo');
    await begin(store, 4, 7, 'old-name', noon);
    await store.users.signedIn({ id: 7, login: 'New_Name', name: null, avatarUrl: '' }, nothing, 'r', noon);
    const list = async (text: string | null, limit = 10, offset = 0) => {
      const { sessions, total } = await store.sessions.list({ text, limit, offset }, noon);
      return [total, ...sessions.map((one) => [one.idHash[0], one.userId, one.login])];
    };
    expect(await list(null)).toEqual([3, [1, 7, 'New_Name'], [2, 7, 'New_Name'], [3, 2 ** 40, 'Bo']]);
    expect(await list(null, 1, 2)).toEqual([3, [3, 2 ** 40, 'Bo']]);
    expect([await list('old'), await list('w_N'), await list('bO')]).toEqual([
      [0],
      [2, [1, 7, 'New_Name'], [2, 7, 'New_Name']],
      [1, [3, 2 ** 40, 'Bo']],
    ]);
    const { sessions } = await store.sessions.list({ text: 'bo', limit: 1, offset: 0 }, noon);
    expect(sessions).toEqual([
      {
        idHash: idHash(3),
        userId: 2 ** 40,
        login: 'Bo',
        createdAt: noon - 3 * minute,
        lastSeenAt: noon - 3 * minute,
        expiresAt: noon + hour,
        userAgentShort: 'browser 3',
      },
    ]);
    expect(await store.sessions.endListed({ login: 'new_name' }, by)).toBe(2);
    expect(await store.sessions.endListed({ idHash: idHash(3) }, by)).toBe(1);
    expect(await store.sessions.endListed({ idHash: idHash(3) }, by)).toBe(0);
    expect(await list(null)).toEqual([0]);
    const entries = await store.audit.list({ limit: 9, before: null, categories: null, actor: 'ann', action: null });
    expect(entries.map(({ target, after, note }) => [target, after, note])).toEqual([
      ['Bo', { ended: 1, codehost_id: '1099511627776' }, 'ended_by_administrator'],
      ['New_Name', { ended: 2, codehost_id: '7' }, 'ended_by_administrator'],
    ]);
  });
});
