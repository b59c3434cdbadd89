import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Metric } from '../../server/metrics/kernel/metric.ts';
import { quantile } from '../../server/metrics/kernel/statistics.ts';
import { createCalendar } from '../../server/metrics/people/workday-hours.ts';
import { commitOutcomes, computeFlakiness, flakyRate } from '../../server/metrics/runs/flaky.ts';
import { computeRunHealth, recentSuccessRate, runHealth } from '../../server/metrics/runs/health.ts';
import { runTrend } from '../../server/metrics/runs/trend.ts';
import { durationPoints, failureStreak, recentRuns, successRate } from '../../server/metrics/runs/workflow-runs.ts';
import { rounds } from '../support/rounds.ts';
import {
  naiveFlaky,
  naiveHealth,
  naiveQuantile,
  naiveRecentSuccessRate,
  naiveSuccessRate,
  naiveTrend,
} from './naive.ts';
import { type World, worlds } from './worlds.ts';

function inEveryWorld(check: (world: World) => void): void {
  fc.assert(fc.property(worlds, check), { numRuns: rounds('PROPERTY_RUNS', 50, 1000) });
}

describe('a second, naive reading of the definitions agrees in random worlds on', () => {
  test('quantiles', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 40 });
    const check = (numbers: number[], q: number) => {
      const expected = naiveQuantile(numbers, q);
      const actual = quantile(numbers, q);
      if (expected === null) expect(actual).toBeNull();
      else expect(actual).toBeCloseTo(expected, 6);
    };
    fc.assert(fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), check), {
      numRuns: rounds('PROPERTY_RUNS', 50, 1000),
    });
  });

  test('success rates', () => {
    inEveryWorld(({ attempts }) => {
      expect(successRate(attempts)).toMatchObject(naiveSuccessRate(attempts));
      for (const branch of ['main', null])
        expect(recentSuccessRate(branch)(attempts)).toMatchObject(naiveRecentSuccessRate(attempts, branch));
    });
  });

  test('run health', () => {
    inEveryWorld(({ attempts }) => {
      for (const branch of ['main', null])
        expect(computeRunHealth(attempts, branch)).toEqual(naiveHealth(attempts, branch));
    });
  });

  test('flakiness', () => {
    inEveryWorld(({ attempts, now }) => {
      expect(computeFlakiness(attempts, now)).toMatchObject(naiveFlaky(attempts, now));
    });
  });

  test('trends in the zone of the team', () => {
    inEveryWorld(({ attempts, now, timezone }) => {
      const complete = attempts.length % 2 === 0;
      const trend = runTrend(attempts, { now, calendar: createCalendar(timezone), complete });
      expect(trend).toEqual(naiveTrend(attempts, now, timezone, complete));
    });
  });
});

test('the random worlds reach both sides of every limit', () => {
  const sample = fc.sample(worlds, { numRuns: 1000, seed: 1 });
  const share = (holds: (world: World) => boolean) => sample.filter(holds).length / sample.length;
  const conditions: ((world: World) => boolean)[] = [
    ({ attempts }) => successRate(attempts).sample > 10,
    ({ attempts }) => computeRunHealth(attempts, 'main').score === null,
    ({ attempts }) => computeRunHealth(attempts, 'main').score !== computeRunHealth(attempts, null).score,
    ({ attempts, now }) => computeFlakiness(attempts, now).ratePct === null,
    ({ attempts, now }) => computeFlakiness(attempts, now).rerunsFixed > 0,
    ({ attempts }) => failureStreak(attempts).value !== 0,
  ];
  for (const holds of conditions) {
    expect(share(holds)).toBeGreaterThan(0.1);
    expect(share(holds)).toBeLessThan(0.9);
  }
});

describe('in random worlds', () => {
  const everything = ({ attempts, now, timezone }: World) => ({
    successRate: successRate(attempts),
    recent: recentSuccessRate('main')(attempts),
    streak: failureStreak(attempts),
    health: computeRunHealth(attempts, 'main'),
    flakiness: computeFlakiness(attempts, now),
    trend: runTrend(attempts, { now, calendar: createCalendar(timezone), complete: false }),
    runs: recentRuns(attempts),
    points: durationPoints(attempts),
  });

  test('the order of facts changes nothing', () => {
    inEveryWorld((world) => {
      const byKey = world.attempts.toSorted((a, b) => a.id - b.id || a.attempt - b.attempt);
      expect(everything({ ...world, attempts: byKey })).toEqual(everything(world));
    });
  });

  test('a fact that comes twice changes nothing', () => {
    inEveryWorld((world) => {
      const copies = world.attempts.map((attempt) => ({ ...attempt }));
      expect(everything({ ...world, attempts: [...world.attempts, ...copies] })).toEqual(everything(world));
    });
  });

  test('no rate leaves 0 to 100, and none is said without a sample', () => {
    inEveryWorld((world) => {
      const { successRate: rate, recent, flakiness, health } = everything(world);
      for (const value of [rate.value, recent.value, flakiness.ratePct, health.score]) {
        if (value !== null) expect(value >= 0 && value <= 100).toBe(true);
      }
      for (const { value, sample } of [rate, recent]) expect(value === null).toBe(sample === 0);
    });
  });

  test('every value is the value of its evidence, and nothing is lost on the way there', () => {
    function opens<Fact>(metric: Metric<Fact>, facts: Fact[]): void {
      const { counted, excluded } = metric.evidence(facts);
      const measured = metric(facts);
      expect(metric.reduce(counted)).toBe(measured.value);
      expect(measured.sample).toBe(counted.length);
      expect(new Set([...counted, ...excluded.map(({ fact }) => fact)])).toEqual(new Set(facts));
      expect(counted.length + excluded.length).toBe(facts.length);
      expect(metric(counted)).toEqual(measured);
      for (const { reason } of excluded) expect(reason).not.toBe('');
    }
    inEveryWorld(({ attempts, now }) => {
      for (const each of [successRate, failureStreak]) opens(each, attempts);
      for (const branch of ['main', null]) opens(recentSuccessRate(branch), attempts);
      for (const branch of ['main', null]) opens(runHealth(branch), attempts);
      opens(flakyRate, commitOutcomes(attempts, now));
    });
  });
});
