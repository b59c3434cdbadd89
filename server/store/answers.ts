import type { Instant } from '../metrics/kernel/facts.ts';
import { type Database, jsonb, type Queries } from './database.ts';

/** Answers that are expensive to compute again, as JSON, shared by all processes. */
export const answers = (database: Database) => ({
  /** null when there is none, or it has expired by `now`. */
  async get<T>(key: string, now: Instant): Promise<{ value: T; madeAt: Instant } | null> {
    const answer = await database.db
      .selectFrom('cached_answers')
      .select(['value', 'madeAt'])
      .where('key', '=', key)
      .where('expiresAt', '>', now)
      .$castTo<{ value: T; madeAt: Instant }>()
      .executeTakeFirst();
    return answer ?? null;
  },
  /** Several at once, by their keys; those that are not there, or have expired by `now`, are absent. */
  async getMany<T>(keys: readonly string[], now: Instant): Promise<Map<string, T>> {
    const known = await database.db
      .selectFrom('cached_answers')
      .select(['key', 'value'])
      .where(({ eb, fn }) => eb('key', '=', fn.any(eb.val([...keys]))))
      .where('expiresAt', '>', now)
      .$castTo<{ key: string; value: T }>()
      .execute();
    return new Map(known.map(({ key, value }) => [key, value]));
  },
  /** Stores an answer where there is none by `now`; answers whether there was none. Of two at once one is stored. */
  async claim(key: string, value: unknown, now: Instant, ttlMs: number): Promise<boolean> {
    const row = { value: jsonb(value), madeAt: now, expiresAt: now + ttlMs };
    const stored = await database.db
      .insertInto('cached_answers')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row).where('cached_answers.expiresAt', '<=', now))
      .returning('key')
      .executeTakeFirst();
    return stored !== undefined;
  },
  /** Stores an answer in place of an older one. Of two computed at once the later one stays. */
  put: (key: string, value: unknown, now: Instant, ttlMs: number): Promise<void> =>
    putAnswers(database, new Map([[key, value]]), now, ttlMs),
});

/** Stores answers by their keys, each in place of an older one. */
export async function putAnswers(
  { db }: Queries,
  values: ReadonlyMap<string, unknown>,
  now: Instant,
  ttlMs: number,
): Promise<void> {
  const expiresAt = now + ttlMs;
  await db
    .insertInto('cached_answers')
    .values([...values].map(([key, value]) => ({ key, value: jsonb(value), madeAt: now, expiresAt })))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => ({ value: eb.ref('excluded.value'), madeAt: now, expiresAt }))
        .where('cached_answers.madeAt', '<=', now),
    )
    .execute();
}
