import { expect, test } from 'vitest';
import { type Group, groups } from '../../server/store/entities/user.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';
import { hour, minute, noon } from './world.ts';

const profile = (id: number, login = `p${id}`) => ({ id, login, name: null, avatarUrl: '' });
const nothing = { mayBootstrap: false, defaultGroup: null };
const by = (login = 'ann', now = noon) => ({ actor: { id: 1, login }, requestId: 'request-1', now });

/** Accounts from 1 on that signed in and have these groups. */
async function settle(store: Store, ...members: Group[][]) {
  for (const [index, wanted] of members.entries()) {
    await store.users.signedIn(profile(index + 1), nothing, 'r', noon);
    await store.users.replaceGroups(index + 1, wanted, by('setup'));
  }
}

const everything = { limit: 5000, before: null, categories: null, actor: null, action: null };
const audited = async ({ audit }: Store, actor: string) => audit.list({ ...everything, actor });

eachDatabase((given) => {
  test('a thousand attempts at once to remove the last administrators leave one', async () => {
    const store = await given.open();
    await settle(store, ['admin'], ['admin', 'dev'], ['admin'], ['admin'], ['admin']);
    const attempts = Array.from({ length: 1000 }, (_, n) => () => {
      const id = (n % 5) + 1;
      return store.users.replaceGroups(id, n % 3 === 0 ? [] : ['dev'], by('rush'));
    });
    const outcomes: string[] = [];
    for (let start = 0; start < attempts.length; start += 100) {
      const answers = await Promise.all(attempts.slice(start, start + 100).map((attempt) => attempt()));
      outcomes.push(...answers.map(({ outcome }) => outcome));
      expect(await store.users.admins()).toHaveLength(1);
    }
    expect(outcomes).toHaveLength(1000);
    expect(outcomes.filter((one) => one === 'last_admin').length).toBeGreaterThan(100);
    expect(await store.audit.broken()).toBeNull();
  });

  test('of two administrators who demote each other at once, one is rejected', async () => {
    const store = await given.open();
    for (let turn = 0; turn < 20; turn++) {
      await settle(store, ['admin'], ['admin']);
      const answers = await Promise.all([
        store.users.replaceGroups(1, [], by('p2')),
        store.users.replaceGroups(2, [], by('p1')),
      ]);
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['done', 'last_admin']);
      expect(await store.users.admins()).toHaveLength(1);
    }
  });

  test('who is gone loses all groups, the last administrator too, and the next one can be appointed', async () => {
    const store = await given.open();
    await settle(store, ['admin', 'dev'], ['dev'], []);
    expect(await store.users.inGroups()).toEqual([{ accountId: 1 }, { accountId: 2 }]);
    const gone = { ...by('system'), actor: { id: null, login: 'system' } };
    expect(await store.users.removeAllGroups(1, 'org_not_allowed', gone)).toBe(true);
    for (const id of [1, 3, 99]) expect(await store.users.removeAllGroups(id, 'org_not_allowed', gone)).toBe(false);
    expect([await store.users.admins(), await store.users.inGroups()]).toEqual([[], [{ accountId: 2 }]]);
    await store.users.signedIn(profile(2), { mayBootstrap: true, defaultGroup: null }, 'r', noon);
    await store.users.signedIn(profile(1), nothing, 'r', noon);
    expect([await store.users.admins(), (await store.users.find(1))?.groups]).toEqual([['p2'], []]);
    expect((await audited(store, 'system')).slice(0, 2)).toMatchObject([
      { action: 'user.bootstrap_admin', target: 'p2' },
      { action: 'user.groups_replaced', target: 'p1', before: ['admin', 'dev'], after: [], note: 'org_not_allowed' },
    ]);
  });

  test('of many who sign in at once with the right to it, one becomes the first administrator', async () => {
    const store = await given.open();
    const entitled = { mayBootstrap: true, defaultGroup: 'dev' } as const;
    await Promise.all(Array.from({ length: 20 }, (_, n) => store.users.signedIn(profile(n + 1), entitled, 'r', noon)));
    const { users } = await store.users.list({ text: null, group: null, limit: 100, offset: 0 });
    expect(users.map(({ groups }) => groups.join()).sort()).toEqual(['admin', ...Array(19).fill('dev')]);
    const entries = await audited(store, 'system');
    expect(entries.filter(({ action }) => action === 'user.bootstrap_admin')).toHaveLength(1);
    expect(entries.filter(({ action }) => action === 'user.default_group')).toHaveLength(19);
  });

  test('replaced groups are whole, ordered, and noted once', async () => {
    const store = await given.open();
    await settle(store, ['admin'], []);
    const wanted = [...groups].reverse();
    expect(await store.users.replaceGroups(2, [...wanted, 'dev'], by())).toMatchObject({
      outcome: 'done',
      changed: true,
      user: { login: 'p2', groups: [...groups].sort() },
    });
    expect(await store.users.replaceGroups(2, groups, by())).toMatchObject({ outcome: 'done', changed: false });
    expect(await store.users.replaceGroups(99, ['dev'], by())).toEqual({ outcome: 'unknown_user' });
    expect(await audited(store, 'ann')).toMatchObject([
      { action: 'user.groups_replaced', target: 'p2', before: [], after: [...groups].sort(), requestId: 'request-1' },
    ]);
  });

  test('groups that changed since they were read are left as they are', async () => {
    const store = await given.open();
    await settle(store, ['admin'], ['admin', 'dev']);
    const replace = (wanted: Group[], before: Group[]) => store.users.replaceGroups(2, wanted, { ...by(), before });
    expect(await replace([], ['dev', 'admin', 'dev'])).toMatchObject({ outcome: 'done', changed: true });
    expect(await replace(['admin', 'dev', 'pm'], ['admin', 'dev'])).toEqual({ outcome: 'outdated' });
    expect(await replace([], ['admin', 'dev'])).toMatchObject({ outcome: 'done', changed: false });
    expect((await store.users.find(2))?.groups).toEqual([]);
    expect(await audited(store, 'ann')).toHaveLength(1);
    const rush = await Promise.all(groups.map((group) => replace([group], [])));
    expect(rush.map(({ outcome }) => outcome).sort()).toEqual(['done', ...Array(groups.length - 1).fill('outdated')]);
  });

  test('a change that cannot be written down is not made', async () => {
    const { store, database } = await given.openRaw();
    await settle(store, ['admin'], ['dev']);
    await database.query(`create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'full'; end $$`);
    await database.query('create trigger refuse_entry before insert on audit_log execute function refuse_entry()');
    await expect(store.users.replaceGroups(2, ['pm'], by())).rejects.toThrow();
    await expect(store.users.signedIn(profile(3), { ...nothing, defaultGroup: 'dev' }, 'r', noon)).rejects.toThrow();
    const cell = { group: 'dev', flag: 'dora', granted: false } as const;
    await expect(store.permissions.set(cell, by())).rejects.toThrow();
    await expect(store.identity.link({ alias: 'b', primary: 'a' }, by())).rejects.toThrow();
    await expect(store.identity.markDistinct({ a: 'a', b: 'b' }, by())).rejects.toThrow();
    await expect(store.settings.put('team', { value: { start: 1 }, by: by() })).rejects.toThrow();
    expect((await store.users.find(2))?.groups).toEqual(['dev']);
    expect(await store.users.find(3)).toBeNull();
    expect(await store.permissions.grantedTo(['dev'])).toContain('dora');
    expect(await store.identity.known()).toEqual({ links: [], distinct: [] });
    expect(await store.settings.get('team')).toBeNull();
    await database.query('drop trigger refuse_entry on audit_log');
    expect(await store.users.replaceGroups(2, ['pm'], by())).toMatchObject({ outcome: 'done', changed: true });
  });

  test('people are found by login, name and group; a renamed account keeps its groups', async () => {
    const store = await given.open();
    await settle(store, ['admin'], ['dev']);
    await store.users.signedIn({ ...profile(2, 'New-Name'), name: 'Ngô 50%_x' }, nothing, 'r', noon + hour);
    const found = async (text: string | null, group: Group | 'none' | null = null) =>
      (await store.users.list({ text, group, limit: 10, offset: 0 })).users.map(({ login }) => login);
    expect(await found(null)).toEqual(['New-Name', 'p1']);
    expect([await found('NAME'), await found('ngô'), await found('p2')]).toEqual([['New-Name'], ['New-Name'], []]);
    expect([await found('0%_'), await found('%'), await found('\\')]).toEqual([['New-Name'], ['New-Name'], []]);
    expect([await found(null, 'dev'), await found(null, 'none')]).toEqual([['New-Name'], []]);
    expect(await store.users.findByLogin('NEW-name')).toMatchObject({ codehostId: 2, groups: ['dev'] });
    expect(await store.users.findByLogin('p2')).toBeNull();
  });

  test('of two accounts of one name the later one is meant', async () => {
    const store = await given.open();
    await store.users.signedIn(profile(1, 'bo'), nothing, 'r', noon);
    await store.users.signedIn(profile(2, 'Bo'), nothing, 'r', noon + minute);
    expect(await store.users.findByLogin('bo')).toMatchObject({ codehostId: 2 });
  });
});
