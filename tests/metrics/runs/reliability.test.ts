import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { findRedPeriods } from '../../../server/metrics/runs/ci-recovery.ts';
import { courseDays, rollingSuccess } from '../../../server/metrics/runs/course.ts';
import { commitOutcomes } from '../../../server/metrics/runs/flaky.ts';
import { findFlakyJobs } from '../../../server/metrics/runs/flaky-jobs.ts';
import { branchWaits, waitHistogram, waitHours } from '../../../server/metrics/runs/queue-delays.ts';
import { computeTriggers } from '../../../server/metrics/runs/triggers.ts';
import type { MeasuredRun } from '../../../server/metrics/runs/workflow-runs.ts';
import { rounds } from '../../support/rounds.ts';
import { anActor } from '../delivery-builders.ts';
import { queuedRuns } from '../held-reliability.ts';
import { conclusive, latest, passed, roundPercent } from '../naive.ts';
import { aJob, aRun, aStep, day, hour, minute, runsEnding, second, type World, worlds } from '../worlds.ts';

const inEveryWorld = (check: (world: World) => void) =>
  fc.assert(fc.property(worlds, check), { numRuns: rounds('PROPERTY_RUNS', 50, 1000) });

/** Weekday and hour of a time in a zone, as the runtime writes them. */
function localHours(runs: readonly MeasuredRun[], timeZone: string): string[] {
  const { format } = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return runs.map(({ createdAt }) => {
    const [weekday = '', clock = ''] = format(createdAt).split(', ');
    return `${['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(weekday)},${Number(clock)}`;
  });
}

const known = (attempts: MeasuredRun[]) =>
  latest(queuedRuns(attempts)).flatMap((run) => {
    const begun = ['in_progress', 'completed'].includes(run.status) && run.attempt === 1;
    return begun && run.startedAt !== null ? [{ ...run, wait: run.startedAt - run.createdAt }] : [];
  });
const grid = <Cell>(of: (place: string) => Cell): Cell[][] =>
  Array.from({ length: 7 }, (_, weekday) => Array.from({ length: 24 }, (_, clock) => of(`${weekday},${clock}`)));
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

describe('the queue, in random worlds,', () => {
  test('every known wait stands in one bin of the histogram', () => {
    inEveryWorld(({ attempts }) => {
      const bins = waitHistogram(queuedRuns(attempts));
      expect(bins.map(({ belowMs }) => belowMs)).toEqual([10_000, 30_000, 60_000, 120_000, 300_000, 600_000, null]);
      const waits = known(attempts).map(({ wait }) => wait);
      for (const { belowMs } of bins) {
        const upTo = total(bins.filter((bin) => (bin.belowMs ?? 9e15) <= (belowMs ?? 9e15)).map(({ runs }) => runs));
        expect(upTo).toBe(waits.filter((wait) => belowMs === null || wait < belowMs).length);
      }
    });
  });

  test('branches and hours hold all of the waiting', () => {
    inEveryWorld(({ attempts, timezone }) => {
      const runs = known(attempts);
      const branches = branchWaits(queuedRuns(attempts));
      for (const { branch, runs: counted, waitMs, delayed } of branches) {
        const own = runs.filter(({ headBranch }) => headBranch === branch);
        const late = own.filter(({ wait }) => wait > 5 * minute);
        expect([counted, waitMs, delayed]).toEqual([own.length, total(own.map(({ wait }) => wait)), late.length]);
      }
      expect(branches).toHaveLength(new Set(runs.map(({ headBranch }) => headBranch)).size);
      expect(branches.map(({ waitMs }) => -waitMs)).toEqual(
        branches.map(({ waitMs }) => -waitMs).toSorted((a, b) => a - b),
      );
      const hours = waitHours(queuedRuns(attempts), createCalendar(timezone));
      const places = localHours(runs, timezone);
      const expected = grid((place) => {
        const own = runs.filter((_, index) => places[index] === place);
        return own.length === 0 ? null : Math.round(total(own.map(({ wait }) => wait)) / minute);
      });
      expect(hours).toEqual(expected);
    });
  });
});

