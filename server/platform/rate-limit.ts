import { LRUCache } from 'lru-cache';

export interface RateVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds until the oldest counted request leaves the window. */
  resetMs: number;
}

/** Counts accepted requests in an exact rolling window; refused requests do not count. */
export interface RateCounter {
  hit(key: string, limit: number, windowMs: number, now: number): Promise<RateVerdict>;
}

/** The counter of a process without a database, and of limits that need not be shared. */
export function memoryRateCounter(): RateCounter {
  const windows = new LRUCache<string, number[]>({ max: 50_000 });
  return {
    async hit(key, limit, windowMs, now) {
      const hits = (windows.get(key) ?? []).filter((at) => at > now - windowMs);
      const allowed = hits.length < limit;
      if (allowed) hits.push(now);
      windows.set(key, hits);
      const resetMs = hits[0] === undefined ? windowMs : hits[0] + windowMs - now;
      return { allowed, limit, remaining: limit - hits.length, resetMs };
    },
  };
}
