import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tallyValues } from '../../../server/metrics/kernel/bootstrap.ts';
import {
  type Comparison,
  compareCounts,
  compareMedians,
  compareQuantiles,
  compareShares,
  conclude,
  judgeChange,
  minItems,
} from '../../../server/metrics/kernel/comparison.ts';
import { quantileInterval } from '../../../server/metrics/kernel/intervals.ts';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { rounds } from '../../support/rounds.ts';

const tally = (values: readonly number[]) => tallyValues(values.map((value) => [value, 1]));
const shown = { digits: { value: 2, difference: 2 }, isKnown: true };

// Newcombe, Interval estimation for the difference between independent proportions, 1998, table II, method 10.
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [0, 10, 0, 10, -0.2775, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
])('%i of %i less %i of %i is between %d and %d', (part, n, before, of, low, high) => {
  const { difference } = compareShares({ part: before, n: of }, { part, n });
  expect((difference?.interval.low ?? Number.NaN) / 100).toBeCloseTo(low, 4);
  expect((difference?.interval.high ?? Number.NaN) / 100).toBeCloseTo(high, 4);
});

const share = fc.integer({ min: 1, max: 400 }).chain((n) => fc.record({ n: fc.constant(n), part: fc.nat(n) }));
const values = fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 40 });
const days = fc.array(fc.record({ weekday: fc.nat(6), count: fc.nat(50) }), { minLength: 7, maxLength: 40 });

const [everyOne, ofTail, ofLarger] = [
  (a: number, b: number) => a >= minItems && b >= minItems,
  (a: number, b: number) => a >= 20 && b >= 20,
  (a: number, b: number) => a >= minItems || b >= minItems,
];

const comparisons: [name: string, made: fc.Arbitrary<Comparison>, isEnough: typeof everyOne][] = [
  ['shares', fc.tuple(share, share).map(([a, b]) => compareShares(a, b)), everyOne],
  ['medians', fc.tuple(values, values).map(([a, b]) => compareQuantiles(tally(a), tally(b), 0.5, 'seed')), everyOne],
  ['percentiles', fc.tuple(values, values).map(([a, b]) => compareQuantiles(tally(a), tally(b), 0.95, 'seed')), ofTail],
  ['counts', fc.tuple(days, days).map(([a, b]) => compareCounts(a, b)), ofLarger],
];

describe.each(comparisons)('of %s', (_, made, isEnough) => {
  test('the verdict is what the shown interval says, and nothing is said of few items', () => {
    fc.assert(
      fc.property(made, fc.boolean(), (comparison, isKnown) => {
        const { a, b, difference, verdict } = conclude(comparison, { ...shown, isKnown });
        if (!isKnown || !isEnough(a.n, b.n)) {
          expect(verdict).toBe('not_enough_data');
          expect(difference).toEqual({ absolute: null, relativePct: null, interval: null });
          return;
        }
        const { low, high } = difference.interval ?? { low: Number.NaN, high: Number.NaN };
        const holdsZero = low <= 0 && high >= 0;
        expect(verdict === 'no_difference_shown').toBe(holdsZero);
        if (verdict === 'higher') expect(low).toBeGreaterThan(0);
        if (verdict === 'lower') expect(high).toBeLessThan(0);
      }),
      { numRuns: rounds('PROPERTY_RUNS', 25, 1000) },
    );
  });

  test('each interval has its low end first and is within reach of its value', () => {
    fc.assert(
      fc.property(made, ({ a, b, difference }) => {
        for (const one of [a.interval, b.interval, difference?.interval ?? null])
          if (one) expect(one.low).toBeLessThanOrEqual(one.high);
        for (const { value, n } of [a, b]) expect(value === null).toBe(n === 0 && value === null);
      }),
      { numRuns: rounds('PROPERTY_RUNS', 25, 1000) },
    );
  });
});

test('a period is never higher or lower than itself', () => {
  fc.assert(
    fc.property(share, fc.array(fc.nat(10_000), { minLength: 5, maxLength: 60 }), days, (one, list, counted) => {
      const same = [
        compareShares(one, one),
        compareQuantiles(tally(list), tally(list), 0.5, 'seed'),
        compareCounts(counted, counted),
      ];
      for (const comparison of same)
        expect(['no_difference_shown', 'not_enough_data']).toContain(conclude(comparison, shown).verdict);
    }),
    { numRuns: rounds('PROPERTY_RUNS', 25, 1000) },
  );
});

test('the other way round, shares and counts differ by the opposite', () => {
  const opposite = (one: Comparison['difference'], other: Comparison['difference']) => {
    expect(one?.interval.low).toBeCloseTo(-(other?.interval.high ?? Number.NaN), 6);
  };
  fc.assert(
    fc.property(share, share, fc.nat(300), fc.nat(300), (a, b, before, after) => {
      opposite(compareShares(a, b).difference, compareShares(b, a).difference);
      const week = (count: number) => Array.from({ length: 7 }, (_, weekday) => ({ weekday, count }));
      opposite(
        compareCounts(week(before), week(after)).difference,
        compareCounts(week(after), week(before)).difference,
      );
    }),
    { numRuns: rounds('PROPERTY_RUNS', 25, 1000) },
  );
});

