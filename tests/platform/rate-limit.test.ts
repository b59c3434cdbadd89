import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryRateCounter } from '../../server/platform/rate-limit.ts';

const windowMs = 60_000;

describe('the counter of requests', () => {
  test('reports what is left, and when the next place is free', async () => {
    const counter = memoryRateCounter();
    const hit = (now: number) => counter.hit('a', 2, windowMs, now);
    expect(await hit(1000)).toEqual({ allowed: true, limit: 2, remaining: 1, resetMs: 60_000 });
    expect(await hit(11_000)).toEqual({ allowed: true, limit: 2, remaining: 0, resetMs: 50_000 });
    expect(await hit(21_000)).toEqual({ allowed: false, limit: 2, remaining: 0, resetMs: 40_000 });
    expect(await hit(60_999)).toMatchObject({ allowed: false, resetMs: 1 });
    expect(await hit(61_000)).toEqual({ allowed: true, limit: 2, remaining: 0, resetMs: 10_000 });
    expect(await hit(61_001)).toMatchObject({ allowed: false });
  });

  test('counts each key for itself', async () => {
    const counter = memoryRateCounter();
    expect((await counter.hit('a', 1, windowMs, 0)).allowed).toBe(true);
    expect((await counter.hit('b', 1, windowMs, 0)).allowed).toBe(true);
    expect((await counter.hit('a', 1, windowMs, 0)).allowed).toBe(false);
  });

  test('in any window there are never more than the limit, and no request is rejected without need', async () => {
    const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 6 }), async (gaps, limit) => {
        const counter = memoryRateCounter();
        const accepted: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const inside = accepted.filter((at) => at > now - windowMs).length;
          const { allowed, remaining } = await counter.hit('a', limit, windowMs, now);
          expect(allowed).toBe(inside < limit);
          if (allowed) accepted.push(now);
          expect(remaining).toBe(limit - accepted.filter((at) => at > now - windowMs).length);
        }
      }),
    );
  });
});
