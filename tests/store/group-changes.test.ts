import { expect, test } from 'vitest';
import type { Group } from '../../server/store/entities/user.ts';
import { eachDatabase } from '../support/database.ts';
import { day, minute, noon } from './world.ts';

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
    expect([await store.users.inGroups(), await store.invitations.list(noon)]).toEqual([[], []]);
    expect(await change([1])).toMatchObject({ changed: ['alice'] });
    await store.users.signedIn(...signedIn(1, 'renamed'), noon + 2 * minute);
    expect(await change([1], ['renamed', 'alice'], ['pm'])).toMatchObject({
      outcome: 'done',
      changed: ['Alice', 'renamed'],
      invited: [],
    });
    expect([(await store.users.find(1))?.groups, (await store.users.find(2))?.groups]).toEqual([['dev', 'pm'], ['pm']]);
  });

  test('an invitation ends after 30 days, and can be made again', async () => {
    const store = await given.open();
    const invite = (now: number, groups: Group[] = ['dev']) =>
      store.groupChanges.change({ change: 'add', accountIds: [], logins: ['dee'], groups }, { ...by, now });
    await invite(noon);
    const ended = noon + 30 * day;
    expect(await store.invitations.list(ended - 1)).toMatchObject([{ login: 'dee', groups: ['dev'] }]);
    expect(await store.invitations.list(ended)).toEqual([]);
    expect(await invite(ended, ['pm'])).toMatchObject({ invited: ['dee'] });
    expect(await store.invitations.list(ended)).toMatchObject([{ groups: ['pm'], invitedAt: ended }]);
    await store.users.signedIn(...signedIn(3, 'dee'), ended + 30 * day);
    expect((await store.users.find(3))?.groups).toEqual([]);
    await store.groupChanges.change({ change: 'add', accountIds: [], logins: ['eve'], groups: ['dev'] }, by);
    expect([await store.forgetExpired(ended - 1), await store.forgetExpired(ended)]).toEqual([0, 1]);
  });

  test('who is invited again is invited to all their groups from then on', async () => {
    const store = await given.open();
    const invite = (now: number, login: string, groups: Group[], actor = by.actor) =>
      store.groupChanges.change({ change: 'add', accountIds: [], logins: [login], groups }, { ...by, actor, now });
    await invite(noon, 'dee', ['dev']);
    const again = noon + 20 * day;
    expect(await invite(again, 'dee', ['pm'])).toMatchObject({ invited: ['dee'] });
    const last = noon + 25 * day;
    expect(await invite(last, 'Dee', ['dev'], { id: 2, login: 'bo' })).toMatchObject({
      invited: ['Dee'],
      unchanged: [],
    });
    const invited = [{ login: 'Dee', groups: ['dev', 'pm'], invitedBy: 'bo', invitedAt: last }];
    expect(await store.invitations.list(noon + 54 * day)).toEqual(invited);
    expect(await store.invitations.list(last + 30 * day)).toEqual([]);
    const query = { limit: 1, before: null, categories: null, actor: 'bo', action: null };
    const entry = { action: 'user.invited', target: 'Dee', before: ['dev', 'pm'], after: ['dev', 'pm'] };
    expect(await store.audit.list(query)).toMatchObject([entry]);
    await store.users.signedIn(...signedIn(4, 'dee'), noon + 54 * day);
    expect((await store.users.find(4))?.groups).toEqual(['dev', 'pm']);
  });

  test('an account that was here under another name is not who was invited', async () => {
    const store = await given.open();
    await store.users.signedIn(...signedIn(1, 'old'), noon);
    await store.groupChanges.change({ change: 'add', accountIds: [], logins: ['dee', 'eve'], groups: ['dev'] }, by);
    await store.users.signedIn(...signedIn(1, 'dee'), noon);
    await store.users.signedIn(signedIn(2, 'Eve')[0], { mayBootstrap: false, defaultGroup: 'pm' }, 'r', noon);
    expect([(await store.users.find(1))?.groups, (await store.users.find(2))?.groups]).toEqual([[], ['dev', 'pm']]);
    expect(await store.invitations.list(noon)).toEqual([]);
    const query = { limit: 3, before: null, categories: null, actor: 'system', action: null };
    expect(await store.audit.list(query)).toMatchObject([
      { action: 'user.invitation_accepted', before: ['pm'], after: ['dev', 'pm'], note: 'invited by ann' },
      { action: 'user.default_group', target: 'Eve' },
      { action: 'user.invitation_withdrawn', target: 'dee', before: ['dev'], after: [], note: 'invited by ann' },
    ]);
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
