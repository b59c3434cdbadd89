import { describe, expect, test } from 'vitest';
import {
  includedMinutes,
  minutesByOs,
  paidMinutes,
  sumMinutes,
  type UsageItem,
  unpricedSkus,
  usageBySku,
} from '../../../server/metrics/cost/billing.ts';
import { burnRate, daysIn, usageByDay } from '../../../server/metrics/cost/burn-rate.ts';
import { day, randomOf } from '../worlds.ts';

const linux = (parts: Partial<UsageItem> = {}): UsageItem => {
  const { quantity = 60, pricePerUnit = 0.006 } = parts;
  const amount = quantity * pricePerUnit;
  return {
    product: 'Actions',
    sku: 'actions_linux',
    unitType: 'Minutes',
    pricePerUnit,
    quantity,
    netQuantity: quantity,
    grossAmount: amount,
    discountAmount: 0,
    netAmount: amount,
    day: null,
    repository: null,
    ...parts,
  };
};
/** So many minutes on each of the first days of a month. */
const daily = (year: number, month: number, amounts: number[]) =>
  amounts.map((quantity, index) => linux({ quantity, day: Date.UTC(year, month - 1, index + 1) }));

describe('a bill', () => {
  test('counts minutes in any spelling, and storage in amounts alone', () => {
    const items = [
      linux({ quantity: 100, netQuantity: 20 }),
      linux({ unitType: 'GigabyteHours', sku: 'actions_storage', quantity: 500, netQuantity: 500 }),
    ];
    expect([sumMinutes(items), paidMinutes(items)]).toEqual([100, 20]);
    for (const unitType of ['minutes', 'Minutes', 'MINUTE', ' minute '])
      expect(sumMinutes([linux({ unitType })])).toBe(60);
    for (const unitType of ['GigabyteHours', 'minutes-hours', 'UserMonths', ''])
      expect(sumMinutes([linux({ unitType })])).toBe(0);
  });

  test('keeps fractions, and does not gather the errors of adding them', () => {
    const tenths = Array.from({ length: 10 }, () => linux({ quantity: 0.1 }));
    expect(sumMinutes(tenths)).toBe(1);
    expect(usageBySku(tenths, 0)).toMatchObject([{ quantity: 1, minutes: 1, grossAmount: 0.01 }]);
  });

  test('does not know how much is left to pay where the report does not tell', () => {
    expect(paidMinutes([linux(), linux({ netQuantity: null })])).toBeNull();
    expect(paidMinutes([linux({ unitType: 'GigabyteHours', netQuantity: null })])).toBe(0);
  });

  test('puts a runner together however it is written', () => {
    const rows = usageBySku([linux(), linux({ sku: 'Actions Linux', product: 'actions' })], 0);
    expect(rows).toMatchObject([{ label: 'Linux', minutes: 120, size: '2-core', os: 'linux' }]);
  });

  test.each([
    ['actions_linux_4_core_arm', 'Linux 4-core ARM'],
    ['Actions Linux 4-core', 'Linux 4-core'],
    ['actions_macos_xl', 'macOS extra large'],
    ['actions_windows_4_core_gpu', 'Windows 4-core GPU'],
    ['actions_storage', 'Actions storage'],
    ['copilot_for_business', 'Copilot for business'],
  ])('calls %s %s', (sku, label) => {
    expect(usageBySku([linux({ sku })], 0)[0]?.label).toBe(label);
  });

  test('sorts minutes by operating system', () => {
    const of = (sku: string, quantity: number) => linux({ sku, quantity });
    const items = [
      of('actions_linux', 1),
      of('ubuntu_arm', 2),
      of('actions_windows_8_core', 4),
      of('Actions macOS', 8),
    ];
    expect(minutesByOs(items)).toEqual({ UBUNTU: 3, WINDOWS: 4, MACOS: 8 });
    expect(minutesByOs([linux({ unitType: 'GigabyteHours' })])).toEqual({});
  });

  test('names runners without a price, own machines and storage not among them', () => {
    const skus = ['actions_linux', 'b_core', 'actions_self_hosted_linux', 'a_core', 'b_core'];
    const storage = linux({ sku: 'actions_storage', unitType: 'GigabyteHours' });
    expect(unpricedSkus([...skus.map((sku) => linux({ sku })), storage])).toEqual(['a_core', 'b_core']);
  });

  test.each([
    ['free', 2000],
    ['Team', 3000],
    ['pro', 3000],
    ['enterprise', 50_000],
    ['something new', null],
    [null, null],
  ])('plan %s includes %s minutes', (plan, minutes) => {
    expect(includedMinutes(plan)).toBe(minutes);
  });
});

