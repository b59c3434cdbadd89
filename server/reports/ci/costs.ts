import { monthlyCost, wastedMonthlyCost } from '../../metrics/cost/workflow-spend.ts';
import { percent, roundTo } from '../../metrics/kernel/statistics.ts';
import { minCompared } from '../../metrics/runs/run-figures.ts';
import type { CiSpend } from './reading.ts';

const toUsd = (value: number | null) => (value === null ? null : roundTo(value, 2));

/** What a workflow costs, in the words of the answer; null where cost is withheld. */
export function toCost(spend: CiSpend | null, before: CiSpend | null, completed: number) {
  return {
    costPerMonth: toUsd(spend?.perMonth ?? null),
    wastedPerMonth: toUsd(spend?.wastedPerMonth ?? null),
    costSample: spend?.costedRuns ?? null,
    completedRuns: completed,
    unknownJobs: spend?.unknownJobs ?? null,
    ...compareCosts(spend && [spend], before && [before]),
  };
}

/** What all of them cost together, and how that changed; null where cost is withheld. */
export function totalCost(spend: readonly CiSpend[] | null, before: readonly CiSpend[] | null, completed: number) {
  const [cost, wasted] = [monthlyCost(spend ?? []).value, wastedMonthlyCost(spend ?? []).value];
  const share = cost === null || wasted === null ? null : percent(wasted, cost);
  return {
    costPerMonth: cost,
    wastedPerMonth: wasted,
    costSample: spend && sum(spend.map(({ costedRuns }) => costedRuns)),
    completedRuns: completed,
    unknownJobs: spend && sum(spend.map(({ unknownJobs }) => unknownJobs)),
    ...compareCosts(spend, before),
    wastedShare: share === null ? null : roundTo(share, 0),
  };
}

/** What both amounts changed by; null where one of the windows is not known, or withheld. */
function compareCosts(now: readonly CiSpend[] | null, before: readonly CiSpend[] | null) {
  const compare = (amount: Amount) => (now && before ? computeChange(now, before, amount) : null);
  return { costChangePct: compare(monthlyCost), wastedChangePct: compare(wastedMonthlyCost) };
}

type Amount = typeof monthlyCost;

/** Amounts of which parts are missing, or of few runs, are not compared. */
function computeChange(now: readonly CiSpend[], before: readonly CiSpend[], amount: Amount): number | null {
  const isWhole = ({ costedRuns, completedRuns, unknownJobs }: CiSpend) =>
    costedRuns === completedRuns && unknownJobs === 0;
  if (![...now, ...before].every(isWhole)) return null;
  if ([now, before].some((spend) => sum(spend.map(({ completedRuns }) => completedRuns)) < minCompared)) return null;
  const [current, earlier] = [amount(now).value, amount(before).value];
  return current === null || !earlier ? null : roundTo(100 * (current / earlier - 1), 1);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
