import { assert, integer, option, property } from 'fast-check';
import { expect, test } from 'vitest';
import { toInterval } from '../../server/otlp/interval.ts';

test('what the platform reported stays as it is', () => {
  expect(toInterval(10, 30, 5)).toEqual({ startAt: 10, endAt: 30, isCorrected: false });
  expect(toInterval(10, 10, 5)).toEqual({ startAt: 10, endAt: 10, isCorrected: false });
});

test('what is missing has no length', () => {
  expect(toInterval(null, null, 5)).toEqual({ startAt: 5, endAt: 5, isCorrected: true });
  expect(toInterval(10, null, 5)).toEqual({ startAt: 10, endAt: 10, isCorrected: true });
  expect(toInterval(null, 30, 5)).toEqual({ startAt: 30, endAt: 30, isCorrected: true });
});

test('an end before the start is at the later one', () => {
  expect(toInterval(30, 29, 5)).toEqual({ startAt: 30, endAt: 30, isCorrected: true });
});

test('no interval is negative', () => {
  const instant = option(integer({ min: 0, max: 2 ** 41 }));
  assert(
    property(instant, instant, integer({ min: 0, max: 2 ** 41 }), (start, end, floor) => {
      const { startAt, endAt } = toInterval(start, end, floor);
      return endAt >= startAt;
    }),
  );
});
