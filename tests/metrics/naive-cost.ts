import type { UsageItem } from '../../server/metrics/cost/billing.ts';
import type { ForecastDay } from '../../server/metrics/cost/spend-forecast.ts';
import type { WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import { naiveFraction } from './naive-people.ts';

/** Thousandths of a dollar a minute in 2026, of the labels that the worlds use. */
const rates: Record<string, number> = { 'ubuntu-24.04': 6, 'windows-2025': 10, 'macos-15-xlarge': 102, eight: 22 };

/** Whole minutes and thousandths of a dollar, written out case by case; null where it cannot be said. */
export function naiveJob(job: WorkflowJob, isPublic: boolean): { minutes: number; mills: number | null } {
  if (job.status !== 'completed') return { minutes: 0, mills: null };
  if (job.conclusion === 'skipped') return { minutes: 0, mills: 0 };
  if (job.runnerName === null && job.steps.length === 0) return { minutes: 0, mills: 0 };
  if (job.startedAt === null || job.completedAt === null || job.completedAt < job.startedAt)
    return { minutes: 0, mills: null };
  let minutes = 0;
  while (job.startedAt + minutes * 60_000 < job.completedAt) minutes++;
  if (minutes === 0) return { minutes, mills: 0 };
  const [label = ''] = job.labels;
  if (label === 'self-hosted') return { minutes, mills: 0 };
  const rate = rates[label];
  if (rate === undefined) return { minutes, mills: null };
  return { minutes, mills: isPublic && /^(ubuntu|windows)/.test(label) ? 0 : minutes * rate };
}

export interface NaiveAttempt {
  run: MeasuredRun;
  jobs: WorkflowJob[];
}

/** Without the jobs that a re-run only lists: those that had ended before it began. */
function ranIn({ run, jobs }: NaiveAttempt): NaiveAttempt {
  const begin = run.attempt === 1 || run.startedAt === null ? Number.NEGATIVE_INFINITY : run.startedAt;
  return { run, jobs: jobs.filter(({ completedAt }) => !(completedAt !== null && completedAt < begin)) };
}

/** What the cost metrics should say, in one loop after the other. */
export function naiveCosts(listed: NaiveAttempt[], runs: MeasuredRun[], isPublic: boolean, defaultBranch: string) {
  const attempts = listed.map(ranIn);
  const sums = attempts.map(({ run, jobs }) => ({ run, jobs, ...naiveSum(jobs, isPublic) }));
  const byRun = gathered(sums, ({ run }) => String(run.id));
  const pullRequests = gathered(
    sums.filter(({ run }) => run.event === 'pull_request' && run.headBranch !== null && defaultBranch !== ''),
    ({ run }) => run.headBranch as string,
  );
  const wasted = sums.filter((one) => naiveWaste(one, sums, runs) !== null);
  return {
    estimatedCost: inUsd(millsOf(byRun), 2),
    medianRunCost: medianOf(byRun),
    costPerPullRequest: medianOf(pullRequests),
    wastedMinutes: wasted.reduce((sum, { minutes }) => sum + minutes, 0),
    wastedCost: inUsd(millsOf(wasted), 2),
  };
}

/** What workflows cost in dollars, and of that in vain; null where nothing is known of any of them. */
export function naiveSpend(attempts: NaiveAttempt[], runs: MeasuredRun[], isPublic: boolean) {
  const ids = [...new Set(attempts.map(({ run }) => run.workflowId))];
  const each = ids.map((id) => naiveWorkflowSpend(attempts, runs, isPublic, id));
  const sum = (read: (one: (typeof each)[number]) => number | null) =>
    inUsd(millsOf(each.map((one) => ({ mills: read(one) }))), 2);
  return { cost: sum(({ mills }) => mills), wasted: sum(({ wastedMills }) => wastedMills) };
}

/** Thousandths of a dollar; nothing spent in vain is 0, not unknown. */
export function naiveWorkflowSpend(attempts: NaiveAttempt[], runs: MeasuredRun[], isPublic: boolean, id: number) {
  const own = attempts.filter(({ run }) => run.workflowId === id).map(ranIn);
  const wasted = own.filter((one) => naiveWaste(one, own, runs) !== null);
  const { mills, unknown, minutes } = naiveSum(
    own.flatMap(({ jobs }) => jobs),
    isPublic,
  );
  return {
    mills,
    unknown,
    minutes,
    wastedMills: naiveSum(
      wasted.flatMap(({ jobs }) => jobs),
      isPublic,
    ).mills,
  };
}

/** Each day that is left costs what known days of its kind did on average; null where too few of them are known. */
export function naiveForecast(days: ForecastDay[]): number | null {
  const known = days.filter(({ usd }) => usd !== null);
  const [first] = days;
  if (!first || known.length < 14) return null;
  let expected = first.month.spentBefore;
  for (const left of first.month.left) {
    const alike = known.filter(({ day }) => isWeekend(day) === isWeekend(left));
    if (alike.length < 2) return null;
    expected += alike.reduce((sum, { usd }) => sum + (usd ?? 0), 0) / alike.length;
  }
  return Math.max(expected, first.month.spentBefore + first.month.spentToday);
}

const isWeekend = (date: string) => ['Sat', 'Sun'].includes(new Date(date).toUTCString().slice(0, 3));

/** Sums of a bill in millionths, so that nothing is lost on the way. */
export function naiveBill(items: UsageItem[]) {
  const millionths = (of: (item: UsageItem) => number, among = items) =>
    among.reduce((sum, item) => sum + Math.round(of(item) * 1e6), 0);
  const minutes = items.filter(({ unitType }) => ['minutes', 'minute'].includes(unitType.toLowerCase()));
  return {
    usedMinutes: Math.round(millionths(({ quantity }) => quantity, minutes) / 1e4) / 100,
    netAmount: Math.round(millionths((item) => item.netAmount) / 1e4) / 100,
    grossAmount: Math.round(millionths((item) => item.grossAmount) / 1e4) / 100,
  };
}

interface Sum {
  minutes: number;
  mills: number | null;
  unknown: number;
}

function naiveSum(jobs: WorkflowJob[], isPublic: boolean): Sum {
  const each = jobs.map((job) => naiveJob(job, isPublic));
  return {
    minutes: each.reduce((sum, { minutes }) => sum + minutes, 0),
    mills: jobs.length === 0 ? 0 : millsOf(each),
    unknown: each.filter(({ mills }) => mills === null).length,
  };
}

/** Of nothing null; also where some are unknown and none of the others costs anything. */
function millsOf(parts: { mills: number | null }[]): number | null {
  if (parts.length === 0) return null;
  let [sum, isWhole] = [0, true];
  for (const { mills } of parts) {
    if (mills === null) isWhole = false;
    else sum += mills;
  }
  return sum > 0 || isWhole ? sum : null;
}

function gathered<One extends Sum>(all: One[], keyOf: (one: One) => string): Sum[] {
  return [...new Set(all.map(keyOf))].map((key) => {
    const own = all.filter((one) => keyOf(one) === key);
    return {
      minutes: own.reduce((sum, { minutes }) => sum + minutes, 0),
      mills: millsOf(own),
      unknown: own.reduce((sum, { unknown }) => sum + unknown, 0),
    };
  });
}

function naiveWaste(
  { run, jobs }: NaiveAttempt,
  attempts: NaiveAttempt[],
  runs: MeasuredRun[],
): 'queue' | 'superseded' | 'flake' | null {
  if (run.conclusion === 'cancelled') {
    const taken = jobs.filter(
      (job) => job.conclusion !== 'skipped' && !(job.runnerName === null && job.steps.length === 0),
    );
    if (taken.every((job) => job.startedAt === null)) return 'queue';
    const ends = jobs.map((job) => job.completedAt);
    const end = ends.includes(null) ? run.updatedAt : Math.max(...(ends as number[]));
    const newer = runs.filter((one) => one.id > run.id && one.workflowId === run.workflowId && one.event === run.event);
    const start = run.startedAt ?? run.createdAt;
    const replaced = newer.some(
      ({ headBranch, createdAt }) => headBranch === run.headBranch && createdAt >= start && createdAt <= end,
    );
    return run.headBranch !== null && replaced ? 'superseded' : null;
  }
  if (!['failure', 'timed_out', 'startup_failure'].includes(run.conclusion ?? '')) return null;
  const later = attempts.filter((one) => one.run.id === run.id && one.run.attempt > run.attempt);
  return later.some((one) => one.run.conclusion === 'success') ? 'flake' : null;
}

const inUsd = (mills: number | null, digits: number) =>
  mills === null ? null : Math.round(mills / 10 ** (3 - digits)) / 10 ** digits;

const medianOf = (sums: Sum[]) =>
  naiveFraction(
    sums.filter(({ mills, unknown }) => mills !== null && unknown === 0).map(({ mills }) => mills as number),
    1,
    2,
    1000,
    3,
  );
