import { describe, expect, test } from 'vitest';
import { jobCost } from '../../../server/metrics/cost/job-cost.ts';
import {
  billedSku,
  findPrice,
  findSku,
  runnerPrices,
  standardSkus,
} from '../../../server/metrics/cost/runner-prices.ts';
import { aJob, minute, second } from '../worlds.ts';

const in2026 = Date.UTC(2026, 0, 1);
const hidden = { isPublic: false };

describe('the price book', () => {
  test('reports the price of the time', () => {
    expect(findPrice('linux', in2026 - 1)?.usdPerMinute).toBe(0.008);
    expect(findPrice('linux', in2026)?.usdPerMinute).toBe(0.006);
    expect(findPrice('macos', in2026 - 1)?.usdPerMinute).toBe(0.08);
    expect(findPrice('macos', in2026)?.usdPerMinute).toBe(0.062);
    expect(findPrice('windows', in2026)?.usdPerMinute).toBe(0.01);
    expect(findPrice('linux_64_core', in2026)?.usdPerMinute).toBe(0.162);
    expect(findPrice('windows_96_core', in2026)?.usdPerMinute).toBe(0.552);
    expect(findPrice('linux_4_core_gpu', in2026)).toMatchObject({
      usdPerMinute: 0.052,
      gpu: true,
      cores: 4,
      os: 'linux',
    });
  });

  test('has no price for what it does not know, nor for what was not yet sold', () => {
    expect(findPrice('linux_3_core', in2026)).toBeNull();
    expect(findPrice('linux_arm', in2026 - 1)).toBeNull();
  });

  test('has one price for each runner at any time', () => {
    const times = [0, in2026 - 1, in2026, in2026 + 400 * 24 * 60 * minute];
    for (const sku of new Set(runnerPrices.map((price) => price.sku)))
      for (const at of times) {
        const holding = runnerPrices.filter(
          ({ sku: own, validFrom, validTo }) =>
            own === sku && (validFrom === null || validFrom <= at) && (validTo === null || at < validTo),
        );
        expect(holding.length).toBeLessThanOrEqual(1);
      }
    expect([...standardSkus].filter((sku) => !findPrice(sku, in2026))).toEqual([]);
  });

  test.each([
    [['ubuntu-latest'], 'linux'],
    [['ubuntu-24.04'], 'linux'],
    [['Ubuntu-22.04'], 'linux'],
    [['ubuntu-slim'], 'linux_slim'],
    [['ubuntu-24.04-arm'], 'linux_arm'],
    [['windows-latest'], 'windows'],
    [['windows-2025'], 'windows'],
    [['windows-2025-vs2026'], 'windows'],
    [['windows-11-arm'], 'windows_arm'],
    [['macos-15'], 'macos'],
    [['macos-15-intel'], 'macos'],
    [['macos-latest-large'], 'macos_l'],
    [['macos-14-xlarge'], 'macos_xl'],
    // Names an organization gave its larger runners look much like hosted ones.
    [['ubuntu-latest-8-cores'], null],
    [['ubuntu-latest-m'], null],
    [['windows-large'], null],
    [['gpu'], null],
    [[], null],
  ])('labels %j are billed as %s', (labels, sku) => {
    expect(findSku(labels)).toBe(sku);
  });

  test("an organization's own labels go before", () => {
    const own = { 'Ubuntu-latest-8-cores': 'linux_8_core', 'ubuntu-latest': 'linux_4_core' };
    expect(findSku(['ubuntu-latest-8-cores'], own)).toBe('linux_8_core');
    expect(findSku(['ubuntu-latest'], own)).toBe('linux_4_core');
    expect(findSku(['ubuntu-22.04'], own)).toBe('linux');
  });

  test.each([
    ['actions_linux', 'linux'],
    ['Actions Linux', 'linux'],
    ['Actions Linux 4-core', 'linux_4_core'],
    ['Actions Linux ARM', 'linux_arm'],
    ['linux_4_core_arm', 'linux_4_core_arm'],
    ['actions_macos_xlarge', 'macos_xl'],
    ['actions_storage', null],
    ['actions_self_hosted_linux', null],
  ])('a bill that says %j means %s', (written, sku) => {
    expect(billedSku(written)).toBe(sku);
  });
});

