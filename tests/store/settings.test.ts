import { expect, test } from 'vitest';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { noon } from './world.ts';

const by = { actor: { id: 101, login: 'ann' }, requestId: null, now: noon };

eachDatabase((given) => {
  test('a setting that is saved, in whichever process, is read at once', async () => {
    const address = await given.address();
    const store = await openTestStore(address);
    // A folder of the embedded database is of one process.
    const other = given.name === 'postgresql' ? await openTestStore(address) : store;
    try {
      const read = () => Promise.all([store, other].map(async (one) => (await one.settings.get('team'))?.value));
      expect(await read()).toEqual([undefined, undefined]);
      for (const start of [9, 8, 9]) {
        await other.settings.put('team', { value: { start }, by });
        expect(await read()).toEqual([{ start }, { start }]);
        expect(await read()).toEqual([{ start }, { start }]);
      }
      await store.settings.put('other', { value: {}, by });
      expect(await read()).toEqual([{ start: 9 }, { start: 9 }]);
    } finally {
      await store.close();
      if (other !== store) await other.close();
    }
  });

  test('a change of what was saved by now otherwise is not made', async () => {
    const store = await given.open();
    const put = (value: object, version?: number, secret?: { sealed: string; hint: string }) =>
      store.settings.put('team', { value, secret, by: { ...by, version } });
    expect(await put({ start: 9 }, 1)).toBe('outdated');
    expect(await Promise.all([put({ start: 9 }, 0), put({ start: 9 }, 0)])).toEqual([1, 1]);
    const answers = await Promise.all([1, 2, 3, 4].map((start) => put({ start }, 1)));
    expect(answers.map(String).sort()).toEqual(['2', 'outdated', 'outdated', 'outdated']);
    const key = { sealed: 'sealed', hint: '••••' };
    expect([await put({ start: 5 }, 1, key), await put({ start: 5 }, 2, key), await put({ start: 6 })]).toEqual([
      'outdated',
      3,
      4,
    ]);
    expect(await store.settings.get('team')).toMatchObject({ value: { start: 6 }, version: 4, secretSealed: 'sealed' });
  });

  test('a setting of which no audit row can be written is not changed', async () => {
    const { store, database } = await given.openRaw();
    await store.settings.put('team', { value: { start: 9 }, by });
    await database.query(`
      create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'the audit log is full'; end $$`);
    await database.query(
      'create trigger refuse_entry before insert on audit_log for each row execute function refuse_entry()',
    );
    const change = { value: { start: 8 }, secret: { sealed: 'sealed', hint: '••••' }, by };
    await expect(store.settings.put('team', change)).rejects.toThrow(/the audit log is full/);
    expect(await store.settings.get('team')).toMatchObject({ value: { start: 9 }, secretSealed: null, version: 1 });
  });
});
