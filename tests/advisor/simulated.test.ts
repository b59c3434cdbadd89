import { describe, expect, test } from 'vitest';
import { tryWorld, worldKinds } from '../simulation/ci-predictions.ts';

describe('in simulated worlds the replay gives what another simulator gives', () => {
  test.each(Object.keys(worldKinds))('for %s, within a tenth of a percentage point', (kind) => {
    const trials = [1, 2, 3].flatMap((seed) => tryWorld(kind, { seed, days: 42, perDay: 20, memory: 0.3 }) ?? []);
    expect(trials.length).toBe(3);
    for (const { past, predictedPast } of trials) {
      expect(past).toBeGreaterThan(0);
      expect(Math.abs((predictedPast ?? 0) - past)).toBeLessThan(0.1);
    }
  });
});
