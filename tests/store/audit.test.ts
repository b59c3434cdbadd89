import { expect, test } from 'vitest';
import { type AuditEntry, auditLog } from '../../server/store/audit.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';
import { noon } from './world.ts';

const entry = (n: number, parts: Partial<AuditEntry> = {}): AuditEntry => ({
  category: 'access',
  action: 'test.happened',
  actor: { id: n, login: `actor${n}` },
  targetType: 'test',
  target: `target${n}`,
  before: { n },
  after: [n, null, 'ü'],
  requestId: `request-${n}`,
  note: null,
  ...parts,
});
const everything = { limit: 1000, before: null, categories: null, actor: null, action: null };

async function filled(store: Store, count: number) {
  for (let n = 1; n <= count; n++) await store.audit.append(entry(n), noon + n);
}

/** What somebody with all rights over the database does who goes round the rules, and what it looks like. */
const tampering: [what: string, foundAt: number, ...statements: string[]][] = [
  ['a changed entry', 3, `update audit_log set actor_login = 'somebody' where id = 3`],
  ['a changed time', 2, `update audit_log set at = at + interval '1 second' where id = 2`],
  ['a changed value', 4, `update audit_log set before = '{"n": 5}' where id = 4`],
  ['a removed entry', 4, 'delete from audit_log where id = 3'],
  ['the first one removed', 2, 'delete from audit_log where id = 1'],
  [
    'a changed entry with a new hash',
    4,
    `update audit_log set note = 'x' where id = 3`,
    'update audit_log set hash = audit_log_hash(audit_log) where id = 3',
  ],
  [
    'an inserted entry',
    4,
    'update audit_log set id = id + 100 where id >= 4',
    'update audit_log set id = id - 99 where id > 100',
    `insert into audit_log select 4, at, category, action, actor_id, 'somebody', target_type, target, before, after,
       request_id, note, previous_hash, hash from audit_log where id = 3`,
  ],
  [
    'a copied entry at the end',
    6,
    `insert into audit_log select 6, at, category, action, actor_id, actor_login, target_type, target, before, after,
       request_id, note, previous_hash, hash from audit_log where id = 5`,
  ],
];

eachDatabase((given) => {
  test('entries of many at once get numbers without a gap, in the order of the chain', async () => {
    const store = await given.open();
    await Promise.all(Array.from({ length: 200 }, (_, n) => store.audit.append(entry(n), noon + n)));
    const entries = await store.audit.list(everything);
    expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, n) => 200 - n));
    expect(new Set(entries.map(({ hash }) => hash)).size).toBe(200);
    expect(await store.audit.broken()).toBeNull();
  });

  test('what was written is read, newest first, by page and by filter', async () => {
    const store = await given.open();
    await filled(store, 5);
    await store.audit.append(
      entry(6, { category: 'identity', action: 'test.other', before: null, after: false }),
      noon,
    );
    const [newest, previous] = await store.audit.list({ ...everything, limit: 2 });
    expect(newest).toEqual({
      ...entry(6, { category: 'identity', action: 'test.other', before: null, after: false }),
      id: 6,
      at: noon,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(previous).toEqual({ ...entry(5), id: 5, at: noon + 5, hash: expect.any(String) });
    const ids = async (filter: object) => (await store.audit.list({ ...everything, ...filter })).map(({ id }) => id);
    expect(await ids({ before: 3 })).toEqual([2, 1]);
    expect(await ids({ actor: 'ACTOR3' })).toEqual([3]);
    expect(await ids({ action: 'test.other' })).toEqual([6]);
    expect(await ids({ categories: ['identity', 'alerts'] })).toEqual([6]);
  });

  test('nothing in it can be changed or removed', async () => {
    const { store, database } = await given.openRaw();
    await filled(store, 3);
    for (const statement of [
      `update audit_log set note = 'x' where id = 2`,
      'update audit_log set id = id',
      'delete from audit_log where id = 2',
      'truncate audit_log',
    ])
      await expect(database.query(statement)).rejects.toThrow(/append-only/);
    expect(await store.audit.list(everything)).toHaveLength(3);
    expect(await store.audit.broken()).toBeNull();
  });

  test('whatever was changed, removed or put in between is found', async () => {
    const { store, database } = await given.openRaw();
    await filled(store, 5);
    const undone = new Error('undone');
    for (const [what, foundAt, ...statements] of tampering) {
      const attempt = database.transaction(async (queries) => {
        await queries.query('alter table audit_log disable trigger user');
        for (const statement of statements) await queries.query(statement);
        expect([what, await auditLog({ ...database, ...queries }).broken()]).toEqual([what, foundAt]);
        throw undone;
      });
      await expect(attempt).rejects.toBe(undone);
    }
    expect(await store.audit.broken()).toBeNull();
  });
});
