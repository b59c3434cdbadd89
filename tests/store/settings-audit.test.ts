import { expect, test } from 'vitest';
import { eachDatabase } from '../support/database.ts';
import { noon } from './world.ts';

eachDatabase((given) => {
  test('a setting of which no audit row can be written is not changed', async () => {
    const { store, database } = await given.openRaw();
    const by = { actor: { id: 101, login: 'ann' }, requestId: null, now: noon };
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
