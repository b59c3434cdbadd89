import { expect, test } from 'vitest';
import { formatAmounts, formatOther, formatShare } from '../../app/routes/repo/advisor/predicted.tsx';

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
  expect(amounts([0.3, 0.6, 1])).toBe('60–180 min in 28 days, ≈ $0.60');
});

test('runs that end earlier say for how many more minutes', () => {
  const sooner = (
    p50: [number, number, number] | null,
    p90: [number, number, number] | null,
    added: [number, number, number],
  ) =>
    formatOther({
      ...saving([0, 0, 0], [0, 0, 0], [0, 0, 0]),
      saves: 'wall_time',
      cost_saved: null,
      wall_p50_change_s: p50 && range(...p50),
      wall_p90_change_s: p90 && range(...p90),
      minutes_added: range(...added),
    })?.replace(/\u00a0/g, ' ');
  expect(sooner([-140, -120, -90], null, [10, 14, 20])).toBe(
    'Runs end 1 min 30 s to 2 min 20 s sooner (median), for up to 20 more min in 28 days',
  );
  expect(sooner([-120, -120, -120], null, [0, 0, 0])).toBe('Runs end 2 min sooner (median)');
  expect(sooner([-20, 0, 0], [-60, -45, -30], [0, 0, 0])).toBe('Slow runs end 30 s to 1 min sooner (p90)');
  expect(sooner([-20, 0, 5], null, [0, 1, 2])).toBe('No shorter runs certain, for up to 2 more min in 28 days');
  const none = {
    ...saving([1, 2, 3], [1, 2, 3], [0, 0, 0]),
    wall_p50_change_s: null,
    wall_p90_change_s: null,
    minutes_added: null,
  };
  expect(formatOther({ ...none, saves: 'minutes' })).toBeNull();
});

test('another runner says what it saves, and when runs end', () => {
  const other = (
    cost: [number, number, number] | null,
    p50: [number, number, number] | null,
    { share, minutes }: Record<'share' | 'minutes', [number, number, number]> = {
      share: [14.2, 17, 18.6],
      minutes: [310, 370, 420],
    },
  ) =>
    formatOther({
      ...saving(share, minutes, [0, 0, 0]),
      saves: 'cost',
      cost_saved: cost && range(...cost),
      wall_p50_change_s: p50 && range(...p50),
      wall_p90_change_s: null,
      minutes_added: null,
    })?.replace(/\u00a0/g, ' ');
  expect(other([1.2, 1.5, 2], [60, 80, 90])).toBe(
    '$1.20 to $2.00 less in 28 days. Runs end 1 min to 1 min 30 s later (median)',
  );
  expect(other([-0.4, -0.1, 0.1], [-90, -80, -60])).toBe(
    'Runs end 1 min to 1 min 30 s sooner (median), for up to $0.40 more in 28 days',
  );
  expect(other(null, [-90, -80, -60])).toBe('Runs end 1 min to 1 min 30 s sooner (median)');
  const fewer = '14–19 % fewer minutes, 310–420 min in 28 days';
  expect(other([1.2, 1.5, 2], null)).toBe(`$1.20 to $2.00 less in 28 days. ${fewer}`);
  expect(other(null, null)).toBe(fewer);
  expect(other([-0.4, -0.1, 0.1], null)).toBe(`${fewer}, for up to $0.40 more in 28 days`);
  expect(other(null, null, { share: [-19.5, -17, -14], minutes: [-400, -350, -300] })).toBe('14–20 % more minutes');
  expect(other(null, null, { share: [-2, 1, 3], minutes: [-30, 10, 40] })).toBe('No saving certain: −2 to 3 %');
});
