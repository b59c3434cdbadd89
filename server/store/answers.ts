import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { fromMs, storable, toMs } from './wire-sql.ts';

/** Answers that are costly to make again, as JSON, shared by all processes. */
export const answers = (database: Database) => ({
  /** null when there is none, or it has expired by `now`. */
  async get<T>(key: string, now: Instant): Promise<{ value: T; madeAt: Instant } | null> {
    const [row] = await database.query<{ value: T; madeAt: Instant }>(find, [key, now]);
    return row ?? null;
  },
  /** Keeps an answer in place of an older one. Of two made at once the later one stays. */
  async put(key: string, value: unknown, now: Instant, ttlMs: number): Promise<void> {
    await database.query(upsert, [key, storable(JSON.stringify(value)), now, now + ttlMs]);
  },
});

const find = `
  select value, ${toMs('made_at')} as "madeAt"
  from kept_answers where key = $1 and expires_at > ${fromMs('$2')}`;

const upsert = `
  insert into kept_answers as kept (key, value, made_at, expires_at) values ($1, $2::jsonb, ${fromMs('$3')}, ${fromMs('$4')})
  on conflict (key) do update set value = excluded.value, made_at = excluded.made_at, expires_at = excluded.expires_at
  where excluded.made_at >= kept.made_at`;
