import { describe, expect, test } from 'vitest';
import { decide } from '../../../server/advisor/verdict/decide.ts';
import { followGain } from '../../../server/advisor/verdict/gain.ts';

const promised = { low: 14, high: 19 };
/** What a look measured: the reduction, the 98 % and the 90 % interval. */
const look = (deltaPct: number, [low, high]: number[], [low90, high90]: number[] = [low ?? 0, high ?? 0]) => ({
  deltaPct,
  low: low ?? 0,
  high: high ?? 0,
  low90: low90 ?? 0,
  high90: high90 ?? 0,
});

describe('a look decides', () => {
  test('kept: surely above half of the promise, and nearly all of it (T17)', () => {
    expect(decide(promised, look(16, [9, 22]))).toBe('kept');
    expect(decide(promised, look(11, [9, 22]))).toBe('open');
  });

  test('not kept: surely below the promise, and not the same as nothing (T18)', () => {
    expect(decide(promised, look(6, [1, 11], [2, 10]))).toBe('not_kept');
    expect(decide(promised, look(-12, [-20, -4], [-18, -6]))).toBe('not_kept');
  });

  test('no effect: the same as nothing, which comes before not kept (T19)', () => {
    expect(decide(promised, look(0.5, [-5, 6], [-3, 4]))).toBe('no_effect');
  });

  test('open: anything else (T20)', () => {
    expect(decide(promised, look(8, [-4, 20], [-1, 17]))).toBe('open');
  });
});

describe('a gain that was kept', () => {
  const week = (deltaPct: number, high: number) => ({ measured: { deltaPct, low: deltaPct - 5, high, units: 40 } });

  test('is lost after two weeks surely below half of the promise', () => {
    expect(followGain('kept', promised, [week(16, 22), week(1, 6)])).toBe('kept');
    expect(followGain('kept', promised, [week(1, 6), week(2, 6.9)])).toBe('lost');
    expect(followGain('kept', promised, [week(1, 6), { measured: null }])).toBe('kept');
  });

  test('is back after two weeks that are as promised', () => {
    expect(followGain('lost', promised, [week(12, 20), week(11, 20)])).toBe('lost');
    expect(followGain('lost', promised, [week(12, 20), week(12, 20)])).toBe('kept');
  });
});