describe('what sets runs off, in random worlds,', () => {
  test('every run has one event, one branch and one hour, and comes to one thing', () => {
    inEveryWorld(({ attempts, timezone }) => {
      const runs = latest(attempts);
      const { events, branches, runHours, scheduled, actors } = computeTriggers(
        attempts,
        createCalendar(timezone),
        createPeople(),
      );
      for (const { event, ...tally } of events) {
        const own = runs.filter((run) => run.event === event);
        expect(tally).toEqual({
          runs: own.length,
          passed: conclusive(own).filter(passed).length,
          failed: conclusive(own).filter((run) => !passed(run)).length,
          cancelled: own.filter(({ conclusion }) => conclusion === 'cancelled').length,
          other:
            own.filter((run) => run.status === 'completed' && run.conclusion !== 'cancelled').length -
            conclusive(own).length,
          running: own.filter(({ status }) => status !== 'completed').length,
        });
      }
      for (const { branch, runs: counted } of branches)
        expect(counted).toBe(runs.filter(({ headBranch }) => headBranch === branch).length);
      expect(total(events.map((one) => one.runs))).toBe(runs.length);
      expect(scheduled + total(actors.map((one) => one.runs))).toBe(runs.length);
      const places = localHours(runs, timezone);
      expect(runHours).toEqual(grid((place) => places.filter((one) => one === place).length));
    });
  });

  test('people stand by name and bots after them; a deleted account has none', () => {
    const runs = ['zoe', 'dependabot[bot]', null, 'Ann', 'zoe'].map((login, index) =>
      aRun({ id: index + 1, actor: login === null ? null : anActor(login) }),
    );
    const { actors } = computeTriggers(runs, createCalendar('UTC'), createPeople());
    expect(actors.map(({ login, isBot, runs: counted }) => [login, isBot, counted])).toEqual([
      ['Ann', false, 1],
      ['zoe', false, 2],
      [null, false, 1],
      ['dependabot', true, 1],
    ]);
  });
});

describe('the course of runs, in random worlds,', () => {
  test('is the share of passes among seven runs after the other', () => {
    inEveryWorld(({ attempts }) => {
      const points = rollingSuccess(attempts);
      const runs = new Map(conclusive(latest(attempts)).map((run) => [run.id, run]));
      expect(points.map(({ runId }) => runId).toSorted()).toEqual([...runs.keys()].toSorted());
      const passes = new Set([...runs.values()].filter(passed).map(({ id }) => id));
      for (const [index, { successRate }] of points.entries()) {
        const seven = points.slice(0, index + 1).slice(-7);
        expect(successRate).toBe(
          index < 6 ? null : roundPercent(seven.filter(({ runId }) => passes.has(runId)).length, 7),
        );
      }
    });
  });

  test('has every day from the oldest run on, and says which may lack runs', () => {
    inEveryWorld(({ attempts, now, timezone }) => {
      const days = courseDays(attempts, { now, calendar: createCalendar(timezone), isComplete: false });
      expect(days.map(({ covered }) => covered)).toEqual(days.map((_, index) => index > 0));
      const { format: dayOf } = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
      for (const { date, runs } of days)
        expect(runs).toBe(latest(attempts).filter(({ createdAt }) => dayOf(createdAt) === date).length);
      expect(total(days.map(({ runs }) => runs))).toBe(latest(attempts).length);
      if (days.length > 0) expect(days.at(-1)?.date).toBe(dayOf(now));
    });
  });
});

