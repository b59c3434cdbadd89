import { describe, expect, test } from 'vitest';
import { predictEffects } from '../../server/advisor/effects.ts';
import type { RecordedAttempt, RecordedJob } from '../../server/advisor/history.ts';
import type { AdvisedRepository, Recommendation } from '../../server/advisor/recommend.ts';
import { measureCancellation } from '../../server/advisor/replay/cancellation.ts';
import { amountsByDay, attemptMinutes, sumAmounts } from '../../server/advisor/replay/days.ts';
import { findMinutePrice } from '../../server/metrics/cost/job-cost.ts';
import { aJob, anAdvisedRepository, anAttempt, day, hour, minute, now, only, recommendFor } from './histories.ts';

const second = 1000;

/** `10:03:10` of 2 March 2026. */
const at = (time: string): number => Date.parse(`2026-03-02T${time}Z`);

const jobFrom = (
  name: string,
  from: string,
  to: string,
  conclusion: 'success' | 'failure' = 'success',
): RecordedJob => ({
  ...aJob(name, at(from), 0, conclusion),
  completedAt: at(to),
});

/** The recommendation's change of these attempts, by the attempt that was changed. */
function replay(found: Recommendation | undefined, attempts: readonly RecordedAttempt[]) {
  const changed = found?.counterfactual?.change(attempts) ?? [];
  return (one: RecordedAttempt) => changed.find(({ runId, attempt }) => runId === one.runId && attempt === one.attempt);
}

const times = (attempt: RecordedAttempt | undefined) =>
  Object.fromEntries(
    (attempt?.jobs ?? []).map(({ name, startedAt, completedAt }) => [
      name,
      [startedAt, completedAt].map((time) => new Date(time ?? 0).toISOString().slice(11, 19)).join('–'),
    ]),
  );

const ci = `name: CI
on: pull_request
jobs:
  test:
    runs-on: ubuntu-24.04
    steps: [{run: make test}]
  e2e:
    needs: test
    runs-on: ubuntu-24.04
    steps: [{run: make e2e}]
  report:
    needs: test
    if: always()
    runs-on: ubuntu-24.04
    steps: [{run: make report}]
`;

describe('a superseded run ends ten seconds after the newer one was created', () => {
  const older = (jobs: RecordedJob[]) =>
    anAttempt({
      arrivedAt: at('10:00:00'),
      endedAt: Math.max(...jobs.map(({ completedAt }) => completedAt ?? 0)),
      headBranch: 'fix',
      jobs,
    });
  const newer = anAttempt({ arrivedAt: at('10:03:00'), endedAt: at('10:13:00'), headBranch: 'fix' });
  const changed = (jobs: RecordedJob[]) => {
    const attempts = [older(jobs), newer];
    const [first = newer] = attempts;
    return replay(only(recommendFor(ci, { attempts }), 'ADV-01'), attempts)(first);
  };

  test('a job that ran is cancelled (T1)', () => {
    const job = jobFrom('test', '10:00:10', '10:09:40');
    const after = changed([job]);
    expect(times(after)).toEqual({ test: '10:00:10–10:03:10' });
    expect([attemptMinutes(older([job])), after && attemptMinutes(after)]).toEqual([10, 3]);
    const price = findMinutePrice(job, { isPublic: false }).usdPerMinute ?? 0;
    expect([10 * price, 3 * price, 7 * price].map((usd) => usd.toFixed(3))).toEqual(['0.060', '0.018', '0.042']);
  });

  test('a job that was not created yet does not run (T2)', () => {
    const after = changed([jobFrom('test', '10:00:10', '10:09:40'), jobFrom('e2e', '10:09:45', '10:13:05')]);
    expect(times(after)).toEqual({ test: '10:00:10–10:03:10' });
  });

  test('a job with always() runs after those that it needs (T3)', () => {
    const after = changed([jobFrom('test', '10:00:10', '10:09:40'), jobFrom('report', '10:09:55', '10:10:35')]);
    expect(times(after)).toEqual({ test: '10:00:10–10:03:10', report: '10:03:25–10:04:05' });
    expect(after && attemptMinutes(after)).toBe(4);
  });

  test('what had ended, and a re-run, stay as they were', () => {
    const jobs = [jobFrom('test', '10:00:10', '10:02:00'), jobFrom('e2e', '10:02:05', '10:03:04')];
    expect(times(changed(jobs))).toEqual({ test: '10:00:10–10:02:00', e2e: '10:02:05–10:03:04' });
    const rerun = { ...older(jobs), attempt: 2 };
    const attempts = [older(jobs), rerun, newer];
    expect(replay(only(recommendFor(ci, { attempts }), 'ADV-01'), attempts)(rerun)).toBe(rerun);
  });

  test('a job that fits none of the file, or several, keeps its times, and the share of these is told', () => {
    const jobs = [jobFrom('test', '10:00:10', '10:09:40'), jobFrom('older', '10:00:10', '10:09:40')];
    expect(times(changed(jobs))).toEqual({ test: '10:00:10–10:03:10', older: '10:00:10–10:09:40' });
    const facts = (recorded: RecordedJob[]) =>
      only(recommendFor(ci, { attempts: [older(recorded), newer] }), 'ADV-01')?.facts.slice(2);
    expect(facts(jobs)).toEqual([{ label: expect.stringContaining('fit no job'), value: '50', unit: '%' }]);
    expect(facts(jobs.slice(0, 1))).toEqual([]);
  });

  test('a job that no runner took costs nothing either way', () => {
    const waiting = { ...jobFrom('test', '10:04:00', '10:09:40'), isTaken: false, conclusion: 'cancelled' as const };
    const after = changed([waiting]);
    expect(after && attemptMinutes(after)).toBe(0);
  });
});

