import type { Instant } from '../kernel/facts.ts';
import { metric } from '../kernel/metric.ts';
import { billedMinutes, findMinutePrice, type PricedJob, type Pricing } from './job-cost.ts';
import { freeBesideUnknown, sumKnown } from './known-cost.ts';
import { wasteDefinitions } from './waste.ts';

/** Jobs of one workflow that ran on the same kind of runner while the same prices held. */
export interface JobGroup {
  labels: string[];
  runnerGroup: string | null;
  /** When one of them started; null where none did. */
  startedAt: Instant | null;
  jobs: number;
  /** Those whose times are not known. */
  untimed: number;
  /** Those that no runner took, or that took no time. */
  idle: number;
  /** Whole minutes of each job. */
  minutes: number;
  /** Of attempts that came to nothing. */
  isWasted: boolean;
}

/** One job as a group. */
export function toJobGroup(job: PricedJob, isWasted: boolean): JobGroup {
  const { labels, runnerGroup, startedAt } = job;
  const minutes = billedMinutes(job);
  return {
    labels,
    runnerGroup,
    startedAt,
    jobs: 1,
    untimed: minutes === null ? 1 : 0,
    idle: minutes === 0 ? 1 : 0,
    minutes: minutes ?? 0,
    isWasted,
  };
}

/** What jobs are estimated to cost together. */
export interface Spend {
  jobs: number;
  /** Jobs whose cost cannot be said: the amounts lack them. */
  unknownJobs: number;
  minutes: number;
  /** USD; null when no part of it is known, or none but what costs nothing. */
  usd: number | null;
  /** USD of attempts that came to nothing; 0 when there was none. */
  wastedUsd: number | null;
}

/** Prices jobs as `jobCost` does: a sum of whole minutes costs what its minutes cost. */
export function priceJobs(groups: readonly JobGroup[], pricing: Pricing): Spend {
  const priced = groups.map((group) => {
    const { usdPerMinute } = findMinutePrice(group, pricing);
    const unknownJobs = group.untimed + (usdPerMinute === null ? group.jobs - group.untimed - group.idle : 0);
    return { ...group, unknownJobs, usd: group.minutes * (usdPerMinute ?? 0) };
  });
  const sum = (read: (group: (typeof priced)[number]) => number) =>
    priced.reduce((total, group) => total + read(group), 0);
  const costOf = (among: typeof priced) =>
    sumKnown(among.flatMap(({ usd, unknownJobs }) => (unknownJobs > 0 ? [usd, null] : [usd])));
  return {
    jobs: sum(({ jobs }) => jobs),
    unknownJobs: sum(({ unknownJobs }) => unknownJobs),
    minutes: sum(({ minutes }) => minutes),
    usd: costOf(priced),
    wastedUsd: costOf(priced.filter(({ isWasted }) => isWasted)),
  };
}

/** A workflow with what its runs of a window cost. */
export interface WorkflowSpend {
  repo: string;
  workflowId: number;
  workflow: string | null;
  /** Completed runs, and those of which all jobs are stored: only these cost anything here. */
  completedRuns: number;
  costedRuns: number;
  /** USD in 30 days at the rate of the window; null when it cannot be said. */
  perMonth: number | null;
  wastedPerMonth: number | null;
}

/** A month, where a cost is given per month. */
export const monthDays = 30;
/** The minimum of days for a cost per month. */
export const minSpendDays = 7;

/** USD of a window of so many days as 30 days at the same rate; null of a window that is too short to tell. */
export const toMonthly = (usd: number | null, days: number): number | null =>
  usd === null || days < minSpendDays ? null : (usd * monthDays) / days;

const counted = 'Minutes of every job and attempt, rounded up, at the list price of the runner, scaled to 30 days.';
const left =
  'Only runs with all jobs stored count, so the cost may be higher. Self-hosted runners, and standard runners in public repositories, are free. Included minutes are not subtracted, so the bill may be lower.';

export const monthlyCost = metric<WorkflowSpend>({
  key: 'monthly_cost',
  label: 'Cost per month',
  unit: 'usd',
  better: 'lower',
  source: 'workflows with stored jobs',
  definition: `${counted} ${left}`,
  countsAmong: (workflows) => countPriced(workflows, ({ perMonth }) => perMonth),
  value: (workflows) => sumKnown(workflows.map(({ perMonth }) => perMonth)),
});

export const wastedMonthlyCost = metric<WorkflowSpend>({
  key: 'wasted_monthly_cost',
  label: 'Wasted per month',
  unit: 'usd',
  better: 'lower',
  source: 'workflows with stored jobs',
  definition: `The part of the cost per month spent on attempts whose result was not used. ${Object.values(wasteDefinitions).join(' ')}`,
  countsAmong: (workflows) => countPriced(workflows, ({ wastedPerMonth }) => wastedPerMonth),
  value: (workflows) => sumKnown(workflows.map(({ wastedPerMonth }) => wastedPerMonth)),
});

/** Workflows without job data are left out; beside one without a known price those that cost nothing are, too. */
function countPriced(workflows: readonly WorkflowSpend[], read: (workflow: WorkflowSpend) => number | null) {
  const isKnown = sumKnown(workflows.filter(({ costedRuns }) => costedRuns > 0).map(read)) !== null;
  return (one: WorkflowSpend) => (read(one) === null ? uncosted(one.costedRuns) : isKnown || freeBesideUnknown);
}

const uncosted = (costedRuns: number) =>
  costedRuns === 0 ? 'no run of which all jobs are stored' : 'no job on a runner with a known price';
