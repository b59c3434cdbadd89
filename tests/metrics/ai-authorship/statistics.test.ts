import { describe, expect, test } from 'vitest';
import { eValue } from '../../../server/metrics/ai-authorship/comparison/e-value.ts';
import { hodgesLehmann } from '../../../server/metrics/ai-authorship/comparison/hodges-lehmann.ts';
import { passHolm } from '../../../server/metrics/ai-authorship/comparison/holm.ts';
import { mantelHaenszel } from '../../../server/metrics/ai-authorship/comparison/mantel-haenszel.ts';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { median } from '../../../server/metrics/kernel/statistics.ts';
import { rounds } from '../../support/rounds.ts';

const risk = (events: number, n: number) => ({ events, n });

describe('statistics of a comparison', () => {
  test('vector 16: no difference within two strata is none, whatever all of both say', () => {
    const strata = [
      { marked: risk(8, 10), unmarked: risk(16, 20) },
      { marked: risk(2, 10), unmarked: risk(6, 30) },
    ];
    expect(mantelHaenszel(strata)?.difference).toBeCloseTo(0, 12);
    expect(100 * (10 / 20 - 22 / 50)).toBeCloseTo(6, 12);
  });

  test('the variance of a risk difference is that of Sato', () => {
    // One stratum of equal sides: the difference of two shares, with the usual variance where both sides are alike.
    const found = mantelHaenszel([{ marked: risk(30, 100), unmarked: risk(20, 100) }]);
    expect(found?.difference).toBeCloseTo(0.1, 12);
    expect(found?.variance).toBeCloseTo((0.3 * 0.7 + 0.2 * 0.8) / 100, 12);
    expect(mantelHaenszel([])).toBeNull();
  });

  test('vector 17: the centre of 1, 2 and 4 is 2.25', () => {
    expect(hodgesLehmann([1, 2, 4])).toBe(2.25);
    expect(hodgesLehmann([])).toBeNull();
    expect(hodgesLehmann([3])).toBe(3);
  });

  test('the centre is that of all averages of pairs, written out', () => {
    const random = randomStream('centre');
    for (let round = 0; round < rounds('CENTRES', 100, 5000); round++) {
      const values = Array.from({ length: 1 + Math.floor(30 * random()) }, () =>
        random() < 0.5 ? Math.floor(5 * random()) : random() - 0.5,
      );
      const averages = values.flatMap((one, index) => values.slice(index).map((other) => (one + other) / 2));
      expect(hodgesLehmann(values)).toBeCloseTo(median(averages) ?? Number.NaN, 12);
    }
  });

  test('vector 20: a ratio of risks of 1.5 has an E-value of 2.37', () => {
    expect(eValue(0.3, 0.2)).toBeCloseTo(2.366, 3);
    expect(eValue(0.2, 0.3)).toBeCloseTo(2.366, 3);
    expect(eValue(0, 0.3)).toBeNull();
  });

  test('of several scores each must pass the level that is left', () => {
    const passed = (...scores: number[]) => [...passHolm(new Map(scores.map((score, index) => [index, score])))];
    expect(passed(2.4)).toEqual([0]);
    expect(passed(2.4, 0)).toEqual([]);
    expect(passed(-2.6, 2.4)).toEqual([0, 1]);
    expect(passed(2.4, -2.6, 2.2)).toEqual([]);
    expect(passed(0, 0)).toEqual([]);
  });
});