test('pushes to the default branch are not cancelled (T4)', () => {
  const push = { event: 'push', headBranch: 'main' };
  const attempts = [
    anAttempt({ ...push, arrivedAt: at('10:00:00'), jobs: [jobFrom('test', '10:00:10', '10:09:40')] }),
    anAttempt({ ...push, arrivedAt: at('10:01:00') }),
  ];
  const found = only(recommendFor(ci.replace('on: pull_request', 'on: push'), { attempts }), 'ADV-01');
  const [first] = attempts;
  expect(first && replay(found, attempts)(first)).toBe(first);
});

describe('how long cancelled jobs go on is measured', () => {
  const pair = (delayMs: number, conclusion: 'cancelled' | 'success' = 'cancelled') => {
    const one = anAttempt({ arrivedAt: at('10:00:00'), endedAt: at('10:03:00') + delayMs, conclusion });
    return [one, anAttempt({ arrivedAt: at('10:03:00'), endedAt: at('10:09:00'), headBranch: one.headBranch })];
  };

  test('from five cancelled runs on as their median', () => {
    expect(measureCancellation([20, 20, 30, 40, 40].flatMap((seconds) => pair(seconds * second)))).toBe(30 * second);
  });

  test('else it is ten seconds', () => {
    expect(measureCancellation([20, 20, 30, 40].flatMap((seconds) => pair(seconds * second)))).toBe(10 * second);
    expect(measureCancellation([1, 2, 3, 4, 5].flatMap(() => pair(60 * second, 'success')))).toBe(10 * second);
  });
});

const both = 'on: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    steps: [{run: make}]\n';

/** A run of six minutes on each of so many days. */
const sixMinutes = (parts: Partial<RecordedAttempt>, index: number): RecordedAttempt => {
  const arrivedAt = now - 40 * day + Math.floor(index / 2) * day;
  return anAttempt({ arrivedAt, jobs: [aJob('test', arrivedAt, 6)], ...parts });
};

describe('a commit that ran twice runs once', () => {
  const pairs = Array.from({ length: 40 }, (_, index) => index).flatMap((index) => {
    const commit = { headSha: `sha-${index}`, headBranch: `change-${index}` };
    return [sixMinutes({ event: 'push', ...commit }, index), sixMinutes(commit, index)];
  });
  const onMain = Array.from({ length: 20 }, (_, index) => sixMinutes({ event: 'push', headBranch: 'main' }, index));
  const minutes = (attempts: readonly RecordedAttempt[]) => attempts.reduce((sum, one) => sum + attemptMinutes(one), 0);

  test('the pushes of 40 pairs are gone, those to main stay (T5)', () => {
    const attempts = [...pairs, ...onMain];
    const change = only(recommendFor(both, { attempts }), 'ADV-02')?.counterfactual?.change;
    expect([minutes(attempts), change && minutes(change(attempts))]).toEqual([600, 360]);
  });

  test('runs of tags stay (T6)', () => {
    const tags = Array.from({ length: 5 }, (_, index) =>
      sixMinutes({ event: 'push', headBranch: `v1.${index}.0` }, index),
    );
    const attempts = [...pairs, ...onMain, ...tags];
    const change = only(recommendFor(both, { attempts }), 'ADV-02')?.counterfactual?.change;
    expect(change && minutes(change(attempts))).toBe(390);
  });
});

