import { LRUCache } from 'lru-cache';
import type { Actor } from '../../metrics/facts.ts';
import type { Queries } from '../database.ts';

const capacity = 50_000;

/** Reads accounts by their keys. What a key stands for never changes, so that each is read once. */
export function accountReader(database: Queries) {
  const known = new LRUCache<string, Actor>({ max: capacity });
  return async (keys: ReadonlySet<string>): Promise<(key: string | null) => Actor | null> => {
    const wanted = new Map([...keys].map((key) => [key, known.get(key) ?? null]));
    const missing = [...wanted].flatMap(([key, account]) => (account ? [] : [key]));
    for (const { key, ...account } of missing.length > 0 ? await read(database, missing) : []) {
      wanted.set(key, account);
      known.set(key, account);
    }
    return (key) => (key === null ? null : (wanted.get(key) ?? null));
  };
}

const read = (database: Queries, keys: string[]) =>
  database.query<Actor & { key: string }>(
    `select id::text as key, login, avatar_url as "avatarUrl", is_bot as "isBot" from accounts where id = any($1::bigint[])`,
    [keys],
  );
