import { describe, expect, test } from 'vitest';
import { tryPlan, tryWorld, worldKinds } from '../simulation/ci-predictions.ts';

describe('in simulated worlds the replay gives what another simulator gives', () => {
  test.each(Object.keys(worldKinds))('for %s, within a tenth of a percentage point', (kind) => {
    const trials = [1, 2, 3].flatMap((seed) => tryWorld(kind, { seed, days: 42, perDay: 20, memory: 0.3 }) ?? []);
    expect(trials.length).toBe(3);
    for (const { past, predictedPast } of trials) {
      expect(past).toBeGreaterThan(0);
      expect(Math.abs((predictedPast ?? 0) - past)).toBeLessThan(0.1);
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