test('a hang ends at the time limit (T7)', () => {
  const passing = Array.from({ length: 100 }, (_, index) => {
    const arrivedAt = now - (29 - (index % 28)) * day + index * minute;
    const minutes = index === 0 ? 14.2 : index < 7 ? 12 : 8;
    return anAttempt({ arrivedAt, jobs: [aJob('test', arrivedAt, minutes)] });
  });
  const hang = anAttempt({ arrivedAt: now - 5 * day, jobs: [aJob('test', now - 5 * day, 360, 'failure')] });
  const attempts = [...passing, hang];
  const file = 'on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    steps: [{run: make}]\n';
  const found = only(recommendFor(file, { attempts }), 'ADV-05');
  const after = replay(found, attempts)(hang);
  expect(after && attemptMinutes(after)).toBe(40);
  expect(only(recommendFor(file, { attempts: passing }), 'ADV-05')?.counterfactual).toBeNull();
  // One hang in 28 days is no certain saving, and reason enough for a limit.
  const days = Array.from({ length: 30 }, (_, index) => Math.floor(now / day) * day - (30 - index) * day);
  const repository = anAdvisedRepository({ attempts, days });
  const [predicted] = predictEffects(repository, found ? [found] : [], { isPublic: false }).recommendations;
  expect([predicted?.reasons, (predicted?.effect.next?.reductionPct.low ?? 1) <= 0]).toEqual([[], true]);
});

test('the other cells end ten seconds after the first failure (T9)', () => {
  const matrix = `on: push
jobs:
  test:
    strategy:
      fail-fast: false
      matrix: {os: [a, b, c]}
    runs-on: ubuntu-24.04
    steps: [{run: make}]
`;
  const attempt = anAttempt({
    arrivedAt: at('10:00:00'),
    jobs: [
      jobFrom('test (a)', '10:00:00', '10:04:00', 'failure'),
      jobFrom('test (b)', '10:00:00', '10:09:20'),
      jobFrom('test (c)', '10:00:00', '10:03:10'),
    ],
  });
  const after = replay(only(recommendFor(matrix, { attempts: [attempt] }), 'ADV-06'), [attempt])(attempt);
  expect(times(after)).toEqual({
    'test (a)': '10:00:00–10:04:00',
    'test (b)': '10:00:00–10:04:10',
    'test (c)': '10:00:00–10:03:10',
  });
  expect([attemptMinutes(attempt), after && attemptMinutes(after)]).toEqual([18, 13]);
});

test('a rarer schedule keeps the runs nearest to its times', () => {
  const hourly = Array.from({ length: 48 }, (_, index) => {
    const arrivedAt = Date.parse('2026-11-20T00:20:00Z') + index * 60 * minute;
    return anAttempt({ event: 'schedule', headBranch: 'main', headSha: 'same', arrivedAt });
  });
  const file =
    "on:\n  schedule:\n    - cron: '17 * * * *'\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    steps: [{run: make}]\n";
  const kept = only(recommendFor(file, { attempts: hourly }), 'ADV-03')?.counterfactual?.change(hourly) ?? [];
  expect(kept.map(({ arrivedAt }) => new Date(arrivedAt).toISOString().slice(11, 16))).toEqual([
    '00:20',
    '06:20',
    '12:20',
    '18:20',
    '00:20',
    '06:20',
    '12:20',
    '18:20',
  ]);
});

test('a step with a start is replayed as GitHub has it', () => {
  const quarterly = Array.from({ length: 40 }, (_, index) => {
    const arrivedAt = Date.parse('2026-11-20T00:20:00Z') + Math.floor(index / 3) * hour + (index % 3) * 15 * minute;
    return anAttempt({ event: 'schedule', headBranch: 'main', headSha: 'same', arrivedAt });
  });
  const file =
    "on:\n  schedule:\n    - cron: '20/15 * * * *'\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    steps: [{run: make}]\n";
  const kept = only(recommendFor(file, { attempts: quarterly }), 'ADV-03')?.counterfactual?.change(quarterly) ?? [];
  expect(new Set(kept.map(({ arrivedAt }) => new Date(arrivedAt).getUTCMinutes()))).toEqual(new Set([20]));
  expect(kept.length).toBe(14);
  expect(only(recommendFor(file, { attempts: [] }), 'ADV-03')?.counterfactual?.change([])).toEqual([]);
});

