import { LRUCache } from 'lru-cache';
import { Problem } from './problem.ts';

export interface RateVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds until the oldest counted request leaves the window. */
  resetMs: number;
}

/** Counts accepted requests in an exact rolling window; rejected requests do not count. */
export interface RateCounter {
  hit(key: string, limit: number, windowMs: number, now: number): Promise<RateVerdict>;
  /** The current state, without counting; `allowed`: whether another request would be. */
  look(key: string, limit: number, windowMs: number, now: number): Promise<RateVerdict>;
}

/** The counter of a process without others beside it. */
export function memoryRateCounter(): RateCounter {
  const windows = new LRUCache<string, number[]>({ maxSize: maxWindows, sizeCalculation: () => 1 });
  const inside = (key: string, from: number) => younger(windows.get(key) ?? [], from);
  return {
    async hit(key, limit, windowMs, now) {
      const hits = inside(key, now - windowMs);
      const allowed = hits.length < limit;
      if (allowed) hits.push(now);
      windows.set(key, hits);
      return verdictOn(hits, allowed, limit, windowMs, now);
    },
    async look(key, limit, windowMs, now) {
      const hits = inside(key, now - windowMs);
      return verdictOn(hits, hits.length < limit, limit, windowMs, now);
    },
  };
}

export const maxWindows = 50_000;

/** Those of a window, the oldest first, that are younger than `from`; mostly all of them. */
export const younger = (hits: number[], from: number): number[] =>
  hits[0] !== undefined && hits[0] <= from ? hits.filter((at) => at > from) : hits;

/** The verdict from the accepted requests of a window, the oldest first. */
export const verdictOn = (
  hits: readonly number[],
  allowed: boolean,
  limit: number,
  windowMs: number,
  now: number,
): RateVerdict => ({
  allowed,
  limit,
  remaining: Math.max(0, limit - hits.length),
  resetMs: hits[0] === undefined ? windowMs : hits[0] + windowMs - now,
});

/** Throws `rate_limited` when a request was one too many. */
export function assertWithinLimit(verdict: RateVerdict): void {
  if (verdict.allowed) return;
  const wait = ceilSeconds(verdict.resetMs);
  throw new Problem('rate_limited', `Too many requests. Try again in ${wait} s.`, { details: { retry_after_s: wait } });
}

export const ceilSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
