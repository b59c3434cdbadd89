import fc from 'fast-check';
import { expect, test } from 'vitest';
import { across, highest, linear, roundTicks } from '../../app/charts/scale.ts';

test('round marks start at zero and reach what they must hold', () =>
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e9, noNaN: true }), (value) => {
      const ticks = roundTicks(value);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(value * 0.999999);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }),
  ));

test('marks for nothing still make a scale', () => expect(roundTicks(0)).toEqual([0, 1]));

test('a domain without extent maps to the middle', () => expect(linear([5, 5], [0, 100])(5)).toBe(50));

test('the highest of unknown values is unknown, not zero', () => {
  expect(highest([null, null])).toBeNull();
  expect(highest([null, 3, 0])).toBe(3);
});

test('positions are short percentages', () => expect(across(1 / 3)).toBe('33.33%'));
