import { describe, expect, test } from 'vitest';
import { markAuthorNames } from '../../migrations/Migration20261130093000_author_names.ts';
import { peopleIn } from '../../server/identity/people.ts';
import type { Database } from '../../server/store/database.ts';
import { aDatabase } from '../support/a-database.ts';

const env = { BOT_LOGINS: ['Deploy-Account'] };
const account = (login: string) => ({ login, avatarUrl: '', isBot: false });

test('without a database nobody is linked, and configured bots are bots', async () => {
  const people = await peopleIn({ store: null, env });
  expect(people.isSame(account('ann'), account('ANN'))).toBe(true);
  expect(people.isSame(account('ann'), account('ann-laptop'))).toBe(false);
  expect(people.isBot(account('deploy-account'))).toBe(true);
});

aDatabase((given) => {
  const link = (database: Database, alias: string, primary: string) =>
    database.query(
      `insert into identity_links (alias_key, alias, primary_key, primary_login, created_by, created_at)
       values (lower($1), $1, lower($2), $2, 'admin', now())`,
      [alias, primary],
    );

  describe('links', () => {
    test('make several accounts and names one person', async () => {
      const { store, database } = await given.openRaw();
      await link(database, 'Ann-Laptop', 'Ann');
      await link(database, 'Ann Example', 'Ann');
      expect(await store.identity.links()).toEqual([
        { alias: 'Ann Example', primary: 'Ann' },
        { alias: 'Ann-Laptop', primary: 'Ann' },
      ]);
      const people = await peopleIn({ store, env });
      expect(people.isSame(account('ann'), account('ann-laptop'))).toBe(true);
      expect(people.toAuthorKey({ author: null, authorName: 'Ann Example' })).toBe(people.toKey(account('ann')));
      expect(people.isSame(account('ann'), account('bo'))).toBe(false);
    });

    test('of before names were told from logins are of a name where they can be of nothing else', async () => {
      const { store, database } = await given.openRaw();
      for (const alias of ['Ann Example', 'Ann-Laptop', 'ann[bot]', 'ngô', 'ann.example'])
        await link(database, alias, 'Ann');
      await database.query(markAuthorNames);
      const links = await store.identity.links();
      expect(links.map(({ alias, isName = false }) => [alias, isName])).toEqual([
        ['Ann-Laptop', false],
        ['ann[bot]', false],
        ['Ann Example', true],
        ['ann.example', true],
        ['ngô', true],
      ]);
      const people = await peopleIn({ store, env });
      expect(people.toAuthorKey({ author: null, authorName: 'ann example' })).toBe(people.toKey(account('ann')));
    });

    test('never form a chain, nor lead to themselves', async () => {
      const { store, database } = await given.openRaw();
      await link(database, 'b', 'a');
      await expect(link(database, 'a', 'c')).rejects.toThrow('never an alias itself');
      await expect(link(database, 'c', 'b')).rejects.toThrow('never an alias itself');
      await expect(link(database, 'd', 'D')).rejects.toThrow(/check/);
      await expect(link(database, 'B', 'e')).rejects.toThrow(/unique/);
      const many = `insert into identity_links select a, a, p, p, 'admin', now() from (values ('x', 'y'), ('y', 'z')) l(a, p)`;
      await expect(database.query(many)).rejects.toThrow('never an alias itself');
      await link(database, 'c', 'a');
      await expect(database.query(`update identity_links set primary_key = 'b' where alias_key = 'c'`)).rejects.toThrow(
        'never an alias itself',
      );
      expect(await store.identity.links()).toEqual([
        { alias: 'b', primary: 'a' },
        { alias: 'c', primary: 'a' },
      ]);
    });

    test('form no chain when both halves come at once', async () => {
      const { store, database } = await given.openRaw();
      const pairs = Array.from({ length: 10 }, (_, i) => [`middle-${i}`, `end-${i}`] as const);
      const written = await Promise.allSettled(
        pairs.flatMap(([middle, end]) => [link(database, middle, `top-${middle}`), link(database, end, middle)]),
      );
      expect(written.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      const links = await store.identity.links();
      const aliases = new Set(links.map(({ alias }) => alias));
      expect(links.filter(({ primary }) => aliases.has(primary))).toEqual([]);
    });

    test('cannot be passed over when the database fails', async () => {
      const { store, database } = await given.openRaw();
      await database.query('alter table identity_links rename to elsewhere');
      await expect(peopleIn({ store, env })).rejects.toThrow(/identity_links/);
      await database.query('alter table elsewhere rename to identity_links');
    });
  });

  test('a pair of distinct people is stored once, the smaller key first', async () => {
    const { database } = await given.openRaw();
    const insert = (a: string, b: string) =>
      database.query(`insert into distinct_pairs values ($1, $2, $1, $2, 'admin', now())`, [a, b]);
    await insert('B', 'a');
    await expect(insert('B', 'a')).rejects.toThrow(/unique/);
    await expect(insert('a', 'B')).rejects.toThrow(/check/);
    await expect(insert('a', 'a')).rejects.toThrow(/check/);
  });
});
