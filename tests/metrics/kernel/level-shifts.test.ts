import { describe, expect, test } from 'vitest';
import type { AnomalyQuestion } from '../../../server/metrics/kernel/anomalies.ts';
import { changePoints } from '../../../server/metrics/kernel/change-points.ts';
import { findLevelShifts } from '../../../server/metrics/kernel/level-shifts.ts';
import { median } from '../../../server/metrics/kernel/statistics.ts';
import { durationOfTimed, historyOf, lognormal, stepped, type TimedRun, twoModes } from '../histories.ts';
import { naiveChangePoints } from '../naive-levels.ts';
import { randomOf, second } from '../worlds.ts';

const shifts = (ms: readonly number[]) => findLevelShifts(historyOf(ms), durationOfTimed);
const waitOfTimed: AnomalyQuestion<TimedRun> = { ...durationOfTimed, metric: 'queue_wait' };

/** So many seconds, give or take what a seeded throw says. */
function around(random: () => number, count: number, seconds: number): number[] {
  return Array.from({ length: count }, () => Math.round(seconds * second * (0.9 + 0.2 * random())));
}

describe('a change of level', () => {
  test('is reported with its first run, both medians, the change and the runs of both levels', () => {
    const random = randomOf(1);
    const runs = historyOf([...around(random, 30, 600), ...around(random, 20, 900)]);
    const reported = findLevelShifts(runs, durationOfTimed);
    expect(reported).toHaveLength(1);
    const [shift] = reported;
    if (shift === undefined) throw new Error('nothing found');
    expect(shift).toMatchObject({ metric: 'duration', series: 'default_branch_push', direction: 'high' });
    expect(shift.since.id).toBe(31);
    expect([shift.before, shift.after]).toEqual([runs.slice(0, 30), runs.slice(30)]);
    expect(shift.fromMs).toBe(Math.round(median(shift.before.map(({ ms }) => ms)) ?? 0));
    expect(shift.toMs).toBe(Math.round(median(shift.after.map(({ ms }) => ms)) ?? 0));
    expect(shift.changePct).toBeCloseTo(100 * (shift.toMs / shift.fromMs - 1), 0);
    expect(shift.changeInterval?.low).toBeLessThan(50);
    expect(shift.changeInterval?.high).toBeGreaterThan(50);
  });

  test('that went back is two changes, newest first', () => {
    const random = randomOf(2);
    const reported = shifts([...around(random, 30, 600), ...around(random, 15, 800), ...around(random, 30, 600)]);
    expect(reported.map(({ direction, since }) => [direction, since.id])).toEqual([
      ['low', 46],
      ['high', 31],
    ]);
    expect(reported[1]?.after).toEqual(reported[0]?.before);
  });

  test('is found beside one ten times as large', () => {
    const random = randomOf(3);
    const reported = shifts([...around(random, 40, 60), ...around(random, 40, 600), ...around(random, 40, 720)]);
    expect(reported.map(({ since }) => since.id)).toEqual([81, 41]);
  });

  test('of two seconds on a run of ten is no news, of twenty on a hundred it is', () => {
    const random = randomOf(4);
    expect(shifts([...around(random, 40, 10), ...around(random, 40, 12)])).toEqual([]);
    expect(shifts([...around(random, 40, 100), ...around(random, 40, 120)])).toHaveLength(1);
  });

  test('of a share too small is no news however sure', () => {
    const small = [...Array(50).fill(6000 * second), ...Array(50).fill(6200 * second)];
    expect(changePoints(small)).toEqual([50]);
    expect(shifts(small)).toEqual([]);
  });

  test('from no wait at all has no percentage', () => {
    const waits = [...Array(20).fill(0), ...Array(20).fill(60 * second)];
    expect(findLevelShifts(historyOf(waits), waitOfTimed)).toMatchObject([
      { fromMs: 0, toMs: 60 * second, changePct: null, changeInterval: null },
    ]);
    expect(findLevelShifts(historyOf(waits.map((ms) => ms / 4)), waitOfTimed)).toEqual([]);
  });

  test('is distinguished from the fifth anomaly in a row on, and taken back when it passes within ten runs', () => {
    const random = randomOf(5);
    const past = around(random, 30, 600);
    expect(shifts([...past, ...around(random, 4, 1500)])).toEqual([]);
    const young = [...past, ...around(random, 5, 1500)];
    expect(shifts(young)).toMatchObject([
      { since: { id: 31 }, seenWith: { id: 35 }, after: { length: 5 }, changeInterval: null },
    ]);
    expect(shifts([...young, ...around(random, 10, 1500)])).toMatchObject([
      { since: { id: 31 }, seenWith: { id: 35 } },
    ]);
    expect(shifts([...young, ...around(random, 30, 600)])).toEqual([]);
  });

  test('belongs to one class of events', () => {
    const random = randomOf(6);
    const pushes = historyOf(around(random, 60, 600));
    const nightly = historyOf([...around(random, 30, 600), ...around(random, 30, 900)], { event: 'schedule' }, 101);
    expect(findLevelShifts([...nightly, ...pushes], durationOfTimed)).toMatchObject([
      { series: 'schedule', since: { id: 131 } },
    ]);
  });

  test('is looked for among runs with a known time, that passed or failed', () => {
    const random = randomOf(7);
    const runs = historyOf([...around(random, 30, 600), ...around(random, 30, 900)]);
    const odd = historyOf(around(random, 30, 5), { conclusion: 'cancelled' }, 201);
    const reported = findLevelShifts(runs, durationOfTimed);
    expect(findLevelShifts([...odd, ...runs], durationOfTimed)).toEqual(reported);
    expect(findLevelShifts(runs, { ...durationOfTimed, getValue: () => null })).toEqual([]);
    expect(findLevelShifts([], durationOfTimed)).toEqual([]);
  });
});