describe('the burn rate', () => {
  const at = (text: string) => Date.parse(text);

  test.each([
    // 28, 29, 30 and 31 days; the tenth day of each.
    [2026, 2, 28, 560],
    [2024, 2, 29, 580],
    [2026, 4, 30, 600],
    [2026, 12, 31, 620],
  ])('of %d-%d has %d days', (year, month, days, projected) => {
    const now = Date.UTC(year, month - 1, 10, 12);
    const items = daily(year, month, Array(10).fill(20));
    expect(daysIn({ year, month })).toBe(days);
    expect(burnRate(items, { month: { year, month }, included: null, now })).toMatchObject({
      daysElapsed: 10,
      daysTotal: days,
      dailyBurnRate: 20,
      projectedMinutes: projected,
      // Every day was the same, so there is nothing to vary.
      minutesRange: { low: projected, high: projected },
    });
  });

  test.each([
    ['2026-11-01T00:00:00Z', 1, 1800],
    ['2026-11-01T23:59:59.999Z', 1, 1800],
    ['2026-11-02T00:00:00Z', 2, 900],
    ['2026-11-30T23:59:59.999Z', 30, 60],
  ])('at %s is on day %d', (now, elapsed, projected) => {
    const found = burnRate([linux()], { month: { year: 2026, month: 11 }, included: null, now: at(now) });
    expect(found).toMatchObject({ daysElapsed: elapsed, projectedMinutes: projected });
  });

  test.each(['2026-10-31T23:59:59.999Z', '2026-12-01T00:00:00Z', '2025-11-15T00:00:00Z'])('is none at %s', (now) => {
    expect(burnRate([linux()], { month: { year: 2026, month: 11 }, included: null, now: at(now) })).toBeNull();
  });

  test.each([
    [900, 'ok'],
    [900.1, 'warning'],
    [1200, 'warning'],
    [1200.1, 'critical'],
  ])('that leads to %d of 1,000 included minutes is %s', (minutes, status) => {
    const request = { month: { year: 2026, month: 11 }, included: 1000, now: at('2026-11-30T12:00:00Z') };
    expect(burnRate([linux({ quantity: minutes })], request)?.status).toBe(status);
  });

  test('counts what included minutes cover: standard runners, by their weight', () => {
    const request = { month: { year: 2026, month: 11 }, included: 2000, now: at('2026-11-15T12:00:00Z') };
    const items = [
      linux({ quantity: 100 }),
      linux({ sku: 'actions_windows', quantity: 100 }),
      linux({ sku: 'actions_macos', quantity: 100 }),
      linux({ sku: 'actions_linux_8_core', quantity: 5000 }),
    ];
    // 100 + 200 + 1,000, doubled at half of the month; the standard runners cost 1.80 so far.
    expect(burnRate(items, request)).toMatchObject({
      quotaMinutes: 1300,
      projectedOverage: 600,
      projectedOverageCost: 0.83,
      status: 'critical',
      currentMinutes: 5300,
    });
    expect(burnRate([], request)).toMatchObject({ projectedOverage: 0, projectedOverageCost: 0, status: 'ok' });
    expect(burnRate(items, { ...request, included: null })).toMatchObject({
      projectedOverage: null,
      status: 'unknown',
    });
  });

  test('has a range from day 6 on, where days are known', () => {
    const month = { year: 2026, month: 11 };
    const on = (date: number, items: UsageItem[]) =>
      burnRate(items, { month, included: null, now: Date.UTC(2026, 10, date, 12) });
    const days = (count: number) => daily(2026, 11, [10, 40, 20, 60, 30, 50].slice(0, count));
    expect(on(5, days(5))).toMatchObject({ minutesRange: null, rangeMissing: expect.stringMatching(/six days/) });
    const [sixth, summed] = [on(6, days(6)), on(6, [linux({ quantity: 210 })])];
    // Mean 35, variance 350, 24 days left: 210 + 840 ± 1.96 · √(350 · (24 + 96)).
    expect(sixth?.minutesRange).toEqual({ low: 648.32, high: 1451.68 });
    expect(sixth?.rangeMissing).toBeNull();
    expect(summed).toMatchObject({
      minutesRange: null,
      rangeMissing: expect.stringMatching(/Daily usage is not available/),
    });
    expect(on(30, days(6))?.minutesRange).toEqual({ low: 210, high: 210 });
  });

  test('a range holds 95 of 100 months whose days are alike, and never less than what is used', () => {
    const random = randomOf(7);
    const month = { year: 2026, month: 11 };
    const held = Array.from({ length: 400 }, () => {
      const quantities = Array.from({ length: 30 }, () => Math.round(100 * (random() + random() + random())));
      const total = quantities.reduce((sum, value) => sum + value, 0);
      const items = daily(2026, 11, quantities.slice(0, 12));
      const range = burnRate(items, { month, included: null, now: Date.UTC(2026, 10, 12, 20) })?.minutesRange;
      if (!range) throw new Error('no range');
      expect(range.low).toBeGreaterThanOrEqual(sumMinutes(items));
      return total >= range.low && total <= range.high;
    });
    const share = held.filter(Boolean).length / held.length;
    expect([share > 0.9, share < 0.99]).toEqual([true, true]);
  });

  test('days without usage are days, and a month in one sum has none', () => {
    const month = { year: 2026, month: 11 };
    const start = Date.UTC(2026, 10, 1);
    const two = [linux({ day: start }), linux({ day: start + 2 * day })];
    expect(usageByDay(two, month, 4)?.map(({ minutes }) => minutes)).toEqual([60, 0, 60, 0]);
    expect(usageByDay([linux({ day: start })], month, 4)).toBeNull();
    expect(usageByDay([linux()], month, 4)).toBeNull();
    expect(usageByDay([], month, 2)?.map(({ minutes }) => minutes)).toEqual([0, 0]);
  });
});