describe('cost is by the price at the start of each job (T13)', () => {
  const runs = ['2025-12-31T23:40:00Z', '2026-01-01T00:10:00Z'].map((time) =>
    anAttempt({ arrivedAt: Date.parse(time), jobs: [aJob('test', Date.parse(time), 10)] }),
  );
  const days = ['2025-12-31', '2026-01-01'].map((date) => Date.parse(date));
  const recorded = (attempts: readonly RecordedAttempt[]) =>
    sumAmounts(
      amountsByDay(
        days,
        { before: attempts, after: [] },
        (job) => findMinutePrice(job, { isPublic: false }).usdPerMinute,
      ).map(({ before }) => before),
    );

  test('across a change of prices', () => {
    const { minutes, cost, unpricedMinutes } = recorded(runs);
    expect([minutes, cost.toFixed(3), unpricedMinutes]).toEqual([20, '0.140', 0]);
  });

  test('with minutes and no cost where the runner is not known', () => {
    const unknown = runs.map((one) => ({
      ...one,
      jobs: (one.jobs ?? []).map((job) => ({ ...job, labels: ['some-runner'], runnerGroup: 'some-group' })),
    }));
    expect(recorded(unknown)).toEqual({ minutes: 20, cost: 0, unpricedMinutes: 20 });
  });
});

