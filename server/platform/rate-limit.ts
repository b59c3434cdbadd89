import { LRUCache } from 'lru-cache';
import { Problem } from './problem.ts';

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
  /** How it stands, without counting; `allowed` says whether there is room. */
  look(key: string, limit: number, windowMs: number, now: number): Promise<RateVerdict>;
}

/** The counter of a process without a database, and of limits that need not be shared. */
export function memoryRateCounter(): RateCounter {
  const windows = new LRUCache<string, number[]>({ max: 50_000 });
  const inside = (key: string, from: number) => (windows.get(key) ?? []).filter((at) => at > from);
  const verdict = (hits: number[], allowed: boolean, limit: number, windowMs: number, now: number) => ({
    ...{ allowed, limit, remaining: limit - hits.length },
    resetMs: hits[0] === undefined ? windowMs : hits[0] + windowMs - now,
  });
  return {
    async hit(key, limit, windowMs, now) {
      const hits = inside(key, now - windowMs);
      const allowed = hits.length < limit;
      if (allowed) hits.push(now);
      windows.set(key, hits);
      return verdict(hits, allowed, limit, windowMs, now);
    },
    async look(key, limit, windowMs, now) {
      const hits = inside(key, now - windowMs);
      return verdict(hits, hits.length < limit, limit, windowMs, now);
    },
  };
}

/** Throws `rate_limited` when a request was one too many. */
export function limited(verdict: RateVerdict): void {
  if (verdict.allowed) return;
  const wait = wholeSeconds(verdict.resetMs);
  throw new Problem('rate_limited', `Too many requests. Try again in ${wait} s.`, { details: { retry_after_s: wait } });
}

export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
