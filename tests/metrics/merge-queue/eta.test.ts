import { describe, expect, test } from 'vitest';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { learnEta } from '../../../server/metrics/merge-queue/eta.ts';
import {
  adaptTails,
  expectedMinutes,
  findBand,
  firstTails,
  fitWaits,
} from '../../../server/metrics/merge-queue/wait-model.ts';
import { rounds } from '../../support/rounds.ts';
import { type QueueWorld, simulateQueue } from './simulated-queue.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('the expected wait', () => {
  test('is fitted by medians of those with the fewest and the most ahead', () => {
    const fit = fitWaits(Array.from({ length: 10 }, (_, ahead) => ({ ahead, minutes: 10 * (ahead + 1) })));
    expect(fit).toEqual({ each: 10, start: 10 });
    expect(expectedMinutes(fit, 4)).toBe(50);
  });

  test('never falls with the number ahead', () => {
    expect(fitWaits([0, 1, 2, 3, 4, 5].map((ahead) => ({ ahead, minutes: 60 - ahead }))).each).toBe(0);
  });

  test('has a band that adapts to what it missed, and of which only longer waits stay possible', () => {
    const residuals = Array.from({ length: 101 }, (_, index) => Math.log(0.5 + index / 100));
    const band = findBand(60, residuals, firstTails, 0);
    expect([band?.low, band?.middle, band?.high].map((one) => Math.round(one ?? 0))).toEqual([36, 60, 84]);
    expect(Math.round(findBand(60, residuals, firstTails, 60)?.low ?? 0)).toBe(64);
    expect(findBand(60, residuals, firstTails, 90)).toBeNull();
    expect(adaptTails(firstTails, 'above')).toEqual({ low: expect.closeTo(0.103), high: expect.closeTo(0.073) });
    expect(adaptTails({ low: -0.05, high: -0.04 }, 'above')).toMatchObject({ high: -0.05 });
  });
});

const flat = (world: Partial<QueueWorld> = {}): QueueWorld => ({ days: 56, perHour: 6, episodes: [], ...world });
const end = (world: QueueWorld) => world.days * day;

