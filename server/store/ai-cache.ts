import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { fromMs, storable, toMs } from './wire-sql.ts';

export interface CachedAnswer {
  payload: unknown;
  createdAt: Instant;
}

/** Checked answers of AI providers, shared by all processes. */
export const aiCache = (database: Database) => ({
  /** The answer under the first of the keys that has one; null when none has, or they have expired by `now`. */
  async get(keys: readonly string[], now: Instant): Promise<CachedAnswer | null> {
    const [row] = await database.query<CachedAnswer>(find, [keys, now]);
    return row ?? null;
  },
  async put(key: string, payload: object, now: Instant, ttlMs: number): Promise<void> {
    await database.query(upsert, [key, storable(JSON.stringify(payload)), now, now + ttlMs]);
  },
});

const find = `
  select payload, ${toMs('created_at')} as "createdAt"
  from ai_cache where key = any($1::text[]) and expires_at > ${fromMs('$2')}
  order by array_position($1::text[], key) limit 1`;

const upsert = `
  insert into ai_cache as kept (key, payload, created_at, expires_at)
  values ($1, $2::jsonb, ${fromMs('$3')}, ${fromMs('$4')})
  on conflict (key) do update
    set payload = excluded.payload, created_at = excluded.created_at, expires_at = excluded.expires_at`;
