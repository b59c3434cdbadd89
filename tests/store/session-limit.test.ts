import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { mirroredRateCounter, type SharedRateCounter } from '../../server/platform/mirrored-rate-counter.ts';
import { eachDatabase } from '../support/database.ts';
import { minute, noon } from './world.ts';

const log = createLog('silent');
const limit = 40;
/** What a process lets through before it has heard of the others. */
const expired = limit / 20;

/** Processes that count together, with a clock that a test moves. */
function processes(shared: SharedRateCounter, count: number) {
  const time = { now: noon };
  const clock = { now: () => time.now };
  const counters = Array.from({ length: count }, () => mirroredRateCounter({ shared, clock, log }));
  const hit = async (which: number, key: string) => {
    const verdict = await counters[which % count]?.hit(key, limit, minute, time.now);
    return verdict?.allowed ?? false;
  };
  return { time, counters, hit };
}

const mostIn = (accepted: readonly number[]) =>
  Math.max(0, ...accepted.map((from) => accepted.filter((at) => at >= from && at < from + minute).length));

eachDatabase((given) => {
  describe('the limit of a session, counted by several processes', () => {
    let rateLimits: SharedRateCounter;
    let key = '';
    let tests = 0;
    beforeAll(async () => {
      ({ rateLimits } = await given.open());
    });
    beforeEach(() => {
      key = `session ${tests++}`;
    });

    test('one process alone accepts exactly as many as allowed, and reports what is left', async () => {
      const [counter] = processes(rateLimits, 1).counters;
      for (let left = limit - 1; left >= 0; left--)
        expect(await counter?.hit(key, limit, minute, noon)).toMatchObject({ allowed: true, remaining: left });
      const problem = { allowed: false, limit, remaining: 0, resetMs: minute - 1000 };
      expect(await counter?.hit(key, limit, minute, noon + 1000)).toEqual(problem);
      expect(await counter?.look(key, limit, minute, noon + 1000)).toEqual(problem);
      expect((await counter?.hit(key, limit, minute, noon + minute))?.allowed).toBe(true);
    });

    test('minute after minute, all together accept as many as one, and never a twentieth for each more', async () => {
      const { time, hit } = processes(rateLimits, 3);
      const accepted: number[] = [];
      for (let n = 0; n < 900; n++) {
        if (await hit(n, key)) accepted.push(time.now);
        time.now += 500;
      }
      const minutes = (900 * 500) / minute;
      expect(mostIn(accepted)).toBeLessThanOrEqual(limit + 2 * expired);
      expect(accepted.length).toBeGreaterThanOrEqual(limit * minutes);
      expect(accepted.length).toBeLessThanOrEqual(limit * minutes + 2 * expired * minutes);
    });

    test('a burst at all of them at once', async () => {
      const { hit } = processes(rateLimits, 4);
      const verdicts = await Promise.all(Array.from({ length: 400 }, (_, n) => hit(n, key)));
      const accepted = verdicts.filter(Boolean).length;
      expect(accepted).toBeGreaterThanOrEqual(limit);
      expect(accepted).toBeLessThanOrEqual(limit + 3 * expired);
    });

    test('what one has used up is rejected by another a second later', async () => {
      const { counters, hit } = processes(rateLimits, 2);
      for (let n = 0; n < limit; n++) expect(await hit(0, key)).toBe(true);
      expect(await hit(1, key)).toBe(true);
      await counters[1]?.share();
      expect(await hit(1, key)).toBe(false);
      expect(await hit(1, 'another')).toBe(true);
    });

    test('whoever asks whom and when: no more than the limit and what was not heard of', async () => {
      const step = fc.record({ which: fc.nat(1), pause: fc.constantFrom(0, 0, 10, 900, 20_000), times: fc.nat(25) });
      let worlds = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const world = `${key} ${worlds++}`;
          const { time, hit, counters } = processes(rateLimits, 2);
          const accepted: number[] = [];
          for (const { which, pause, times } of steps) {
            time.now += pause;
            if (pause >= 900) for (const counter of counters) await counter.share();
            for (let n = 0; n < times; n++) {
              const inside = accepted.filter((at) => at > time.now - minute).length;
              const allowed = await hit(which, world);
              if (!allowed) expect(inside).toBeGreaterThanOrEqual(limit);
              if (allowed) accepted.push(time.now);
            }
          }
          // Half of the limit must leave the window before a process forgets that it was used up.
          expect(mostIn(accepted)).toBeLessThanOrEqual(limit + 3 * expired);
        }),
        { numRuns: 30, seed: 7 },
      );
    });

    test('without the database each counts alone, and reports the others afterwards', async () => {
      let isOut = true;
      const gone = () => Promise.reject(new Error('the database is gone'));
      const shaky: SharedRateCounter = {
        hit: (...request) => (isOut ? gone() : rateLimits.hit(...request)),
        look: (...request) => (isOut ? gone() : rateLimits.look(...request)),
        merge: (...reported) => (isOut ? gone() : rateLimits.merge(...reported)),
      };
      const { counters, hit } = processes(shaky, 2);
      for (let n = 0; n < 2 * limit; n++) await hit(0, key);
      expect(await hit(0, key)).toBe(false);
      expect(await hit(1, key)).toBe(true);
      isOut = false;
      for (const counter of counters) await counter.share();
      for (const counter of counters) await counter.share();
      expect((await rateLimits.look(key, limit, minute, noon)).remaining).toBe(0);
      expect(await hit(1, key)).toBe(false);
    });
  });
});
