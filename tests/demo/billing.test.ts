import { describe, expect, test } from 'vitest';
import { demoCodehost } from '../../server/demo/client.ts';
import { makeWorld } from '../../server/demo/world.ts';
import {
  includedMinutes,
  isMinutes,
  quotaMultiplier,
  sumBy,
  type UsageItem,
} from '../../server/metrics/cost/billing.ts';
import { jobCost } from '../../server/metrics/cost/job-cost.ts';
import { roundTo } from '../../server/metrics/kernel/statistics.ts';

const now = Date.parse('2026-11-18T03:15:00Z');
const owner = { kind: 'org', login: 'lumen-harbor' } as const;

describe.each(['mixed', 'healthy', 'flaky', 'queue', 'advisory'] as const)('the bill of the demo (%s)', (situation) => {
  const world = makeWorld({ seed: 'demo', now, situation });
  const { billing } = demoCodehost(world);

  test.each([9, 10, 11])('of month %i has the jobs of its runs, and no others', async (month) => {
    const { items } = await billing.usage(owner, { year: 2026, month });
    const [from, to] = [Date.UTC(2026, month - 1), Date.UTC(2026, month)];
    const jobs = world.repositories.flatMap(({ repository, runs, attempts, jobs: ofAttempt }) =>
      runs
        .filter(({ createdAt }) => createdAt >= from && createdAt < to)
        .flatMap(({ id }) => attempts(id).flatMap(({ attempt }) => ofAttempt(id, attempt)))
        .map((job) => jobCost(job, { isPublic: !repository.private }))
        .flatMap(({ sku, minutes, usd }) => (usd ? { repo: repository.repo, sku, minutes: minutes ?? 0, usd } : [])),
    );
    const sum = (values: number[]) =>
      roundTo(
        values.reduce((total, value) => total + value, 0),
        4,
      );
    const lines = items.filter(isMinutes);
    expect(jobs.length).toBeGreaterThan(500);
    expect(sum(lines.map(({ quantity }) => quantity))).toBe(sum(jobs.map(({ minutes }) => minutes)));
    expect(sum(lines.map(({ grossAmount }) => grossAmount))).toBe(sum(jobs.map(({ usd }) => usd)));
    const kinds = (named: { repo: string | null; sku: string | null }[]) =>
      [...new Set(named.map(({ repo, sku }) => `${repo} ${sku}`))].sort();
    expect(kinds(lines.map(({ repository: repo, sku }) => ({ repo, sku })))).toEqual(
      kinds(jobs.map(({ repo, sku }) => ({ repo, sku: `actions_${sku}` }))),
    );
  });

  test('discounts the included minutes of the plan, and no more', async () => {
    const { items } = await billing.usage(owner, { year: 2026, month: 10 });
    const covered = (one: UsageItem) => (one.quantity - (one.netQuantity ?? 0)) * quotaMultiplier(one);
    expect(sumBy(items, covered)).toBe(includedMinutes('team'));
    for (const one of items) {
      expect(one.netAmount).toBeCloseTo(one.grossAmount - one.discountAmount, 6);
      expect(one.discountAmount).toBeCloseTo((one.quantity - (one.netQuantity ?? 0)) * one.pricePerUnit, 6);
    }
  });

  test('sums up to the same by SKU, and has nothing of today or later', async () => {
    const november = { year: 2026, month: 11 };
    const [{ items }, summary] = await Promise.all([
      billing.usage(owner, november),
      billing.summary(owner, november, 'Actions'),
    ]);
    const actions = items.filter(({ product }) => product === 'Actions');
    expect(sumBy(summary.items, ({ netAmount }) => netAmount)).toBeCloseTo(
      sumBy(actions, ({ netAmount }) => netAmount),
      4,
    );
    expect(items.every(({ day }) => day !== null && day < world.now)).toBe(true);
    expect((await billing.usage(owner, { year: 2026, month: 12 })).items).toEqual([]);
  });
});

test('gives nobody a bill of their own, and none of an organization that is not there', async () => {
  const { billing } = demoCodehost(makeWorld({ seed: 'demo', now }));
  expect((await billing.usage({ kind: 'user', login: 'demo' }, { year: 2026, month: 11 })).items).toEqual([]);
  const unknown = billing.usage({ kind: 'org', login: 'nobody' }, { year: 2026, month: 11 });
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
});
