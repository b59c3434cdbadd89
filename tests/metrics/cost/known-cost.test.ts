import { describe, expect, test } from 'vitest';
import { sumKnown } from '../../../server/metrics/cost/known-cost.ts';
import { attemptCost, estimatedCost, runCosts } from '../../../server/metrics/cost/run-cost.ts';
import { judgeAttempts, wastedCost } from '../../../server/metrics/cost/waste.ts';
import {
  monthlyCost,
  priceJobs,
  toJobGroup,
  type WorkflowSpend,
  wastedMonthlyCost,
} from '../../../server/metrics/cost/workflow-spend.ts';
import type { WorkflowJob } from '../../../server/metrics/kernel/facts.ts';
import { aJob, aRun } from '../worlds.ts';

const pricing = { isPublic: false };
const priced = aJob({});
const unknown = aJob({ labels: ['unheard-of'] });
const skipped = aJob({ conclusion: 'skipped', runnerName: null, labels: [] });
const own = aJob({ labels: ['self-hosted'] });

/** The jobs of each list as those of a run. */
const costsOf = (...runs: WorkflowJob[][]) =>
  runs.map((jobs, index) => attemptCost(aRun({ id: index + 1, conclusion: 'cancelled' }), jobs, pricing));

describe('the sum of what is known', () => {
  test('is null where only free parts are known beside an unknown one', () => {
    expect([sumKnown([]), sumKnown([0]), sumKnown([null]), sumKnown([0, null]), sumKnown([0.1, 0.2, null])]).toEqual([
      0,
      0,
      null,
      null,
      0.3,
    ]);
  });

  test.each([
    ['a skipped job', [skipped]],
    ['a self-hosted runner', [own]],
  ])('%s makes no cost of $0 of jobs without a known price', (_, free) => {
    expect(costsOf([...free, unknown])).toMatchObject([{ estCost: null, unknownJobs: 1 }]);
    expect(costsOf(free)).toMatchObject([{ estCost: 0, unknownJobs: 0 }]);
    expect(costsOf([...free, unknown, priced])[0]?.estCost).toBeGreaterThan(0);
    const groups = [...free, unknown].map((job) => toJobGroup(job, true));
    expect(priceJobs(groups, pricing)).toMatchObject({ usd: null, wastedUsd: null, unknownJobs: 1 });
    const apart = costsOf(free, [unknown]);
    expect(estimatedCost(runCosts(apart))).toMatchObject({ value: null, sample: 0 });
    expect(estimatedCost(runCosts(costsOf(free, [unknown], [priced])))).toMatchObject({ sample: 2 });
    expect(estimatedCost(runCosts(costsOf(free)))).toMatchObject({ value: 0, sample: 1 });
  });

  test('wasted attempts are none of them free where the others are unknown', () => {
    const untaken = aJob({ conclusion: 'cancelled', runnerName: null, steps: [], labels: [] });
    const taken = aJob({ conclusion: 'cancelled', labels: ['unheard-of'] });
    const attempts = costsOf([untaken], [taken]);
    const newer = aRun({ id: 9, createdAt: attempts[1]?.run.createdAt ?? 0 });
    expect(wastedCost(judgeAttempts(attempts, [newer])).value).toBeNull();
    expect(wastedCost(judgeAttempts(attempts.slice(0, 1), [newer])).value).toBe(0);
  });

  test('workflows without job data are left out, those without a known price are not', () => {
    const of = (perMonth: number | null, costedRuns: number): WorkflowSpend => ({
      repo: 'octo/web',
      workflowId: 1,
      workflow: null,
      completedRuns: 2,
      costedRuns,
      perMonth,
      wastedPerMonth: perMonth,
    });
    for (const metric of [monthlyCost, wastedMonthlyCost]) {
      expect(metric([of(0, 1), of(null, 0)])).toMatchObject({ value: 0, sample: 1 });
      expect(metric([of(0, 1), of(null, 1)])).toMatchObject({ value: null, sample: 0 });
      expect(metric([of(0, 1), of(null, 1), of(2, 1)])).toMatchObject({ value: 2, sample: 2 });
    }
  });
});