describe('the cost of a job', () => {
  const lasting = (ms: number, parts: Parameters<typeof aJob>[0] = {}) => {
    const job = aJob(parts);
    return { ...job, completedAt: (job.startedAt ?? 0) + ms };
  };
  const labelled = (...labels: string[]) => ({ labels });

  test('61 seconds are two minutes; free in public and on own machines', () => {
    const job = lasting(61 * second);
    expect(jobCost(job, hidden)).toEqual({ sku: 'linux', minutes: 2, usd: 0.012 });
    expect(jobCost(job, { isPublic: true })).toEqual({ sku: 'linux', minutes: 2, usd: 0 });
    const own = lasting(61 * second, labelled('Self-Hosted', 'linux'));
    expect(jobCost(own, hidden)).toEqual({ sku: null, minutes: 2, usd: 0 });
  });

  test.each([
    [0, 0, 0],
    [1, 1, 0.006],
    [minute, 1, 0.006],
    [minute + 1, 2, 0.012],
    [3 * minute, 3, 0.018],
    [360 * minute, 360, 2.16],
  ])('%d ms are %d minutes and %d USD', (ms, minutes, usd) => {
    expect(jobCost(lasting(ms), hidden)).toMatchObject({ minutes, usd });
  });

  test('is by the price of when it started', () => {
    const at = { createdAt: in2026 - second, startedAt: in2026 - second };
    expect(jobCost(lasting(2 * minute, at), hidden).usd).toBe(0.016);
  });

  test('a larger runner is never free', () => {
    const isPublic = true;
    const larger = lasting(minute, labelled('eight'));
    expect(jobCost(larger, { isPublic, largerRunnerLabels: { eight: 'linux_8_core' } }).usd).toBe(0.022);
    expect(jobCost(lasting(minute, labelled('macos-15-xlarge')), { isPublic }).usd).toBe(0.102);
  });

  test('an unknown runner has no cost, not none', () => {
    expect(jobCost(lasting(minute, labelled('eight')), hidden)).toEqual({ sku: null, minutes: 1, usd: null });
    // Read without its labels.
    expect(jobCost(lasting(minute, labelled()), hidden)).toEqual({ sku: null, minutes: 1, usd: null });
    const mapped = { isPublic: false, largerRunnerLabels: { eight: 'linux_eight' } };
    expect(jobCost(lasting(minute, labelled('eight')), mapped)).toMatchObject({ sku: 'linux_eight', usd: null });
  });

  test('a runner of the default group is free by its label alone', () => {
    const inDefault = (...labels: string[]) => jobCost(lasting(minute, { runnerGroup: 'Default', labels }), hidden).usd;
    expect([inDefault('arc-runner-set'), inDefault('self-hosted', 'arc-runner-set')]).toEqual([null, 0]);
    expect(inDefault('ubuntu-24.04')).toBe(0.006);
  });

  test('what no runner took costs nothing, also where the runner is not known', () => {
    const untaken = { runnerName: null, steps: [], ...labelled() };
    for (const conclusion of ['skipped', 'cancelled', 'failure', 'timed_out'] as const)
      expect(jobCost(lasting(minute, { ...untaken, conclusion }), hidden)).toMatchObject({ minutes: 0, usd: 0 });
    expect(jobCost(lasting(minute, { conclusion: 'cancelled' }), hidden)).toMatchObject({ minutes: 1, usd: 0.006 });
  });

  test('a job under way, or whose times are not known, has no cost yet', () => {
    const unknown = { minutes: null, usd: null };
    expect(jobCost(aJob({ status: 'in_progress', conclusion: null, completedAt: null }), hidden)).toMatchObject(
      unknown,
    );
    expect(jobCost(aJob({ startedAt: null }), hidden)).toMatchObject(unknown);
    expect(jobCost(lasting(-1), hidden)).toMatchObject(unknown);
  });
});
