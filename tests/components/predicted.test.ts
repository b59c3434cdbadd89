import { expect, test } from 'vitest';
import { formatAmounts, formatShare } from '../../app/routes/repo/advisor/predicted.tsx';

const range = (low: number, mid: number, high: number) => ({ low, mid, high });
const saving = (
  share: [number, number, number],
  minutes: [number, number, number],
  cost: [number, number, number],
) => ({
  reduction_pct: range(...share),
  minutes_saved: range(...minutes),
  cost_saved: range(...cost),
});

const shareOf = (one: ReturnType<typeof saving>) => formatShare(one).replace(/\u00a0/g, ' ');

test('a saving is certain where minutes are, however small its share', () => {
  expect(shareOf(saving([0, 0, 0.1], [60, 110, 180], [1, 1, 1]))).toBe('0–1 % fewer minutes');
  expect(shareOf(saving([0, 1.9, 7.9], [0, 50, 427], [0, 1, 3]))).toBe('No saving certain, up to 8 %');
  expect(shareOf(saving([-1.2, 2, 6], [-20, 30, 100], [0, 1, 2]))).toBe('No saving certain: −2 to 6 %');
});

test('what costs nothing is no money, and what costs little is less than a cent', () => {
  const amounts = (cost: [number, number, number]) => formatAmounts(saving([3, 4, 5], [60, 110, 180], cost));
  expect(amounts([0, 0, 0])).toBe('60–180 min in 28 days, runner time and no money');
  expect(amounts([0, 0, 0.01])).toBe('60–180 min in 28 days, less than $0.01');
  expect(amounts([0.3, 0.6, 1])).toBe('60–180 min in 28 days, about $0.60');
});
