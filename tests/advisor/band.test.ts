import { describe, expect, test } from 'vitest';
import { isDrifting, reductionBand, wideningFactor } from '../../server/advisor/replay/band.ts';

const days = (count: number, of: (index: number) => { before: number; after: number }) =>
  Array.from({ length: count }, (_, index) => of(index));

test('days that are all alike have the least half-width (T14)', () => {
  const band = reductionBand(
    days(90, () => ({ before: 100, after: 83 })),
    ['seed'],
  );
  expect(band?.mid).toBeCloseTo(17, 9);
  expect(band?.low).toBeCloseTo(16.5, 9);
  expect(band?.high).toBeCloseTo(17.5, 9);
});

test('few blocks widen it (T15)', () => {
  expect(wideningFactor(90)).toBeCloseTo(1.262, 3);
  // Four blocks of a week, eight of them, four of two weeks.
  expect([28, 62, 63].map((count) => Number(wideningFactor(count).toFixed(3)))).toEqual([1.476, 1.18, 1.476]);
  // Never narrower than what was drawn, however few or many there are.
  expect(wideningFactor(7)).toBe(Number.POSITIVE_INFINITY);
  expect(wideningFactor(14)).toBeCloseTo((3.0777 / 1.2816) * Math.sqrt(2), 3);
  expect(wideningFactor(365)).toBeGreaterThan(1);
});

describe('a band', () => {
  const varied = days(90, (index) => ({ before: 100 + (index % 7) * 40, after: 80 + ((index * 13) % 29) }));

  test('depends on nothing but days and seed', () => {
    expect(reductionBand(varied, ['one'])).toEqual(reductionBand(varied, ['one']));
    expect(reductionBand(varied, ['one'])).not.toEqual(reductionBand(varied, ['other']));
  });

  test('holds what it is about, and moves with it', () => {
    const band = reductionBand(varied, ['one']);
    expect(band && band.low < band.mid && band.mid < band.high).toBe(true);
    const worse = reductionBand(
      varied.map(({ before, after }) => ({ before, after: after + 20 })),
      ['one'],
    );
    expect((worse?.mid ?? 0) < (band?.mid ?? 0)).toBe(true);
  });

  test('of days with nothing is none', () => {
    expect(
      reductionBand(
        days(30, () => ({ before: 0, after: 0 })),
        ['one'],
      ),
    ).toBeNull();
  });
});

test('a share that changes week by week drifts', () => {
  const byWeek = (share: (week: number) => number) =>
    days(84, (index) => ({ before: 1000, after: 1000 - 10 * share(Math.floor(index / 7)) }));
  expect(isDrifting(byWeek((week) => 10 + 2 * week))).toBe(true);
  expect(isDrifting(byWeek((week) => (week % 2 ? 10 : 30)))).toBe(false);
  expect(isDrifting(byWeek(() => 20))).toBe(false);
});
