import { jobCost } from '../cost/job-cost.ts';
import type { LargerRunnerLabels, RunnerOs } from '../cost/runner-prices.ts';
import type { WorkflowJob } from '../kernel/facts.ts';
import { percent, roundTo } from '../kernel/statistics.ts';
import { getSpan, type JobFigures, jobFigures } from './jobs.ts';
import { getRunnerKind, getRunnerOs, type RunnerKind } from './runner-labels.ts';

export interface RunnerFigures extends JobFigures {
  /** The machine when it is somebody's own; of others the labels, because every job has a machine of its own. */
  runnerName: string;
  /** null when unknown, or not the same for all jobs. */
  runnerGroupName: string | null;
  kind: RunnerKind;
  os: RunnerOs | null;
  labels: string[];
  /** Distinct machines. */
  machines: number;
  jobCount: number;
  /** Failures of the jobs that passed or failed, 0-100. */
  failureRate: number | null;
  /** Time of all jobs, whatever they came to; jobs without known times are excluded. */
  busyMinutes: number;
  /** US dollars at list prices; null when the price of a job is not known. */
  estCost: number | null;
}

export interface RunnersOfJobs {
  /** Most jobs first. */
  runners: RunnerFigures[];
  totalJobs: number;
  /** Skipped ones, and others that no runner took. */
  unassignedJobs: number;
}

/** What decides kinds and prices beside the jobs. */
interface RunnerTerms {
  isPublic: boolean;
  largerRunnerLabels: LargerRunnerLabels;
}

/** Jobs by what they ran on: each own machine apart, other runners by their labels. */
export function groupByRunner(jobs: readonly WorkflowJob[], terms: RunnerTerms): RunnersOfJobs {
  const taken = jobs.filter(({ runnerName }) => runnerName !== null);
  const groups = Map.groupBy(taken, (job) => {
    const kind = getRunnerKind(job, terms.largerRunnerLabels);
    return JSON.stringify([kind, kind === 'self_hosted' ? job.runnerName : listLabels([job])]);
  });
  const runners = [...groups.values()].map((ofRunner) => runnerFigures(ofRunner, terms));
  return {
    runners: runners.sort(
      (a, b) => b.jobCount - a.jobCount || Number(a.runnerName > b.runnerName) - Number(a.runnerName < b.runnerName),
    ),
    totalJobs: jobs.length,
    unassignedJobs: jobs.length - taken.length,
  };
}

function runnerFigures(jobs: readonly WorkflowJob[], terms: RunnerTerms): RunnerFigures {
  const machines = [...new Set(jobs.flatMap(({ runnerName }) => runnerName ?? []))].sort();
  const groups = [...new Set(jobs.map(({ runnerGroup }) => runnerGroup))];
  const group = groups.length === 1 ? (groups[0] ?? null) : null;
  const labels = listLabels(jobs);
  const kind = getRunnerKind(jobs[0] as WorkflowJob, terms.largerRunnerLabels);
  const figures = jobFigures(jobs);
  const failureRate = percent(figures.failure, figures.runs);
  const spans = jobs.map(getSpan).filter((span) => span !== null);
  const busyMs = spans.reduce((sum, span) => sum + span, 0);
  return {
    ...figures,
    runnerName: kind === 'self_hosted' ? (machines[0] ?? '') : labels.join(', ') || (group ?? ''),
    runnerGroupName: group,
    kind,
    os: getRunnerOs(labels),
    labels,
    machines: machines.length,
    jobCount: jobs.length,
    failureRate: failureRate === null ? null : roundTo(failureRate, 0),
    busyMinutes: roundTo(busyMs / 60_000, 1),
    estCost: computeCost(jobs, terms),
  };
}

const listLabels = (jobs: readonly WorkflowJob[]): string[] =>
  [...new Set(jobs.flatMap(({ labels }) => labels))].sort();

function computeCost(jobs: readonly WorkflowJob[], terms: RunnerTerms): number | null {
  let sum = 0;
  for (const job of jobs) {
    const { usd } = jobCost(job, terms);
    if (usd === null) return null;
    sum += usd;
  }
  return roundTo(sum, 2);
}