test('equal questions give equal answers, and what is twice as long is longer', () => {
  const before = Array.from({ length: 50 }, (_, index) => 1000 + 7 * index);
  const twice = before.map((value) => 2 * value);
  const compare = (seed: string) => conclude(compareQuantiles(tally(before), tally(twice), 0.5, seed), shown);
  expect(compare('one')).toEqual(compare('one'));
  expect(compare('one').difference.interval).not.toEqual(compare('two').difference.interval);
  expect(compare('one')).toMatchObject({ verdict: 'higher', difference: { absolute: 1171.5, relativePct: 100 } });
});

test('a period that is twice as long, with as many each day, has no more', () => {
  const week = (days: number) => Array.from({ length: days }, (_, day) => ({ weekday: day % 7, count: 10 }));
  const { a, b, difference, verdict } = conclude(compareCounts(week(7), week(14)), shown);
  expect([a.value, b.value]).toEqual([70, 140]);
  expect(difference).toMatchObject({ absolute: 0, relativePct: 0 });
  expect(verdict).toBe('no_difference_shown');
});

test('nothing is divided by 0', () => {
  const none = Array.from({ length: 7 }, (_, weekday) => ({ weekday, count: 0 }));
  const some = none.map(({ weekday }) => ({ weekday, count: 10 }));
  const begun = conclude(compareCounts(none, some), shown);
  expect([begun.difference.absolute, begun.difference.relativePct, begun.verdict]).toEqual([70, null, 'higher']);
  const { difference, verdict } = conclude(compareShares({ part: 0, n: 50 }, { part: 40, n: 50 }), shown);
  expect([difference.absolute, difference.relativePct, verdict]).toEqual([80, null, 'higher']);
});

test('a count that nearly ends is lower, and two small ones say nothing', () => {
  const month = (counts: readonly number[]) =>
    Array.from({ length: 30 }, (_, day) => ({ weekday: day % 7, count: counts[day] ?? 0 }));
  const forty = month(Array.from({ length: 30 }, (_, day) => (day % 3 === 0 ? 2 : 1)));
  const three = month([1, 1, 1]);
  const { a, b, difference, verdict } = conclude(compareCounts(forty, three), shown);
  expect([a.value, b.value, difference.absolute, verdict]).toEqual([40, 3, -37, 'lower']);
  expect(conclude(compareCounts(three, month([1, 1, 1, 1])), shown).verdict).toBe('not_enough_data');
});

test('a change is judged as the comparison of periods judges it, and nothing without one', () => {
  const failures = (part: number, n: number) => ({ part, n });
  expect(judgeChange(compareShares(failures(50, 1000), failures(55, 1000)), 'percent')).toBe('no_difference_shown');
  expect(judgeChange(compareShares(failures(50, 1000), failures(150, 1000)), 'percent')).toBe('higher');
  expect(judgeChange(compareShares(failures(3, 4), failures(0, 4)), 'percent')).toBe('not_enough_data');
  expect(judgeChange(null, 'percent')).toBe('not_enough_data');
  fc.assert(
    fc.property(share, share, (a, b) => {
      const passed = ({ part, n }: typeof a) => ({ part: n - part, n });
      const opposite = { higher: 'lower', lower: 'higher' } as Record<string, string>;
      const verdict = judgeChange(compareShares(a, b), 'percent');
      // A failure rate rises where the success rate of the same runs falls.
      expect(judgeChange(compareShares(passed(a), passed(b)), 'percent')).toBe(opposite[verdict] ?? verdict);
    }),
    { numRuns: rounds('PROPERTY_RUNS', 25, 1000) },
  );
});

test('medians of lists that overlap show no difference, and those that lie apart do', () => {
  const from = (base: number, size = 40) => Array.from({ length: size }, (_, index) => base + 10 * index);
  const judge = (a: readonly number[], b: readonly number[]) => judgeChange(compareMedians(a, b), 'milliseconds');
  expect(judge(from(1000), from(1010))).toBe('no_difference_shown');
  expect(judge(from(1000), from(2000))).toBe('higher');
  expect(judge(from(2000), from(1000))).toBe('lower');
  // Three values bound no median.
  expect(judge(from(2000, 3), from(1000))).toBe('not_enough_data');
});

test('the interval of a quantile holds that of all values in 93 of 100 samples or more', () => {
  const random = randomStream('coverage of quantiles');
  for (const [q, size] of [
    [0.5, 12],
    [0.5, 200],
    [0.9, 60],
    [0.9, 400],
  ] as const) {
    const held = Array.from({ length: 1000 }, () => {
      const sample = Array.from({ length: size }, () => 1e6 * random());
      const interval = quantileInterval(sample, q);
      return interval !== null && interval.low <= 1e6 * q && interval.high >= 1e6 * q;
    });
    expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(930);
  }
});

test('of a 95th percentile of fewer than 20 no interval and no verdict is given', () => {
  const times = (size: number, base: number) => tally(Array.from({ length: size }, (_, index) => base + index));
  const compare = (before: number, after: number) =>
    conclude(compareQuantiles(times(before, 100), times(after, 900), 0.95, 'seed'), shown);
  const few = compare(19, 20);
  expect([few.verdict, few.difference.interval, few.a.interval]).toEqual(['not_enough_data', null, null]);
  expect([few.a.value, few.b.interval]).toEqual([117.1, expect.anything()]);
  expect(compare(20, 20).verdict).toBe('higher');
  expect(conclude(compareQuantiles(times(5, 100), times(5, 900), 0.5, 'seed'), shown).verdict).toBe('higher');
});
