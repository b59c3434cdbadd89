import type { Selectable } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import { type Database, jsonb, type Tables } from './database.ts';

export type CachedAnswer = Pick<Selectable<Tables['ai_cache']>, 'payload' | 'createdAt'>;

/** Checked answers of AI providers, shared by all processes. */
export const aiCache = ({ db }: Database) => ({
  /** The answer under the first of the keys that has one; null when none has, or they have expired by `now`. */
  async get(keys: readonly string[], now: Instant): Promise<CachedAnswer | null> {
    const cached = await db
      .selectFrom('ai_cache')
      .select(['key', 'payload', 'createdAt'])
      .where((eb) => eb('key', '=', eb.fn.any(eb.val([...keys]))))
      .where('expiresAt', '>', now)
      .execute();
    const first = keys.map((wanted) => cached.find(({ key }) => key === wanted)).find((one) => one !== undefined);
    return first ? { payload: first.payload, createdAt: first.createdAt } : null;
  },
  async put(key: string, payload: object, now: Instant, ttlMs: number): Promise<void> {
    const expiresAt = now + ttlMs;
    await db
      .insertInto('ai_cache')
      .values({ key, payload: jsonb(payload), createdAt: now, expiresAt })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((eb) => ({ payload: eb.ref('excluded.payload'), createdAt: now, expiresAt })),
      )
      .execute();
  },
});