describe('failing periods', () => {
  test('last from the end of the first failure to the end of the next pass, whatever was cancelled between', () => {
    const runs = runsEnding('success', 'failure', 'cancelled', 'timed_out', 'success', 'failure');
    const [first, open] = findRedPeriods(runs, true);
    expect(first).toMatchObject({ failures: 2, failed: { id: 2 }, recovered: { id: 5 }, mayBeLonger: false });
    expect((first?.recoveredAt ?? 0) - (first?.failedAt ?? 0)).toBe(3 * minute);
    expect(open).toMatchObject({ failed: { id: 6 }, recovered: null, recoveredAt: null });
  });

  test('that begin with the oldest known run may be longer, unless there is no older run', () => {
    const runs = runsEnding('failure', 'success');
    expect(findRedPeriods(runs, false)[0]?.mayBeLonger).toBe(true);
    expect(findRedPeriods(runs, true)[0]?.mayBeLonger).toBe(false);
  });

  test('end with a re-run that passes', () => {
    const [run] = runsEnding('failure');
    const again = { ...aRun(run), attempt: 2, conclusion: 'success' as const };
    const startedAt = again.createdAt + hour;
    const [period] = findRedPeriods([{ ...again, startedAt, updatedAt: startedAt + minute }, aRun(run)], true);
    expect((period?.recoveredAt ?? 0) - (period?.failedAt ?? 0)).toBe(hour);
  });
});

describe('flaky jobs', () => {
  const now = Date.UTC(2026, 2, 6, 12);
  const [failed, again] = [1, 2].map((attempt) =>
    aRun({
      id: 5,
      attempt,
      conclusion: attempt === 1 ? 'failure' : 'success',
      startedAt: now - hour * (3 - attempt),
      createdAt: now - 2 * hour,
    }),
  ) as [MeasuredRun, MeasuredRun];
  const jobOf = (attempt: number, name: string, conclusion: 'success' | 'failure' | 'cancelled') =>
    aJob({
      id: attempt * 10 + name.length,
      runId: 5,
      attempt,
      name,
      conclusion,
      startedAt: now - hour * (3 - attempt),
      completedAt: now - hour * (3 - attempt) + minute,
      steps: [aStep({ number: 2, name: 'test', conclusion }), aStep({ number: 1, name: 'set up' })],
    });
  const of = (...jobs: ReturnType<typeof jobOf>[]) => findFlakyJobs(commitOutcomes([failed, again], now), jobs);

  test('failed in one attempt and passed in a later one, with the step that failed', () => {
    const found = of(
      jobOf(1, 'build', 'success'),
      jobOf(1, 'unit', 'failure'),
      jobOf(2, 'build', 'success'),
      jobOf(2, 'unit', 'success'),
    );
    expect(found).toEqual([{ job: 'unit', step: 'test', commits: 1, failures: 1, lostMs: minute }]);
  });

  test('a failure that a re-run of other jobs lists again counts once', () => {
    const last = { ...again, attempt: 3, startedAt: now - minute };
    const first = jobOf(1, 'unit', 'failure');
    const jobs = [first, { ...first, attempt: 2 }, jobOf(3, 'unit', 'success')];
    const commits = commitOutcomes([failed, { ...again, conclusion: 'failure' }, last], now);
    expect(findFlakyJobs(commits, jobs)).toMatchObject([{ job: 'unit', failures: 1 }]);
  });

  test('are none where the job failed again, was cancelled, or was not read', () => {
    expect(of(jobOf(1, 'unit', 'failure'), jobOf(2, 'unit', 'failure'))).toEqual([]);
    expect(of(jobOf(1, 'unit', 'cancelled'), jobOf(2, 'unit', 'success'))).toEqual([]);
    expect(of(jobOf(1, 'unit', 'failure'))).toEqual([]);
    expect(of(jobOf(2, 'unit', 'failure'), jobOf(1, 'unit', 'success'))).toEqual([]);
  });
});

test('a day is not over before the next begins in its zone', () => {
  const now = Date.UTC(2026, 2, 6, 18, 30);
  const runs = [aRun({ id: 1, createdAt: now - second }), aRun({ id: 2, createdAt: now - day })];
  const days = courseDays(runs, { now, calendar: createCalendar('Asia/Saigon'), isComplete: true });
  expect(days.map((one) => [one.date, one.covered, one.runs])).toEqual([
    ['2026-03-06', true, 1],
    ['2026-03-07', true, 1],
  ]);
});
