import { grossAmount, netAmount, type UsageItem, usedMinutes } from '../../server/metrics/cost/billing.ts';
import {
  attemptCost,
  costPerPullRequest,
  estimatedCost,
  medianRunCost,
  pullRequestCosts,
  runCosts,
} from '../../server/metrics/cost/run-cost.ts';
import { costForecast, type ForecastDay } from '../../server/metrics/cost/spend-forecast.ts';
import { type JudgedAttempt, judgeAttempts, wastedCost, wastedMinutes } from '../../server/metrics/cost/waste.ts';
import {
  monthlyCost,
  priceJobs,
  toJobGroup,
  toMonthly,
  type WorkflowSpend,
  wastedMonthlyCost,
} from '../../server/metrics/cost/workflow-spend.ts';
import type { WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import { listOwnJobs } from '../../server/metrics/runs/jobs.ts';
import { distinctAttempts, latestAttempts, type MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import { type HeldMetrics, held } from './held-metrics.ts';
import { naiveBill, naiveCosts, naiveForecast, naiveSpend } from './naive-cost.ts';
import { aJob, day, minute, randomOf, second, type World } from './worlds.ts';

const labels = [
  'ubuntu-24.04',
  'ubuntu-24.04',
  'windows-2025',
  'macos-15-xlarge',
  'eight',
  'self-hosted',
  'unheard-of',
];
const units = ['Minutes', 'minute', 'GigabyteHours', 'MINUTES', 'UserMonths'];
export const largerRunnerLabels = { eight: 'linux_8_core' };

/** The metrics of what runs cost, and of bills. */
export function heldCost({ attempts: all, now }: World): HeldMetrics {
  // The prices of one year are enough: those of another are held by the price book's own tests.
  const shift = Date.UTC(2026, 5, 1) - now;
  const runs = distinctAttempts(all).map((run) => moved(run, shift));
  const completed = runs.filter(({ status }) => status === 'completed');
  const known = completed.map((run) => ({ run, jobs: jobsOf(run) }));
  const isPublic = all.length % 2 === 0;
  const costs = known.map(({ run, jobs }) => attemptCost(run, jobs, { isPublic, largerRunnerLabels }));
  const latest = latestAttempts(runs);
  const expected = naiveCosts(known, latest, isPublic, 'main');
  const judged = judgeAttempts(costs, latest);
  const spend = spendOf(judged, new Map(known.map(({ run, jobs }) => [run, jobs])), isPublic);
  const spent = naiveSpend(known, latest, isPublic);
  const bill = billOf(all);
  const billed = naiveBill(bill);
  const days = daysOf(all);
  return {
    costForecast: [held(costForecast, days, naiveForecast(days))],
    estimatedCost: [held(estimatedCost, runCosts(costs), expected.estimatedCost)],
    medianRunCost: [held(medianRunCost, runCosts(costs), expected.medianRunCost)],
    costPerPullRequest: [
      held(costPerPullRequest, pullRequestCosts(runCosts(costs), 'main'), expected.costPerPullRequest),
    ],
    wastedMinutes: [held(wastedMinutes, judged, expected.wastedMinutes)],
    wastedCost: [held(wastedCost, judged, expected.wastedCost)],
    monthlyCost: [held(monthlyCost, spend, spent.cost)],
    wastedMonthlyCost: [held(wastedMonthlyCost, spend, spent.wasted)],
    usedMinutes: [held(usedMinutes, bill, billed.usedMinutes)],
    netAmount: [held(netAmount, bill, billed.netAmount)],
    grossAmount: [held(grossAmount, bill, billed.grossAmount)],
  };
}

/** The workflows with what their attempts cost, in a window of a month. */
function spendOf(
  judged: readonly JudgedAttempt[],
  jobs: ReadonlyMap<MeasuredRun, WorkflowJob[]>,
  isPublic: boolean,
): WorkflowSpend[] {
  return [...Map.groupBy(judged, ({ attempt }) => attempt.run.workflowId)].map(([workflowId, own]) => {
    const groups = own.flatMap(({ attempt, waste }) =>
      listOwnJobs(attempt.run, jobs.get(attempt.run as MeasuredRun) ?? []).map((job) =>
        toJobGroup(job, waste !== null),
      ),
    );
    const { usd, wastedUsd } = priceJobs(groups, { isPublic, largerRunnerLabels });
    return {
      repo: 'octo/web',
      workflowId,
      workflow: null,
      completedRuns: own.length,
      costedRuns: own.length,
      perMonth: toMonthly(usd, 30),
      wastedPerMonth: toMonthly(wastedUsd, 30),
    };
  });
}

export function moved(run: MeasuredRun, shift: number): MeasuredRun {
  const at = (instant: number) => instant + shift;
  return {
    ...run,
    createdAt: at(run.createdAt),
    updatedAt: at(run.updatedAt),
    startedAt: run.startedAt === null ? null : at(run.startedAt),
  };
}

/**
 * Up to three jobs that end with the attempt; some were skipped, never taken, or lack a time. Some of a re-run are those
 * of the attempt before.
 */
export function jobsOf(run: MeasuredRun): WorkflowJob[] {
  const random = randomOf(run.id * 7 + run.attempt);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const startedAt = run.startedAt ?? run.createdAt;
  return Array.from({ length: Math.floor(random() * 4) }, (_, index) => {
    const conclusion = pick([run.conclusion, run.conclusion, 'skipped', 'cancelled', 'success'] as const);
    const isTaken = random() > 0.3;
    const isOld = run.attempt > 1 && random() < 0.4;
    const begin = isOld ? startedAt - 201 * minute - pick([second, day]) : startedAt;
    return aJob({
      id: run.id * 100 + run.attempt * 10 + index,
      runId: run.id,
      attempt: run.attempt,
      conclusion,
      labels: [pick(labels)],
      runnerName: isTaken ? 'runner 1' : null,
      createdAt: run.createdAt,
      startedAt: random() < 0.05 ? null : begin + Math.floor(random() * 3) * second,
      completedAt: begin + pick([2 * second, minute, 61 * second, run.updatedAt - startedAt, 200 * minute]),
    });
  });
}

/** Divisible by every number of days up to 20, so that no mean of them is rounded. */
const evenly = 232_792_560;

/** Complete days before the tenth of a month with what they cost; of some it is unknown. */
function daysOf(attempts: readonly MeasuredRun[]): ForecastDay[] {
  const random = randomOf(attempts.reduce((sum, { id, attempt }) => sum + id * 13 + attempt, 0));
  const until = Date.UTC(2026, 5, 10);
  const toDate = (at: number) => new Date(at).toISOString().slice(0, 10);
  const left = Array.from({ length: Math.floor(random() * 21) }, (_, index) => toDate(until + index * day));
  const spent = Math.floor(random() * 9) * evenly;
  const month = { spentBefore: spent, spentToday: Math.floor(random() * 3) * evenly, left };
  return Array.from({ length: Math.floor(random() * 29) }, (_, index) => {
    const unknown = random() < 0.2 ? ((['unread', 'uncosted', 'unpriced'] as const)[index % 3] ?? null) : null;
    const usd = unknown === null ? Math.floor(random() * 50) * evenly : null;
    return { day: toDate(until - (index + 1) * day), usd, unknown, month };
  });
}

function billOf(attempts: readonly MeasuredRun[]): UsageItem[] {
  return attempts.map((run) => {
    const random = randomOf(run.id * 11 + run.attempt);
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
    const quantity = Math.round(random() * 1e4) / 100;
    const net = Math.round(quantity * random() * 100) / 100;
    const price = pick([0.006, 0.062, 0.0005]);
    return {
      product: 'Actions',
      sku: 'actions_linux',
      unitType: pick(units),
      pricePerUnit: price,
      quantity,
      netQuantity: net,
      grossAmount: exact(quantity * price),
      netAmount: exact(net * price),
      discountAmount: exact((quantity - net) * price),
      day: null,
      repository: null,
    };
  });
}

const exact = (value: number) => Math.round(value * 1e6) / 1e6;
