import type { Hits, SharedRateCounter } from '../platform/mirrored-rate-counter.ts';
import type { RateVerdict } from '../platform/rate-limit.ts';
import type { Database } from './database.ts';
import { serviceStatements } from './statements.ts';

/** Counts shared by all processes: at most `limit` accepted requests in any window; denied ones do not count. */
export const rateLimits = (database: Database): SharedRateCounter => ({
  async hit(key, limit, windowMs, now): Promise<RateVerdict> {
    const parameters = { key, max: limit, window_ms: windowMs, now };
    const [accepted] = await database.run<Window>(serviceStatements.accept_request, parameters);
    const window = accepted ?? (await count(database, key, windowMs, now));
    return verdict(accepted !== undefined, window, limit, windowMs, now);
  },
  async look(key, limit, windowMs, now): Promise<RateVerdict> {
    const window = await count(database, key, windowMs, now);
    return verdict((window?.count ?? 0) < limit, window, limit, windowMs, now);
  },
  merge(accepted, windowMs, now): Promise<Hits[]> {
    const requests = accepted.map(({ key, hits }) => ({ key, hits }));
    const parameters = { accepted: JSON.stringify(requests), since: now - windowMs, now };
    return database.run<Hits>(serviceStatements.merge_requests, parameters);
  },
});

interface Window {
  count: number;
  oldest: number | null;
}

async function count(database: Database, key: string, windowMs: number, now: number): Promise<Window | undefined> {
  return (await database.run<Window>(serviceStatements.count_requests, { key, window_ms: windowMs, now }))[0];
}

const verdict = (
  allowed: boolean,
  window: Window | undefined,
  limit: number,
  windowMs: number,
  now: number,
): RateVerdict => ({
  allowed,
  limit,
  remaining: Math.max(0, limit - (window?.count ?? 0)),
  resetMs: window?.oldest == null ? windowMs : Math.max(0, window.oldest + windowMs - now),
});
