import { expect, test } from 'vitest';
import type { Group } from '../../server/store/entities/user.ts';
import { eachDatabase } from '../support/database.ts';
import { minute, noon } from './world.ts';

const by = { actor: { id: 1, login: 'ann' }, requestId: 'request-1', now: noon };
const signedIn = (id: number, login: string) =>
  [{ id, login, name: null, avatarUrl: '' }, { mayBootstrap: false, defaultGroup: null }, 'r'] as const;

eachDatabase((given) => {
  test('an account is meant whatever its login is by now, and a login that two have is nobody’s', async () => {
    const store = await given.open();
    await store.users.signedIn(...signedIn(1, 'alice'), noon);
    await store.users.signedIn(...signedIn(2, 'Alice'), noon + minute);
    const change = (accountIds: number[], logins: string[] = [], groups: Group[] = ['dev']) =>
      store.groupChanges.change({ change: 'add', accountIds, logins, groups }, by);
    const ambiguous = { outcome: 'ambiguous_logins', logins: [{ login: 'ALICE', accountIds: [1, 2] }] };
    expect(await change([], ['ALICE', 'dee'])).toEqual(ambiguous);
    expect(await change([1], ['ALICE'])).toEqual(ambiguous);
    expect(await change([1, 7, 8])).toEqual({ outcome: 'unknown_accounts', accountIds: [7, 8] });
    expect([await store.users.inGroups(), await store.invitations.list()]).toEqual([[], []]);
    expect(await change([1])).toMatchObject({ changed: ['alice'] });
    await store.users.signedIn(...signedIn(1, 'renamed'), noon + 2 * minute);
    expect(await change([1], ['renamed', 'alice'], ['pm'])).toMatchObject({
      outcome: 'done',
      changed: ['Alice', 'renamed'],
      invited: [],
    });
    expect([(await store.users.find(1))?.groups, (await store.users.find(2))?.groups]).toEqual([['dev', 'pm'], ['pm']]);
  });

  test('of two administrators with one login the other one remains', async () => {
    const store = await given.open();
    for (const id of [1, 2]) {
      await store.users.signedIn(...signedIn(id, 'alice'), noon);
      await store.users.replaceGroups(id, ['admin'], by);
    }
    const demote = (...accountIds: number[]) =>
      store.groupChanges.change({ change: 'remove', accountIds, logins: [], groups: ['admin'] }, by);
    expect(await demote(1, 2)).toEqual({ outcome: 'last_admin' });
    expect(await demote(1)).toMatchObject({ outcome: 'done', changed: ['alice'] });
    expect(await demote(2)).toEqual({ outcome: 'last_admin' });
  });
});
