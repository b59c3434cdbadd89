import { describe, expect, test } from 'vitest';
import { totalOf } from '../../server/advisor/organization-total.ts';
import { usualMinutes } from '../../server/advisor/plan.ts';
import type { DayAmounts } from '../../server/advisor/replay/days.ts';
import { nextDaysOf } from '../../server/advisor/replay/figures.ts';
import { day } from './histories.ts';

const last = Date.parse('2026-11-22');

/** The newest `count` days up to yesterday, each with what `minutesOf` gives: as recorded, and with the changes. */
const daysOf = (count: number, minutesOf: (index: number) => [before: number, after: number]): DayAmounts[] =>
  Array.from({ length: count }, (_unused, index) => {
    const [before, after] = minutesOf(index);
    const amount = (minutes: number) => ({ minutes, cost: minutes / 100, unpricedMinutes: 0 });
    return { day: last - (count - index) * day, before: amount(before), after: amount(after) };
  });

function counted(id: number, days: DayAmounts[]) {
  const next = nextDaysOf(days, [id]);
  if (next === null) throw new Error('Nothing is predicted.');
  return { id, days, total: { minutesBefore: usualMinutes(days), next } };
}

const width = ({ low, high }: { low: number; high: number }) => high - low;

describe('the total of an organization', () => {
  /** Weeks that save much and weeks that save little, in turns. */
  const uneven = (index: number): [number, number] => [100, Math.floor(index / 7) % 2 === 0 ? 70 : 95];
  const even = (index: number): [number, number] => [100, Math.floor(index / 7) % 2 === 0 ? 95 : 70];

  test('of one repository is its own', () => {
    const one = counted(1, daysOf(56, uneven));
    expect(totalOf([one])).toEqual(one.total);
  });

  test('of none is none', () => {
    expect(totalOf([])).toBeNull();
  });

  test('is what they save, whichever is listed first', () => {
    const all = [
      counted(1, daysOf(56, uneven)),
      counted(2, daysOf(56, even)),
      counted(
        3,
        daysOf(56, () => [50, 10]),
      ),
    ];
    const total = totalOf(all);
    expect(total?.minutesBefore).toBeCloseTo(28 * 250, 6);
    const middles = all.map(({ total: { next } }) => next.minutesSaved.mid);
    expect(total?.next.minutesSaved.mid).toBeCloseTo(
      middles.reduce((sum, one) => sum + one, 0),
      6,
    );
    expect(totalOf(all.toReversed())).toEqual(total);
  });

  test('varies less where one saves much while the other saves little, and as much where they do so together', () => {
    const one = counted(1, daysOf(56, uneven));
    const opposed = totalOf([one, counted(2, daysOf(56, even))]);
    const alike = totalOf([one, counted(2, daysOf(56, uneven))]);
    const sum = 2 * width(one.total.next.minutesSaved);
    expect(width(opposed?.next.minutesSaved ?? { low: 0, high: 0 })).toBeLessThan(0.2 * sum);
    expect(width(alike?.next.minutesSaved ?? { low: 0, high: 0 })).toBeCloseTo(sum, -2);
  });

  test('is of the minutes of all of them, those without a saving included', () => {
    const saving = counted(
      1,
      daysOf(56, () => [100, 50]),
    );
    const other = { id: 2, days: daysOf(56, () => [300, 300]), total: null };
    const total = totalOf([saving, other]);
    expect(total?.minutesBefore).toBeCloseTo(28 * 400, 6);
    expect(total?.next.reductionPct.mid).toBeCloseTo(12.5, 6);
    expect(total?.next.minutesSaved.mid).toBeCloseTo(28 * 50, 6);
    expect(totalOf([other, { ...other, id: 3 }])).toBeNull();
  });

  test('is as uncertain as the one of fewest days, whoever else is counted', () => {
    const short = counted(1, daysOf(28, uneven));
    const idle = (count: number) => ({ id: 2, days: daysOf(count, () => [1, 1]), total: null });
    expect(totalOf([short, idle(90)])?.next.reductionPct).toEqual(totalOf([short, idle(28)])?.next.reductionPct);
  });

  test('takes a day that is missing of one of them as one of its mean', () => {
    const short = counted(
      1,
      daysOf(28, () => [40, 10]),
    );
    const long = counted(
      2,
      daysOf(84, () => [100, 80]).filter((_day, index) => index !== 70),
    );
    const total = totalOf([short, long]);
    expect(total?.minutesBefore).toBeCloseTo(28 * 140, 6);
    expect(total?.next.minutesSaved.mid).toBeCloseTo(28 * 50, 6);
    expect(total?.next.costSaved?.mid).toBeCloseTo((28 * 50) / 100, 6);
  });
});
