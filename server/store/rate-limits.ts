import type { Hits, SharedRateCounter } from '../platform/mirrored-rate-counter.ts';
import type { RateVerdict } from '../platform/rate-limit.ts';
import type { Database } from './database.ts';

/** Counts shared by all processes: at most `limit` accepted requests in any window; refused ones do not count. */
export const rateLimits = (database: Database): SharedRateCounter => ({
  async hit(key, limit, windowMs, now): Promise<RateVerdict> {
    const parameters = [key, limit, windowMs, now];
    const [accepted] = await database.query<Window>(accept, parameters);
    const window = accepted ?? (await standing(database, key, windowMs, now));
    return { allowed: accepted !== undefined, ...left(window, limit, windowMs, now) };
  },
  async look(key, limit, windowMs, now): Promise<RateVerdict> {
    const window = await standing(database, key, windowMs, now);
    return { allowed: (window?.count ?? 0) < limit, ...left(window, limit, windowMs, now) };
  },
  async merge(accepted, windowMs, now): Promise<Hits[]> {
    const told = accepted.map(({ key, hits }) => ({ key, hits }));
    return database.query<Hits>(merge, [JSON.stringify(told), now - windowMs, now]);
  },
});

const standing = async (database: Database, key: string, windowMs: number, now: number) =>
  (await database.query<Window>(look, [key, windowMs, now]))[0];

const left = (window: Window | undefined, limit: number, windowMs: number, now: number) => ({
  limit,
  remaining: Math.max(0, limit - (window?.count ?? 0)),
  resetMs: window?.oldest == null ? windowMs : Math.max(0, window.oldest + windowMs - now),
});

interface Window {
  count: number;
  oldest: number | null;
}

/** The hits of a row that are still inside the window of the moment $4. */
const inside = (row: string) =>
  `array(select hit from unnest(${row}.hits) hit where hit > $4::bigint - $3::bigint order by hit)`;
const state = `cardinality(counter.hits) as count, counter.hits[1]::float8 as oldest`;

/** Adds a hit where there is room, atomically: concurrent requests wait for each other on the row. */
const accept = `
  insert into rate_limits as counter (key, hits, updated_at)
  select $1, array[$4::bigint], to_timestamp($4::float8 / 1000) where $2::int > 0
  on conflict (key) do update set hits = ${inside('counter')} || $4::bigint, updated_at = excluded.updated_at
  where cardinality(${inside('counter')}) < $2::int
  returning ${state}`;

const look = `
  select count(*)::int as count, min(hit)::float8 as oldest
  from rate_limits, unnest(hits) hit where key = $1 and hit > $3::bigint - $2::bigint`;

/** In the order of keys, so that two processes that tell of the same sessions do not wait for each other in a circle. */
const merge = `
  insert into rate_limits as counter (key, hits, updated_at)
  select key, hits, to_timestamp($3::float8 / 1000) from jsonb_to_recordset($1::jsonb) as told(key text, hits bigint[])
  order by key
  on conflict (key) do update set
    hits = array(select hit from unnest(counter.hits || excluded.hits) hit where hit > $2::bigint order by hit),
    updated_at = excluded.updated_at
  returning key, hits::float8[] as hits`;
