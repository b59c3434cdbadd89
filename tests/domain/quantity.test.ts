import { describe, expect, test } from 'vitest';
import {
  axisUnit,
  count,
  counted,
  duration,
  figures,
  formatFewer,
  formatHours,
  quantity,
  refineRate,
  split,
  type Unit,
} from '../../server/domain/quantity.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test.each<[number | null, number | null, number | null, number | null]>([
  [44, 437, 1000, 43.7],
  [50, 100, 200, 50],
  [33, 67, 200, 33.5],
  [34, 67, 199, 34],
  [44, null, 1000, 44],
  [44, 437, null, 44],
  [null, 0, 0, null],
])('a rate answered as %s, %s of %s, is reported as %s', (answered, part, complete, reported) =>
  expect(refineRate(answered, part, complete)).toBe(reported),
);

describe('quantity', () => {
  test.each<[number | null, Unit, string]>([
    [null, 'percent', '–'],
    [0, 'percent', '0 %'],
    [12.54, 'percent', '12.5 %'],
    [100, 'percent', '100 %'],
    [-2.1, 'points', '−2.1 points'],
    [1250, 'count', '1,250'],
    [1.43, 'per_day', '1.43 per day'],
    [2, 'per_week', '2 per week'],
    [1234.5, 'usd', '$1,234.50'],
    [-3, 'usd', '−$3.00'],
    [0.5, 'minutes', '30 s'],
    [45, 'minutes', '45 min'],
    [0.5, 'hours', '30 min'],
    [1.8, 'hours', '1 h 48 min'],
    [26.4, 'hours', '1 d 2 h'],
    [72, 'hours', '3 d'],
    [1.5, 'days', '1 d 12 h'],
  ])('%s in %s reads %s', (value, unit, labels) => expect(plain(quantity(value, unit))).toBe(labels));

  test('a headline has figure and unit apart', () =>
    expect(split(97.25, 'percent')).toEqual({ figure: '97.3', unit: '%' }));
});

test.each([
  [2, 'flaky commits', '2 flaky commits'],
  [1, 'flaky commits', '1 flaky commit'],
  [0, 'runs', '0 runs'],
  [1, 'failing periods of the default branch that ended', '1 failing period of the default branch that ended'],
  [1, 'repositories with a run in the window', '1 repository with a run in the window'],
  [1, 'merged reverts and hotfixes of people', '1 merged revert and hotfix of people'],
  [1, 'pull requests whose runs all have a known price', '1 pull request whose runs all have a known price'],
  [1, 'branches', '1 branch'],
])('%d %s: %s', (value, many, labels) => expect(counted(value, many)).toBe(labels));

test.each([
  [0, '0 s'],
  [850, '850 ms'],
  [45_000, '45 s'],
  [59_700, '1 min'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
  [-5000, '−5 s'],
])('a duration of %s ms reads %s', (ms, labels) => expect(plain(duration(ms))).toBe(labels));

test('figures keep thousands apart and drop zeros without meaning', () => {
  expect(figures(1234567.04)).toBe('1,234,567');
  expect(figures(0.05, 2)).toBe('0.05');
  expect(figures(-0.001)).toBe('0');
});

test('a count agrees with its noun', () => {
  expect(plain(count(1, 'run'))).toBe('1 run');
  expect(plain(count(0, 'run'))).toBe('0 runs');
  expect(plain(count(2, 'entry', 'entries'))).toBe('2 entries');
});

test('an axis of milliseconds is marked in the unit people think in', () => {
  expect(axisUnit(40_000, 'milliseconds')).toEqual({ word: 's', size: 1000 });
  expect(axisUnit(600_000, 'milliseconds')).toEqual({ word: 'min', size: 60_000 });
  expect(axisUnit(30 * 3_600_000, 'milliseconds')).toEqual({ word: 'h', size: 3_600_000 });
  expect(axisUnit(200, 'hours')).toEqual({ word: 'd', size: 24 });
});

test.each([
  [1, '1 hour'],
  [24, '24 hours'],
  [36, '36 hours'],
  [168, '7 days'],
])('%s hours of a window read %s', (hours, labels) => expect(plain(formatHours(hours))).toBe(labels));

test.each([
  [5, 1, '5 % fewer'],
  [-5.25, 1, '5.3 % more'],
  [-5.25, 0, '5 % more'],
  [0, 1, '0 % fewer'],
  [-0.3, 0, '0 % fewer'],
])('a reduction of %d with %d decimals is %s', (percent, digits, text) => {
  expect(formatFewer(percent, digits)).toBe(text);
});
