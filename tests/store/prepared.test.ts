import { expect, test } from 'vitest';
import { eachDatabase } from '../support/database.ts';

eachDatabase((given) => {
  test('what every request asks is planned once in a session, and is answered each time', async () => {
    const { store, database } = await given.openRaw();
    const prepared = () =>
      database.query(
        `select name, (generic_plans + custom_plans)::int as times from pg_prepared_statements where name <> '' order by 1`,
      );
    expect(await store.users.bySession(Buffer.alloc(32), 0)).toBeNull();
    expect(await store.users.bySession(Buffer.alloc(32, 1), 0)).toBeNull();
    await store.versions.read(['accounts']);
    expect(await prepared()).toEqual([
      { name: 'find_caller_by_session', times: 2 },
      { name: 'versions_of_scopes', times: 1 },
    ]);
  });
});
