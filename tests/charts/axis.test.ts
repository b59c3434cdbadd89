import { expect, test } from 'vitest';
import { valueScale } from '../../app/charts/axis.tsx';
import type { Unit } from '../../server/domain/quantity.ts';

const labels = (highest: number | null, unit: Unit) =>
  valueScale(highest, unit, 100, 0).marks.map(({ label }) => label.replace('\u00a0', ' '));

test('the axis of a rate never ends below 10 %, and is marked in steps that people know', () => {
  for (const rate of [0, 0.1, 1, 4, 9.9]) expect(labels(rate, 'percent')).toEqual(['0 %', '5 %', '10 %']);
  expect(labels(12, 'percent')).toEqual(['0 %', '5 %', '10 %', '15 %']);
  expect(labels(100, 'percent')).toEqual(['0 %', '50 %', '100 %']);
});

test('an axis of times names its unit once', () => {
  expect(labels(1_800_000, 'milliseconds')).toEqual(['0', '10', '20', '30 min']);
});

test('what is no rate ends where its values do', () => expect(labels(1, 'count')).toEqual(['0', '0.5', '1']));

test('a rate that is not known has no marks', () => expect(labels(null, 'percent')).toEqual(['']));
