import { describe, expect, test } from 'vitest';
import type { RecordedAttempt, RecordedJob } from '../../server/advisor/history.ts';
import { calibrate } from '../../server/advisor/replay/calibrate.ts';
import { tryPlan, tryWorld, worldKinds } from '../simulation/ci-predictions.ts';
import { drawIntents, simulateRuns, unchanged } from '../simulation/ci-worlds.ts';

describe('in simulated worlds the replay gives what another simulator gives', () => {
  const exact = Object.keys(worldKinds).filter((kind) => kind !== 'ADV-08');

  test.each(exact)('for %s, within a tenth of a percentage point', (kind) => {
    const trials = [1, 2, 3].flatMap((seed) => tryWorld(kind, { seed, days: 42, perDay: 20, memory: 0.3 }) ?? []);
    expect(trials.length).toBe(3);
    for (const { past, predictedPast } of trials) {
      expect(past).toBeGreaterThan(0);
      expect(Math.abs((predictedPast ?? 0) - past)).toBeLessThan(0.1);
    }
  });

  test('for ADV-08, within half a percentage point: how long a job takes that did not run is not known', () => {
    const trials = [1, 2, 3].flatMap((seed) => tryWorld('ADV-08', { seed, days: 42, perDay: 20, memory: 0.3 }) ?? []);
    expect(trials.length).toBe(3);
    for (const { past, predictedPast, wall } of trials) {
      expect(past).toBeLessThan(0);
      expect(Math.abs((predictedPast ?? 0) - past)).toBeLessThan(0.5);
      expect(wall?.future).toBeLessThan(-60);
      expect(wall?.band.high).toBeLessThan(-60);
    }
  });

  test('for all changes of a file together, within 1 %; what each adds sums up, and no overlap counts twice', () => {
    for (const seed of [1000, 1001, 1002]) {
      const trial = tryPlan({ seed, days: 42, perDay: 30, memory: 0.3 });
      if (!trial) throw new Error('Fewer than two changes save something.');
      expect(Math.abs(trial.replayed - trial.simulated)).toBeLessThan(0.01 * trial.simulated);
      expect(trial.marginals).toBeCloseTo(trial.total, 6);
      expect(trial.alone).toBeGreaterThanOrEqual(trial.replayed);
    }
  });
});

describe('before anything is predicted', () => {
  const habits = { days: 42, perDay: 8, memory: 0.3, buildsPushes: true, hangRate: 0.004 };
  const worlds = Array.from({ length: 20 }, (_, index) =>
    simulateRuns(drawIntents({ ...habits, seed: 1 + index }), unchanged),
  );
  /** The jobs of one attempt in its middle as a fault leaves them. */
  const withFault = (attempts: readonly RecordedAttempt[], fault: (jobs: readonly RecordedJob[]) => RecordedJob[]) => {
    const ran = attempts.filter(({ jobs }) => (jobs ?? []).some(({ isTaken }) => isTaken));
    const faulty = ran[Math.floor(ran.length / 2)];
    return attempts.map((one) => (one === faulty ? { ...one, jobs: fault(one.jobs ?? []) } : one));
  };

  test('minutes of intact worlds are reproduced exactly', () => {
    for (const attempts of worlds) {
      const { state, minutesRecorded, minutesReplayed } = calibrate(attempts);
      expect([state, minutesReplayed]).toEqual(['ok', minutesRecorded]);
      expect(minutesRecorded).toBeGreaterThan(0);
    }
  });

  test.each([
    [
      'a job is missing',
      (jobs: readonly RecordedJob[]) => jobs.filter((job) => job !== jobs.find((one) => one.isTaken)),
    ],
    [
      'a clock is ahead by two minutes at the end of jobs',
      (jobs: readonly RecordedJob[]) =>
        jobs.map((job) => ({ ...job, completedAt: job.completedAt === null ? null : job.completedAt + 120_000 })),
    ],
  ])('a world is refused where %s', (_what, fault) => {
    for (const attempts of worlds) {
      const { state, failures } = calibrate(withFault(attempts, fault));
      expect([state, failures.length]).toEqual(['failed', 1]);
    }
  });
});
