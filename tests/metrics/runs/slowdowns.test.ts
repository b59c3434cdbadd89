import { describe, expect, test } from 'vitest';
import { median } from '../../../server/metrics/kernel/statistics.ts';
import { findSlowdowns, recentSlowdowns, type Slowdown } from '../../../server/metrics/runs/slowdowns.ts';
import type { MeasuredRun } from '../../../server/metrics/runs/workflow-runs.ts';
import { lognormal, stepped, twoModes } from '../histories.ts';
import { naiveSlowdowns } from '../naive-levels.ts';
import { aRun, day, hour, minute, randomOf } from '../worlds.ts';

const start = Date.UTC(2026, 9, 1);

/** Passed pushes to main, an hour apart, oldest first, that took these times. */
const lasting = (times: readonly number[], differing: Partial<MeasuredRun> = {}, firstId = 1) =>
  times.map((ms, index) => {
    const createdAt = start + (firstId + index) * hour;
    return aRun({ id: firstId + index, createdAt, updatedAt: createdAt + ms, ...differing });
  });

const reported = (runs: readonly MeasuredRun[]) => findSlowdowns(runs, 'main');

/** A hundred times around ten minutes, from the 61st on so many times as long. */
const changing = (factor: number, seed = 1) => stepped(lognormal(randomOf(seed), 100, 0.05), 60, factor);

describe('a workflow that became slower', () => {
  test('is reported with its name, both medians and the first run of the new level', () => {
    const times = changing(1.5);
    expect(reported(lasting(times))).toEqual([
      {
        workflowId: 7,
        workflow: 'CI',
        since: start + 61 * hour,
        fromMs: Math.round(median(times.slice(0, 60)) ?? 0),
        toMs: Math.round(median(times.slice(60)) ?? 0),
      },
    ]);
  });

  test.each<[string, number[]]>([
    ['stayed as it was', changing(1)],
    ['became quicker', changing(0.6)],
    ['has two modes', twoModes(randomOf(2), 100)],
    ['became slower and then quicker again', stepped(stepped(changing(1), 30, 1.6), 70, 0.6)],
  ])('is not one that %s: that is known', (_, times) => {
    expect(reported(lasting(times))).toEqual([]);
  });

  test('is not known of before twenty runs, or five far off in a row', () => {
    const flat = lognormal(randomOf(3), 40, 0.05);
    expect(reported([])).toBeNull();
    expect(reported(lasting(flat.slice(0, 19)))).toBeNull();
    expect(reported(lasting(flat.slice(0, 20)))).toEqual([]);
    const young = stepped(flat, 12, 2);
    expect(reported(lasting(young.slice(0, 16)))).toBeNull();
    expect(reported(lasting(young.slice(0, 17)))).toMatchObject([{ since: start + 13 * hour }]);
  });

  test('is known of where one workflow has runs enough, or one class of events', () => {
    const flat = lasting(changing(1));
    const rare = lasting(changing(2).slice(55, 65), { workflowId: 8 }, 201);
    expect(reported(rare)).toBeNull();
    expect(reported([...flat, ...rare])).toEqual([]);
    const nightly = lasting(changing(1).slice(0, 19), { event: 'schedule' }, 201);
    expect(reported([...lasting(changing(1).slice(0, 19)), ...nightly])).toBeNull();
  });

  test('is looked for among its own newest hundred runs', () => {
    const times = [...lognormal(randomOf(4), 30, 0.05), ...changing(1).map((ms) => 2 * ms)];
    expect(reported(lasting(times.slice(0, 120)))).toHaveLength(1);
    expect(reported(lasting(times))).toEqual([]);
    const other = lasting(changing(1.4), { workflowId: 8, workflowName: 'Deploy' }, 201);
    expect(reported([...lasting(times), ...other])).toMatchObject([{ workflow: 'Deploy' }]);
  });

  test('is found by each class of events itself', () => {
    const nightly = lasting(changing(1.5).slice(30, 90), { event: 'schedule' }, 101);
    expect(reported([...nightly, ...lasting(changing(1))])).toMatchObject([{ since: start + 131 * hour }]);
  });

  test.each<[string, Partial<MeasuredRun>]>([
    ['failed', { conclusion: 'failure' }],
    ['was cancelled', { conclusion: 'cancelled' }],
    ['is running', { status: 'in_progress', conclusion: null }],
    ['is of another branch', { headBranch: 'topic' }],
    ['builds a pull request', { event: 'pull_request' }],
    ['never started', { startedAt: null }],
  ])('is not reported by a run that %s', (_, differing) => {
    const runs = lasting(changing(1.5)).map((run, index) => (index < 60 ? run : { ...run, ...differing }));
    expect(reported(runs)).toEqual([]);
    expect(reported(lasting(changing(1.5), differing))).toBeNull();
  });

  test('is not known of without a default branch', () => {
    expect(findSlowdowns(lasting(changing(1.5)), null)).toBeNull();
  });
});

test('slowdowns are those that the definition reports, in any order of runs', () => {
  const random = randomOf(20261116);
  let found = 0;
  for (let count = 0; count < 60; count++) {
    const runs = [7, 8, 9].flatMap((workflowId) => aHistory(random, workflowId));
    const shuffled = runs.toSorted((a, b) => ((a.id * 7919) % 211) - ((b.id * 7919) % 211));
    const expected = naiveSlowdowns(runs, 'main');
    const byStart = (all: Slowdown[] | null) => all?.toSorted((a, b) => a.since - b.since) ?? null;
    expect(byStart(reported(shuffled))).toEqual(byStart(expected));
    found += expected?.length ?? 0;
  }
  expect(found).toBeGreaterThan(20);
});

/** Up to three levels of ten to fourteen runs of one workflow, among others that say nothing. */
function aHistory(random: () => number, workflowId: number): MeasuredRun[] {
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  const levels = Array.from({ length: 1 + Math.floor(3 * random()) }, () => pick([1, 1, 1.4, 2, 0.7]));
  const times = levels.flatMap((factor) =>
    lognormal(random, 10 + Math.floor(5 * random()), 0.05).map((ms) => Math.round(factor * ms)),
  );
  const odd = [
    { conclusion: 'failure' },
    { event: 'pull_request' },
    { headBranch: 'topic' },
    { startedAt: null },
  ] as const;
  const event = pick(['push', 'schedule', 'workflow_dispatch']);
  return lasting(times, { workflowId, event }, workflowId * 1000).flatMap((run) =>
    random() < 0.2 ? [run, { ...run, ...pick(odd), id: run.id + 500 }] : [run],
  );
}

describe('slowdowns worth a look', () => {
  const now = Date.UTC(2026, 10, 16);
  const one = (differing: Partial<Slowdown>): Slowdown => ({
    workflowId: 7,
    workflow: 'CI',
    fromMs: 9 * minute,
    toMs: 14 * minute,
    since: now - day,
    ...differing,
  });

  test('began in the last fourteen days', () => {
    const last = one({ since: now - 14 * day });
    expect(recentSlowdowns([last], now)).toEqual([last]);
    expect(recentSlowdowns([last], now + 1)).toEqual([]);
  });

  test('come by the time they cost, one of each workflow', () => {
    const [little, much, nightly] = [one({ toMs: 10 * minute }), one({ workflowId: 8 }), one({ toMs: 11 * minute })];
    expect(recentSlowdowns([little, much, nightly], now)).toEqual([much, nightly]);
    expect(recentSlowdowns([nightly, much, little], now)).toEqual([much, nightly]);
  });
});
