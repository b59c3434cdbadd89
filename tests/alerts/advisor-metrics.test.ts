import { expect, test } from 'vitest';
import { lostGain } from '../../server/alerts/advisor-metrics.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import { keepVerdict } from '../store/stored-verdicts.ts';
import { day, noon, repository, track } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';

const id = '0123456789abcdef';

aDatabase((given) => {
  const measures = async (codehostId: number, told: Partial<Parameters<typeof keepVerdict>[2]> | null) => {
    const store = await given.open();
    const repoId = await track(store, codehostId);
    if (told) await keepVerdict(store, repository(codehostId), { id, now: noon, savedPct: 17, ...told });
    const range = { repoId, defaultBranch: 'main', people: createPeople(), windowHours: 24 };
    const facts = await lostGain.load({ ...range, from: noon - 90 * day, until: noon }, store);
    return (now = noon) => lostGain.measure(facts, { now, windowHours: 24 });
  };

  test('a gain that stays is not lost', async () => {
    const measure = await measures(1, {});
    const { value, sample, details } = measure();
    expect(Math.abs(value ?? 100)).toBeLessThan(5);
    expect(sample).toBe(14 * 8);
    expect(details).toMatchObject({ recommendation: id, title: 'Cancel superseded runs' });
  });

  test('a gain of 17 % of which 2 are left is 88 % lost, and was not while it was there', async () => {
    const measure = await measures(2, { latelyPct: 2, mergedDaysAgo: 70 });
    const { value, details } = measure();
    const [kept, present] = [Number(details?.kept_pct), Number(details?.measured_pct)];
    expect(kept).toBeCloseTo(17, 0);
    expect(present).toBeLessThan(3);
    expect(value).toBeCloseTo(100 * (1 - present / kept), 0);
    expect(value).toBeGreaterThan(80);
    // 28 days after the merge it was found kept, and nothing was measured since.
    expect(measure(noon - 41 * day).value).toBe(0);
  });

  test('a change whose workflow is disabled has the gain that it had until that was found, and none since', async () => {
    const disabledAt = noon - 10 * day;
    const measure = await measures(6, { mergedDaysAgo: 70, disabledAt });
    expect(measure(disabledAt - 1)).toMatchObject({ sample: 14 * 8, details: { recommendation: id } });
    expect(measure(disabledAt)).toEqual({ value: null, sample: 0, isNone: true });
  });

  test.each([
    ['nothing was merged', 3, null],
    ['nothing was kept', 4, { savedPct: 0 }],
    ['it was not judged yet', 5, { mergedDaysAgo: 20 }],
  ])('there is nothing to lose where %s', async (_why, codehostId, told) => {
    const measure = await measures(codehostId, told);
    expect(measure()).toEqual({ value: null, sample: 0, isNone: true });
  });
});
