import { LRUCache } from 'lru-cache';
import type { Actor } from '../../metrics/kernel/facts.ts';
import type { Queries } from '../database.ts';

const capacity = 50_000;

/** Reads accounts by their keys. The account of a key never changes, so that each is read once. */
export function accountReader({ db }: Queries) {
  const known = new LRUCache<string, Actor>({ maxSize: capacity, sizeCalculation: () => 1 });
  return async (keys: ReadonlySet<string>): Promise<(key: string | null) => Actor | null> => {
    const wanted = new Map([...keys].map((key) => [key, known.get(key) ?? null]));
    const missing = [...wanted].flatMap(([key, account]) => (account ? [] : [key]));
    for (const { id, ...account } of missing.length > 0 ? await read(missing) : []) {
      wanted.set(id, account);
      known.set(id, account);
    }
    return (key) => (key === null ? null : (wanted.get(key) ?? null));
  };

  function read(ids: string[]) {
    return db
      .selectFrom('accounts')
      .select(['id', 'login', 'avatarUrl', 'isBot'])
      .where(({ eb, fn }) => eb('id', '=', fn.any(eb.val(ids))))
      .execute();
  }
}