describe('an estimate', () => {
  test('is not made of fewer than 50 merged entries', () => {
    const stays = simulateQueue(flat({ days: 7 }), randomStream('few', 1)).stays.filter(
      ({ outcome }) => outcome === 'merged',
    );
    const model = (count: number) => learnEta(stays.slice(0, count), 7 * day);
    expect(model(49).estimate({ enteredAt: 7 * day, ahead: 0 })).toBe('few_samples');
    expect(model(200).estimate({ enteredAt: 7 * day, ahead: 0 })).toMatchObject({ chancePct: 100 });
  });

  test('is not made until 20 were merged since the configuration changed', () => {
    const { stays } = simulateQueue(flat({ days: 7 }), randomStream('few', 1));
    const ends = stays.flatMap(({ outcome, leftAt }) => (outcome === 'merged' && leftAt !== null ? leftAt : []));
    const newest = ends.sort((a, b) => b - a);
    const estimate = (changedAt: number | null) =>
      learnEta(stays, 7 * day, { changedAt }).estimate({ enteredAt: 7 * day, ahead: 0 });
    expect(estimate(null)).toMatchObject({ low: expect.any(Number) });
    expect(estimate(newest[19] ?? 0)).toMatchObject({ low: expect.any(Number) });
    expect(estimate((newest[19] ?? 0) + 1)).toBe('settings_changed');
    expect(estimate(7 * day)).toBe('settings_changed');
  });

  test('is not made outside of experience', () => {
    const world = flat();
    const model = learnEta(simulateQueue(world, randomStream('experience', 1)).stays, end(world));
    expect(model.estimate({ enteredAt: end(world), ahead: 1000 })).toBe('outside_experience');
  });

  test('is made up to one and a half times as many ahead as ever', () => {
    const [one] = simulateQueue(flat({ days: 7 }), randomStream('few', 1)).stays;
    if (!one) throw new Error('Nothing entered the queue.');
    // Three times 21 that enter one after the other and leave an hour later, so that 20 are ahead of the last.
    const stays = Array.from({ length: 63 }, (_, index) => {
      const enteredAt = Math.floor(index / 21) * day + (index % 21) * minute;
      const leftAt = enteredAt + 60 * minute;
      return { ...one, number: index, enteredAt, leftAt, outcome: 'merged' as const, group: 'merged' as const };
    });
    const model = learnEta(stays, 3 * day);
    expect(model.estimate({ enteredAt: 3 * day, ahead: 30 })).toMatchObject({ chancePct: 100 });
    expect(model.estimate({ enteredAt: 3 * day, ahead: 31 })).toBe('outside_experience');
  });

  test('is not made where nothing was in the queue for so long', () => {
    const world = flat();
    const { stays } = simulateQueue(world, randomStream('experience', 1));
    const model = learnEta(stays, end(world));
    const longest = Math.max(...stays.map((stay) => (stay.leftAt ?? 0) - (stay.enteredAt ?? 0)));
    expect(model.estimate({ enteredAt: end(world) - longest - minute, ahead: 1 })).toBe('outwaited');
  });

  test('tells the chance of the newest entries that were in the queue as long', () => {
    const [one] = simulateQueue(flat({ days: 7 }), randomStream('few', 1)).stays;
    if (!one) throw new Error('Nothing entered the queue.');
    const create = (index: number, minutes: number, isMerged: boolean) => ({
      ...one,
      number: index,
      enteredAt: index * 60 * minute,
      leftAt: index * 60 * minute + minutes * minute,
      ...(isMerged
        ? { outcome: 'merged' as const, group: 'merged' as const }
        : { outcome: 'removed' as const, group: 'checks_failed' as const }),
    });
    const long = Array.from({ length: 120 }, (_, index) => create(index, 50, index % 2 === 0));
    const short = Array.from({ length: 300 }, (_, index) => create(120 + index, 10, false));
    const now = 420 * 60 * minute;
    const model = learnEta([...long, ...short], now);
    expect(model.estimate({ enteredAt: now - 20 * minute, ahead: 0 })).toMatchObject({ chancePct: 50 });
  });

  test('is not made while nothing leaves for longer than ever', () => {
    const { stays } = simulateQueue(flat({ days: 28 }), randomStream('stall', 1));
    const until = 25 * day + 11 * 60 * minute;
    const stuck = stays
      .filter(({ enteredAt }) => (enteredAt ?? 0) <= until + 20 * 60 * minute)
      .map((stay) =>
        (stay.leftAt ?? 0) > until ? { ...stay, leftAt: null, outcome: 'open' as const, group: null } : stay,
      );
    const at = until + 10 * 60 * minute;
    expect(learnEta(stuck, at).estimate({ enteredAt: at, ahead: 1 })).toBe('stalled');
  });

  test('is not withheld as stalled for the first entry after quiet weeks', () => {
    const { stays } = simulateQueue(flat({ days: 28 }), randomStream('stall', 1));
    const [one] = stays;
    if (!one) throw new Error('Nothing entered the queue.');
    const at = 60 * day;
    const first = { ...one, enteredAt: at - minute, leftAt: null, outcome: 'open' as const, group: null };
    expect(learnEta([...stays, first], at).estimate({ enteredAt: at - minute, ahead: 0 })).toMatchObject({
      chancePct: expect.any(Number),
    });
  });

  test('is right in 75 to 85 % of simulated queues, through slow checks and floods of arrivals', () => {
    const covered: number[] = [];
    for (let world = 0; world < rounds('QUEUE_ETAS', 3, 60); world++) {
      const random = randomStream('eta', world);
      const perHour = [2, 6, 15][world % 3] ?? 6;
      const episodes = [
        { fromHour: 24 * 30 + 8, toHour: 24 * 30 + 16, checks: 3 },
        { fromHour: 24 * 37 + 8, toHour: 24 * 37 + 16, arrivals: 3 },
        { fromHour: 24 * 44 + 8, toHour: 24 * 44 + 16, slots: 1 },
      ];
      const { stays } = simulateQueue(flat({ perHour, episodes }), random);
      const model = learnEta(stays, 56 * day, { judgedAtMost: Number.POSITIVE_INFINITY });
      expect(model.judged).toBeGreaterThan(400);
      expect(model.coveredPct, `${perHour} an hour, world ${world}`).toBeGreaterThanOrEqual(75);
      expect(model.coveredPct, `${perHour} an hour, world ${world}`).toBeLessThanOrEqual(85);
      covered.push(model.coveredPct ?? 0);
    }
    const pooled = covered.reduce((sum, one) => sum + one, 0) / covered.length;
    expect(pooled).toBeGreaterThanOrEqual(77);
    expect(pooled).toBeLessThanOrEqual(82);
  });
});
