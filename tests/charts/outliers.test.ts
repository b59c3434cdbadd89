import { expect, test } from 'vitest';
import { findCap } from '../../app/charts/outliers.tsx';

test.each<[string, (number | null)[], number | null]>([
  ['one value far above the others', [2, 3, 2, 4, 90], 4],
  ['two of twenty far above', [...Array.from({ length: 18 }, () => 5), 60, 70], 5],
  ['three of ten far above, too many to leave out', [1, 1, 1, 1, 1, 1, 1, 50, 60, 70], null],
  ['values that grow steadily', [1, 2, 4, 8, 16, 32], null],
  ['too few values', [1, 1, 50], null],
  ['unknown values beside', [null, 2, 2, 2, 2, null, 20], 2],
])('the axis is capped by %s', (_, values, cap) => expect(findCap(values)).toBe(cap));
