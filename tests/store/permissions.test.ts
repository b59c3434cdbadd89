import { expect, test } from 'vitest';
import { editableGroups, type Group } from '../../server/store/entities/user.ts';
import { eachDatabase } from '../support/database.ts';
import { noon } from './world.ts';

const by = (login: string) => ({ actor: { id: 1, login }, requestId: null, now: noon });

eachDatabase((given) => {
  test('two hundred cells set at once by several all hold what was said last, each with its entry', async () => {
    const store = await given.open();
    const flags = Array.from({ length: 50 }, (_, n) => `flag${n}`);
    const cells = editableGroups.flatMap((group) => flags.map((flag) => ({ group, flag })));
    await Promise.all(cells.map((cell, n) => store.permissions.set({ ...cell, granted: true }, by(`admin${n % 5}`))));
    const ours = (await store.permissions.all()).filter(({ flag }) => flag.startsWith('flag'));
    expect(ours).toHaveLength(200);
    expect(ours.every(({ granted }) => granted)).toBe(true);
    const filter = {
      limit: 500,
      before: null,
      categories: ['access' as const],
      actor: null,
      action: 'permission.granted',
    };
    const targets = (await store.audit.list(filter)).map(({ target }) => target);
    expect(targets.sort()).toEqual(cells.map(({ group, flag }) => `${group}/${flag}`).sort());
    expect(await store.audit.broken()).toBeNull();
  });

  test('the same cell set by many at once is changed and written down once', async () => {
    const store = await given.open();
    const set = (granted: boolean) => store.permissions.set({ group: 'pm', flag: 'new', granted }, by('ann'));
    const answers = async (granted: boolean) => Promise.all(Array.from({ length: 20 }, () => set(granted)));
    expect((await answers(false)).filter(Boolean)).toHaveLength(0);
    expect((await answers(true)).filter(Boolean)).toHaveLength(1);
    expect((await answers(false)).filter(Boolean)).toHaveLength(1);
    const filter = { limit: 10, before: null, categories: null, actor: 'ann', action: null };
    expect((await store.audit.list(filter)).map(({ action, before, after }) => [action, before, after])).toEqual([
      ['permission.revoked', true, false],
      ['permission.granted', false, true],
    ]);
  });

  test('several groups have what any of them is granted', async () => {
    const store = await given.open();
    await store.permissions.set({ group: 'security', flag: 'dora', granted: false }, by('ann'));
    const granted = async (...groups: Group[]) => (await store.permissions.grantedTo(groups)).includes('dora');
    expect([await granted('security'), await granted('security', 'dev'), await granted()]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
