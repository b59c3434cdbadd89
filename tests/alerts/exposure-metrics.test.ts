import { expect, test } from 'vitest';
import { provenExposure } from '../../server/alerts/exposure-metrics.ts';
import { judge } from '../../server/alerts/judge.ts';

type Facts = Parameters<typeof provenExposure.measure>[0];
type Search = Facts['searches'][number];

const now = Date.UTC(2026, 2, 20, 12);
const found: NonNullable<Search['found']> = { attempts: [], isCapped: false, isComplete: true };
const measure = (...all: (Search['found'] | 'later')[]) => {
  const searches = all.map((one) => (one === 'later' ? { savedAt: now + 1, found } : { savedAt: now - 1, found: one }));
  return provenExposure.measure({ searches, knownFrom: now, endings: [] }, { now, windowHours: 24 });
};
/** Whether an alert that fired before would end. */
const ends = (...all: Parameters<typeof measure>): boolean =>
  judge({ threshold: 1, minSample: 1, quietHours: 24, lastFiredAt: null }, measure(...all), now).reason === 'below';

test('none is said where a search was evaluated over a whole list of runs, which ends an alert', () => {
  expect(measure(found)).toEqual({ value: 0, sample: 0, isNone: true });
  expect(ends(found)).toBe(true);
});

test.each([
  ['no search is saved', []],
  ['one is saved later', ['later'] as const],
  ['the only one could not be evaluated', [null]],
])('it is not known where %s', (_, searches) => {
  expect(measure(...searches)).toEqual({
    value: null,
    sample: 0,
    incomplete: 'No saved search could be evaluated.',
  });
  expect(ends(...searches)).toBe(false);
});

test.each([
  ['one of several could not be evaluated', [found, null], '1\u00a0saved search could not be evaluated.'],
  ['a list of runs is not known', [{ ...found, isComplete: false }], 'Not every run of that time is known.'],
  [
    'there are too many runs',
    [{ ...found, isComplete: false, isCapped: true }],
    'There are more runs than a search looks at.',
  ],
])('it may be more, and ends nothing, where %s', (_, searches, incomplete) => {
  expect(measure(...searches)).toEqual({ value: 0, sample: 0, incomplete });
  expect(ends(...searches)).toBe(false);
});
