import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantile } from '../../server/metrics/kernel/statistics.ts';
import { p95OfSteps, quantileOfSteps, readSteps } from '../../server/store/duration-steps.ts';

const toSteps = (durations: readonly number[]) => {
  const counted = new Map<number, number>();
  for (const one of durations.toSorted((a, b) => a - b)) {
    const step = Math.floor(Math.log(one) / Math.log(1.05));
    counted.set(step, (counted.get(step) ?? 0) + 1);
  }
  const sum = durations.reduce((total, one) => total + one, 0);
  return { steps: [...counted.keys()], counts: [...counted.values()], sum };
};

const duration = fc.integer({ min: 1000, max: 30_000_000 });
const share = fc.constantFrom(0.5, 0.9, 0.95);

test('a quantile of steps is within 2.5 % of that of the durations', () => {
  fc.assert(
    fc.property(fc.array(duration, { minLength: 1, maxLength: 60 }), share, (durations, q) => {
      const exact = quantile(durations, q) ?? Number.NaN;
      expect(Math.abs((quantileOfSteps(toSteps(durations), q) ?? 0) / exact - 1)).toBeLessThan(0.0251);
    }),
  );
});

test('a single duration is itself', () => {
  fc.assert(
    fc.property(duration, share, (one, q) => {
      expect(quantileOfSteps(toSteps([one]), q)).toBe(one);
    }),
  );
});

test('nothing has no quantile', () => {
  expect(quantileOfSteps({ steps: [], counts: [], sum: 0 }, 0.5)).toBeNull();
});

test('a number of eight digits for each step is read from its end', () => {
  expect(readSteps('0')).toEqual({ steps: [], counts: [] });
  expect(readSteps('7')).toEqual({ steps: [0], counts: [7] });
  expect(readSteps('3000000000000000012345678')).toEqual({ steps: [0, 3], counts: [12_345_678, 3] });
  expect(readSteps('1230000000100000000')).toEqual({ steps: [1, 2], counts: [1, 123] });
});

test('the middle of a step is the percentile that 95 of 100 do not exceed', () => {
  const steps = (counts: number[]) => ({ steps: [100, 200], counts, sum: 5000 });
  const [low, high] = [Math.round(1.05 ** 100.5), Math.round(1.05 ** 200.5)];
  expect(p95OfSteps(steps([19, 1]))).toBe(low);
  expect(p95OfSteps(steps([57, 3]))).toBe(low);
  expect(p95OfSteps(steps([18, 2]))).toBe(high);
  expect(p95OfSteps({ steps: [100], counts: [1], sum: 133 })).toBe(133);
  expect(p95OfSteps({ steps: [], counts: [], sum: 0 })).toBeNull();
});
