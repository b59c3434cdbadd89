import { expect, test } from 'vitest';
import { whyCostUncompared } from '../../app/components/comparison.ts';

const whole = { cost_per_month: 12, cost_sample: 388, completed_runs: 388, unknown_jobs: 0 };

test.each([
  [{ cost_per_month: 0 }, 'no cost in this period'],
  [{ completed_runs: 9, cost_sample: 9, cost_per_month: 0 }, 'fewer than 10 runs'],
  [{ completed_runs: null, cost_sample: null }, 'fewer than 10 runs'],
  [{ cost_sample: 387, cost_per_month: 0 }, 'some runs have no known cost'],
  [{ unknown_jobs: 1, cost_per_month: 0 }, 'some runs have no known cost'],
  [{}, 'fewer than 10 runs before, some without known cost, or no cost'],
])('a cost that is not compared says why: %o', (totals, reason) => {
  expect(whyCostUncompared({ ...whole, ...totals })).toBe(reason);
});