describe('what is predicted', () => {
  const days = Array.from({ length: 40 }, (_, index) => Math.floor(now / day) * day - (40 - index) * day);
  const commit = (index: number) => ({ headSha: `sha-${index}`, headBranch: `change-${index}` });
  /** Each day two commits that ran twice, and two that did not. */
  const attempts = days.flatMap((start, index) =>
    [0, 1].flatMap((half) => {
      const arrivedAt = start + (9 + half) * 60 * minute;
      const one = { arrivedAt, ...commit(2 * index + half) };
      const run = (parts: Partial<RecordedAttempt>) =>
        anAttempt({ ...one, jobs: [aJob('test', arrivedAt, 6)], ...parts });
      return [
        run({ event: 'push' }),
        run({ event: 'pull_request' }),
        run({ event: 'push', headBranch: 'main', headSha: `main-${index}-${half}` }),
      ];
    }),
  );
  const repository = (parts: Partial<AdvisedRepository> = {}) => anAdvisedRepository({ attempts, days, ...parts });
  const predicted = (parts: Partial<AdvisedRepository> = {}) => {
    const from = repository(parts);
    const found = recommendFor(both, { attempts: from.attempts }).filter(({ kind }) => kind.id === 'ADV-02');
    return predictEffects(from, found, { isPublic: from.around.visibility === 'public' });
  };

  test('minutes and cost, over history and for 28 days', () => {
    const { calibration, recommendations } = predicted();
    expect(calibration).toEqual({ state: 'ok', minutesRecorded: 1440, minutesReplayed: 1440, failures: [] });
    const [effect] = recommendations.map((one) => one.effect);
    expect(effect).toMatchObject({
      reason: null,
      demand: { units: 160, label: 'commits' },
      drifting: false,
      history: { minutesBefore: 1440, minutesAfter: 960, costBefore: expect.closeTo(8.64, 6), unpriced: [] },
    });
    expect(effect?.history?.reductionPct).toBeCloseTo(33.33, 2);
    expect(effect?.next?.minutesSaved.mid).toBeCloseTo(336, 6);
    expect(effect?.next?.costSaved?.mid).toBeCloseTo(336 * 0.006, 6);
    expect(effect?.minutesAfter.size).toBe(80);
    expect(predicted().recommendations.map((one) => one.effect)).toEqual([effect]);
  });

  test('nothing where a stored sum is another one', () => {
    const [first, ...others] = attempts;
    const wrong = first ? [{ ...first, billedMinutes: 7 }, ...others] : [];
    const { calibration, recommendations } = predicted({ attempts: wrong });
    expect(calibration).toMatchObject({
      state: 'failed',
      minutesRecorded: 1441,
      failures: [{ recorded: 7, replayed: 6 }],
    });
    expect(recommendations.map(({ effect }) => [effect.reason, effect.next, effect.history])).toEqual([
      ['minutes_not_reproduced', null, null],
    ]);
  });

  test('standard runners of a public repository save time and no money', () => {
    const [effect] = predicted({
      around: { visibility: 'public', largerRunnerLabels: [], actions: null },
    }).recommendations.map((one) => one.effect);
    expect(effect?.next?.costSaved).toEqual({ low: 0, mid: 0, high: 0 });
    expect(effect?.next?.minutesSaved.mid).toBeCloseTo(336, 6);
  });

  test('no cost where more than a twentieth of the minutes has no price', () => {
    const relabel = (one: RecordedAttempt) => ({
      ...one,
      jobs: (one.jobs ?? []).map((job) => ({ ...job, labels: ['a-group-of-its-own'] })),
    });
    const priceless = (count: number) => attempts.map((one, index) => (index < count ? relabel(one) : one));
    const cost = (count: number) =>
      predicted({ attempts: priceless(count) }).recommendations.map(({ effect }) => effect.history?.costBefore)[0];
    expect(cost(13)).toBeNull();
    expect(cost(12)).toBeCloseTo(8.64 - 12 * 6 * 0.006, 6);
    const [effect] = predicted({ attempts: priceless(13) }).recommendations.map((one) => one.effect);
    expect(effect?.history?.unpriced).toEqual(['a-group-of-its-own']);
    expect(effect?.next?.costSaved).toBeNull();
  });

  test('nothing where the level of minutes changed within 28 days, and since then where it did before', () => {
    const longer = (from: number) =>
      attempts.map((one) =>
        one.arrivedAt < from ? one : anAttempt({ ...one, jobs: [aJob('test', one.arrivedAt, 30)], billedMinutes: 30 }),
      );
    const at14 = predicted({ attempts: longer(days[26] ?? 0) }).recommendations.map((one) => one.effect);
    expect(at14.map(({ reason, next, history }) => [reason, next, history === null])).toEqual([
      ['level_changed', null, false],
    ]);
    const at30 = predicted({ attempts: longer(days[10] ?? 0) }).recommendations.map((one) => one.effect);
    // 30 days with six runs of 30 minutes.
    expect(at30[0]?.next?.minutesSaved.mid).toBeCloseTo(28 * 60, 6);
  });

  test('nothing from fewer than 20 commits since the level changed', () => {
    const quieter = attempts.flatMap((one) => {
      const isAfter = one.arrivedAt >= (days[11] ?? 0);
      const isRare = (Math.floor(one.arrivedAt / day) - Math.floor((days[11] ?? 0) / day)) % 3 !== 0;
      if (!isAfter) return [one];
      return isRare || one.headBranch === 'main'
        ? []
        : [anAttempt({ ...one, headSha: 'same', jobs: [aJob('test', one.arrivedAt, 30)], billedMinutes: 30 })];
    });
    const [effect] = predicted({ attempts: quieter }).recommendations.map((one) => one.effect);
    expect([effect?.demand?.units, effect?.next, effect?.reason]).toEqual([45, null, 'sample_too_small']);
  });

  test('one that saves too little is not offered', () => {
    // A workflow of its own that makes the saving small is not one: the share is of the workflow's minutes.
    const long = attempts.map((one) =>
      one.event === 'push' && one.headBranch !== 'main' ? anAttempt({ ...one, jobs: [], billedMinutes: 0 }) : one,
    );
    const [found] = predicted({ attempts: long }).recommendations;
    expect(found?.effect.next?.minutesSaved.mid).toBe(0);
    expect(found?.reasons).toEqual(['below_materiality']);
  });

  test('nothing of what is not recommended', () => {
    const found = recommendFor(both, { attempts: attempts.slice(0, 30) }).filter(({ kind }) => kind.id === 'ADV-02');
    const { recommendations } = predictEffects(repository(), found, { isPublic: false });
    expect(recommendations.map(({ reasons, effect }) => [reasons, effect.reason, effect.days])).toEqual([
      [['sample_too_small'], 'not_offered', []],
    ]);
  });

  test('nothing without history', () => {
    const found = recommendFor(both).filter(({ kind }) => kind.id === 'ADV-02');
    const { calibration, recommendations } = predictEffects(repository({ attempts: null, days: [] }), found, {
      isPublic: false,
    });
    expect(calibration).toBeNull();
    expect(recommendations.map(({ effect }) => effect.reason)).toEqual(['not_offered']);
  });
});
