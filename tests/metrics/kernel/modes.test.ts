import { describe, expect, test } from 'vitest';
import { findAnomalies } from '../../../server/metrics/kernel/anomalies.ts';
import { durationOfTimed, historyOf, lognormal, twoModes } from '../histories.ts';
import { randomOf, second } from '../worlds.ts';

const unusual = (ms: readonly number[]) => findAnomalies(historyOf(ms), durationOfTimed).anomalies;
/** Nine quick runs and then, again and again, two quick ones and one that meets a cold cache. */
const withCold = (coldRuns: number) => [
  ...Array(9).fill(60 * second),
  ...Array.from({ length: coldRuns }, () => [60 * second, 60 * second, 200 * second]).flat(),
];

describe('a second mode', () => {
  test('is learned from five runs on three occasions, and no longer unusual then', () => {
    expect(unusual(withCold(5))).toHaveLength(5);
    expect(unusual(withCold(30))).toHaveLength(5);
  });

  test('is what a run beyond it is held against', () => {
    const [anomaly] = unusual([...withCold(10), 900 * second]);
    expect(anomaly).toMatchObject({ valueMs: 900 * second, direction: 'high', severity: 'extreme' });
    expect(anomaly?.baseline).toMatchObject({ medianMs: 200 * second, sample: 10 });
    expect(unusual([...withCold(10), 215 * second])).toHaveLength(5);
  });

  test('may be the quick one', () => {
    const warm = Array.from({ length: 20 }, () => [600 * second, 600 * second, 100 * second]).flat();
    expect(unusual([...Array(9).fill(600 * second), ...warm])).toHaveLength(5);
    const [anomaly] = unusual([...Array(9).fill(600 * second), ...warm, 10 * second]);
    expect(anomaly).toMatchObject({ direction: 'low', baseline: { medianMs: 100 * second } });
  });

  test('is what comes and goes: a level that stays is unusual for five runs, as ever', () => {
    expect(unusual([...Array(20).fill(60 * second), ...Array(20).fill(200 * second)])).toHaveLength(5);
  });

  test('that most runs have come to belong to is the main one', () => {
    const reported = findAnomalies(historyOf([...withCold(8), ...Array(40).fill(200 * second)]), durationOfTimed);
    expect(reported.anomalies).toHaveLength(5);
    expect(reported.baselines[0]?.baseline?.medianMs).toBe(200 * second);
  });

  test.each([0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9])('of %f of the runs makes no storm', (share) => {
    const random = randomOf(20260304);
    const counts = Array.from({ length: 300 }, () => unusual(twoModes(random, 100, { share })).length);
    expect(counts.reduce((sum, count) => sum + count, 0) / 300).toBeLessThanOrEqual(8);
    expect(Math.max(...counts)).toBeLessThanOrEqual(15);
  });

  test('of long histories is unusual in the beginning only', () => {
    const random = randomOf(20260305);
    for (let count = 0; count < 10; count++) expect(unusual(twoModes(random, 1000)).length).toBeLessThanOrEqual(20);
  });

  test('hides few runs that take three times as long as the slow one', () => {
    const random = randomOf(20260306);
    let found = 0;
    for (let count = 0; count < 200; count++) {
      found += Number(unusual([...twoModes(random, 100), 5400 * second])[0]?.run.id === 101);
    }
    expect(found).toBeGreaterThanOrEqual(190);
  });

  test('is not seen in times that merely vary', () => {
    const random = randomOf(20260307);
    let found = 0;
    for (let count = 0; count < 200; count++) {
      found += Number(unusual([...lognormal(random, 100, 0.15), 1800 * second])[0]?.run.id === 101);
    }
    expect(found).toBe(200);
  });
});
