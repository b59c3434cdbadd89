import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Conclusion } from '../../../server/metrics/kernel/facts.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { findTips } from '../../../server/metrics/runs/tips.ts';
import type { MeasuredRun } from '../../../server/metrics/runs/workflow-runs.ts';
import { rounds } from '../../support/rounds.ts';
import { queuedRuns } from '../held-reliability.ts';
import { latest, naiveQuantile } from '../naive.ts';
import { aRun, hour, minute, worlds } from '../worlds.ts';

const scope = { calendar: createCalendar('UTC'), defaultBranch: 'main' };
const monday = Date.UTC(2026, 2, 2, 6);

/** Runs five minutes apart on a Monday, oldest first. */
const runs = (count: number, of: (index: number) => Partial<MeasuredRun>) =>
  Array.from({ length: count }, (_, index) => {
    const createdAt = monday + index * 5 * minute;
    return aRun({ id: index + 1, createdAt, ...of(index) });
  });
const ending = (endings: Conclusion[], branch = 'topic') =>
  runs(endings.length, (index) => ({ conclusion: endings[index] as Conclusion, headBranch: branch }));
const times = (conclusion: Conclusion, count: number) => Array<Conclusion>(count).fill(conclusion);
const lasting = (ms: number, startedAt = monday) => ({ startedAt, createdAt: startedAt, updatedAt: startedAt + ms });
const waiting = (ms: number) => (index: number) => {
  const createdAt = monday + index * hour;
  return { createdAt, startedAt: createdAt + ms, updatedAt: createdAt + ms + minute };
};
const reported = (attempts: MeasuredRun[]) =>
  findTips(attempts, scope).map(({ key, level, value }) => [key, level, value]);

describe('a tip is distinguished from its cut on, and not before:', () => {
  test.each<[string, MeasuredRun[], (string | number)[][]]>([
    ['80 % success', ending([...times('success', 8), ...times('failure', 2)]), []],
    ['79 %', ending([...times('failure', 3), ...times('success', 11)]), [['low_success', 'warning', 79]]],
    ['50 %', ending([...times('failure', 5), ...times('success', 5)]), [['low_success', 'warning', 50]]],
    ['45 %', ending([...times('failure', 6), ...times('success', 5)]), [['low_success', 'critical', 45]]],
    ['nine runs', ending([...times('failure', 8), ...times('success', 1)]), []],
    ['two fails in a row', ending([...times('success', 8), ...times('failure', 2)], 'main'), []],
    ['three', ending([...times('success', 12), ...times('failure', 3)], 'main'), [['failing_in_a_row', 'warning', 3]]],
    ['five', ending([...times('success', 20), ...times('failure', 5)], 'main'), [['failing_in_a_row', 'critical', 5]]],
    ['three in another branch', ending([...times('success', 12), ...times('failure', 3)]), []],
    ['one timeout', ending([...times('success', 9), 'timed_out']), []],
    ['two timeouts', ending([...times('success', 9), 'timed_out', 'timed_out']), [['timeouts', 'warning', 2]]],
    ['14 % cancelled', ending([...times('success', 12), ...times('cancelled', 2)]), []],
    ['15 %', ending([...times('success', 17), ...times('cancelled', 3)]), [['cancelled_often', 'warning', 15]]],
    ['10 min', runs(1, () => lasting(10 * minute)), [['long_runs', 'info', 600_000]]],
    ['just less', runs(1, () => lasting(10 * minute - 1)), []],
    ['30 min', runs(1, () => lasting(30 * minute)), [['long_runs', 'info', 1_800_000]]],
    ['more', runs(1, () => lasting(30 * minute + 1)), [['long_runs', 'warning', 1_800_001]]],
    ['one of three', runs(3, (index) => lasting(index === 1 ? 600 * minute : minute)), []],
    ['a wait of 2 min', runs(1, waiting(2 * minute)), [['long_queue', 'warning', 120_000]]],
    ['just less', runs(1, waiting(2 * minute - 1)), []],
    ['5 min', runs(1, waiting(5 * minute)), [['long_queue', 'warning', 300_000]]],
    ['more', runs(1, waiting(5 * minute + 1)), [['long_queue', 'critical', 300_001]]],
    ['one wait of three', runs(3, (index) => waiting(index === 1 ? 600 * minute : minute)(index)), []],
    ['19 % more', runs(10, (index) => lasting(index < 5 ? 100_000 : 119_000, monday + index * hour)), []],
    [
      '20 %',
      runs(10, (index) => lasting(index < 5 ? 100_000 : 120_000, monday + index * hour)),
      [['slower', 'warning', 20]],
    ],
    [
      '50 %',
      runs(10, (index) => lasting(index < 5 ? 100_000 : 150_000, monday + index * hour)),
      [['slower', 'warning', 50]],
    ],
    [
      '51 %',
      runs(10, (index) => lasting(index < 5 ? 100_000 : 151_000, monday + index * hour)),
      [['slower', 'critical', 51]],
    ],
    ['one of eleven re-run', runs(11, (index) => ({ attempt: index < 1 ? 2 : 1 })), []],
    ['one of ten', runs(10, (index) => ({ attempt: index < 1 ? 2 : 1 })), [['rerun_often', 'warning', 10]]],
    ['a quarter', runs(20, (index) => ({ attempt: index < 5 ? 2 : 1 })), [['rerun_often', 'warning', 25]]],
    ['six of 20', runs(20, (index) => ({ attempt: index < 6 ? 2 : 1 })), [['rerun_often', 'critical', 30]]],
  ])('%s', (_, attempts, expected) => {
    expect(reported(attempts)).toEqual(expected);
  });

  test('a fifth of 20 runs on a weekend, in the zone', () => {
    const sunday = Date.UTC(2026, 2, 1, 20);
    const some = runs(20, (index) => (index < 4 ? lasting(minute, sunday + index * minute) : {}));
    expect(reported(some)).toEqual([['weekends', 'info', 20]]);
    expect(findTips(some, { ...scope, calendar: createCalendar('Asia/Saigon') })).toEqual([]);
    expect(reported(some.slice(0, 19))).toEqual([]);
  });
});

test('the most pressing comes first, each with its sentence, its cut and its sample', () => {
  const some = runs(12, (index) => ({ ...lasting(31 * minute, monday + index * hour), conclusion: 'failure' }));
  const tips = findTips(some, scope);
  expect(tips.map(({ level }) => level)).toEqual(['critical', 'critical', 'warning']);
  for (const { sentence, sample, source } of tips)
    expect([sentence, sample, source]).toEqual([expect.stringMatching(/\.$/), 12, 'runs that passed or failed']);
});

test('in random worlds a slow queue is reported exactly where twenty waits say so', () => {
  fc.assert(
    fc.property(worlds, ({ attempts }) => {
      const queued = queuedRuns(attempts);
      const waits = latest(queued).flatMap((run) =>
        run.attempt === 1 && ['in_progress', 'completed'].includes(run.status)
          ? [(run.startedAt ?? 0) - run.createdAt]
          : [],
      );
      const p95 = naiveQuantile(waits, 0.95);
      const tip = findTips(queued, scope).find(({ key }) => key === 'slow_queue');
      expect(tip !== undefined).toBe(waits.length >= 20 && Math.round(p95 ?? 0) > 5 * minute);
    }),
    { numRuns: rounds('PROPERTY_RUNS', 50, 1000) },
  );
});
