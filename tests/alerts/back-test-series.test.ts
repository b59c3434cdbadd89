import { expect, test } from 'vitest';
import { thinSeries } from '../../server/alerts/back-test-series.ts';
import { judge } from '../../server/alerts/judge.ts';
import type { ReplayedValue } from '../../server/alerts/replay.ts';
import { minute, noon } from '../store/world.ts';

const valuesOf = (...values: (number | null)[]): ReplayedValue[] => {
  let lastFiredAt: number | null = null;
  return values.map((value, index) => {
    const at = noon + index * minute;
    const judgement = judge({ threshold: 50, minSample: 1, quietHours: 1, lastFiredAt }, { value, sample: 9 }, at);
    if (judgement.fires) lastFiredAt = at;
    return { at, value, sample: 9, judgement };
  });
};
const shown = (values: ReplayedValue[], most?: number) =>
  thinSeries(values, most).map(({ at, value, fires }) => [(at - noon) / minute, value, fires]);

test('few values are all there, unknown ones and those that fired as what they are', () => {
  expect(shown([])).toEqual([]);
  expect(shown(valuesOf(10, null, 60, 70))).toEqual([
    [0, 10, false],
    [1, null, false],
    [2, 60, true],
    [3, 70, false],
  ]);
});

test('of many the one that fired stands for its neighbors, else the highest, and nothing only for nothing', () => {
  expect(shown(valuesOf(10, 20, null, 5, null, null, 60, 90), 4)).toEqual([
    [1, 20, false],
    [3, 5, false],
    [4, null, false],
    [6, 60, true],
  ]);
});

test('a sample that is too small gives no value', () => {
  const small = judge(
    { threshold: 50, minSample: 9, quietHours: 1, lastFiredAt: null },
    { value: 80, sample: 3 },
    noon,
  );
  const values = [{ at: noon, value: 80, sample: 3, judgement: small }];
  expect(thinSeries(values)).toEqual([{ at: noon, value: null, sample: 3, fires: false }]);
});

test('there are never more than 180, and they reach from the first to the last', () => {
  const points = thinSeries(valuesOf(...Array.from({ length: 2000 }, (_, index) => index % 40)));
  expect(points).toHaveLength(180);
  const steps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? 0));
  expect([Math.min(...steps) > 0, Math.max(...points.map(({ value }) => value ?? 0))]).toEqual([true, 39]);
});