describe('change points', () => {
  test('are those of every way to cut the series, tried one by one', () => {
    const random = randomOf(8);
    let changes = 0;
    for (let count = 0; count < 150; count++) {
      const length = 18 + Math.floor(27 * random());
      const factor = 1 + random();
      const values = stepped(lognormal(random, length, 0.15), Math.floor(length * random()), factor);
      const found = changePoints(values);
      expect(found).toEqual(naiveChangePoints(values));
      changes += found.length;
    }
    expect(changes).toBeGreaterThan(30);
  });

  test('are the same for equal values shared, as in whole seconds', () => {
    const random = randomOf(9);
    for (let count = 0; count < 50; count++) {
      const values = stepped(lognormal(random, 36, 0.05), 18, 1.1).map((ms) => Math.round(ms / 60_000));
      expect(changePoints(values)).toEqual(naiveChangePoints(values));
    }
  });

  test('depend on the order of the values only, not on their scale', () => {
    const random = randomOf(10);
    for (let count = 0; count < 50; count++) {
      const values = stepped(lognormal(random, 100, 0.15), 60, 1.3);
      const found = changePoints(values);
      expect(changePoints(values.map((ms) => 7 * ms))).toEqual(found);
      expect(changePoints(values.map((ms) => Math.log(ms)))).toEqual(found);
      expect(changePoints(values.map((ms) => -ms))).toEqual(found);
      expect(changePoints(values.toReversed())).toEqual(found.map((index) => 100 - index).reverse());
    }
  });

  test('there are none in equal values nor in fewer than twenty', () => {
    expect(changePoints(Array(200).fill(5))).toEqual([]);
    expect(changePoints([...Array(9).fill(1), ...Array(10).fill(9)])).toEqual([]);
    expect(changePoints([...Array(10).fill(1), ...Array(10).fill(9)])).toEqual([10]);
  });
});

describe('level shifts', () => {
  test('do not depend on the order in which runs arrive', () => {
    const runs = historyOf(stepped(lognormal(randomOf(11), 120, 0.15), 70, 1.4));
    const shuffled = runs.toSorted((a, b) => ((a.id * 7919) % 211) - ((b.id * 7919) % 211));
    expect(findLevelShifts(runs, durationOfTimed)).toHaveLength(1);
    expect(findLevelShifts(shuffled, durationOfTimed)).toEqual(findLevelShifts(runs, durationOfTimed));
  });

  test('of half as much again move by at most five runs when more come, and are never lost', () => {
    const random = randomOf(12);
    const nearest = (reported: readonly { since: TimedRun }[]) =>
      reported.map(({ since }) => since.id).reduce((a, b) => (Math.abs(a - 61) <= Math.abs(b - 61) ? a : b));
    for (let count = 0; count < 60; count++) {
      const values = stepped(lognormal(random, 200, 0.15), 60, 1.5);
      const early = nearest(shifts(values.slice(0, 90)));
      for (const length of [95, 100, 130, 200]) {
        expect(Math.abs(nearest(shifts(values.slice(0, length))) - early)).toBeLessThanOrEqual(5);
      }
    }
  });

  test.each<[string, (random: () => number) => number[]]>([
    ['times that only vary', (random) => lognormal(random, 100, 0.15)],
    ['times that vary much', (random) => lognormal(random, 100, 0.5)],
    ['two modes', (random) => twoModes(random, 100)],
  ])('are reported for at most 2 percent of histories with $0', (_, make) => {
    const random = randomOf(20260303);
    let reported = 0;
    for (let count = 0; count < 500; count++) reported += Number(shifts(make(random)).length > 0);
    expect(reported).toBeLessThanOrEqual(10);
  });

  test('are reported for at least 90 % of histories with 15 % more from the middle on', () => {
    const random = randomOf(20260302);
    const errors: number[] = [];
    for (let count = 0; count < 500; count++) {
      const rises = shifts(stepped(lognormal(random, 100, 0.15), 50, 1.15)).filter((one) => one.direction === 'high');
      if (rises[0] !== undefined) errors.push(Math.abs(rises[0].since.id - 51));
    }
    expect(errors.length).toBeGreaterThanOrEqual(450);
    expect(median(errors)).toBeLessThanOrEqual(3);
  });

  test('look at the newest thousand runs', () => {
    const random = randomOf(13);
    const old = [...around(random, 30, 600), ...around(random, 1000, 900)];
    expect(shifts(old.slice(0, 1000))).toHaveLength(1);
    expect(shifts(old)).toEqual([]);
  });
});
