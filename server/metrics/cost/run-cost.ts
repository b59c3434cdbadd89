import type { Instant, LiveWorkflowRun, WorkflowJob, WorkflowRun } from '../kernel/facts.ts';
import { metric } from '../kernel/metric.ts';
import { median } from '../kernel/statistics.ts';
import { attemptEnd, listOwnJobs } from '../runs/jobs.ts';
import { isDefaultBranchRun } from '../runs/workflow-runs.ts';
import { billedMinutes, jobCost, type Pricing, wasTaken } from './job-cost.ts';
import { freeBesideUnknown, sumKnown } from './known-cost.ts';

/** What jobs are estimated to cost together. */
export interface Cost {
  jobs: number;
  /** Jobs whose cost is unknown: `estCost` and `minutes` lack them. */
  unknownJobs: number;
  /** Full minutes of every job; a job whose times are not known is excluded. */
  minutes: number;
  /** USD, the sum of what is known; null when nothing is, or nothing but jobs that cost nothing. */
  estCost: number | null;
}

/** One completed attempt of a run. */
export interface AttemptCost extends Cost {
  run: CostedRun;
  /** Whether a runner took any of its jobs. */
  began: boolean;
  /** The end of its last job; its last change where that is not known. */
  endedAt: Instant;
}

export type CostedRun = WorkflowRun & Partial<Pick<LiveWorkflowRun, 'pullRequests'>>;

/** A run with what all its attempts cost. */
export interface RunCost extends Cost {
  /** The latest attempt. */
  run: CostedRun;
  attempts: AttemptCost[];
}

/** Jobs of earlier attempts that this one lists cost nothing here: they are counted where they ran. */
export function attemptCost(run: CostedRun, listed: readonly WorkflowJob[], pricing: Pricing): AttemptCost {
  const jobs = listOwnJobs(run, listed);
  const costs = jobs.map((job) => jobCost(job, pricing).usd);
  return {
    run,
    endedAt: attemptEnd(run, jobs) ?? run.updatedAt,
    began: jobs.some((job) => wasTaken(job) && job.startedAt !== null),
    jobs: jobs.length,
    unknownJobs: costs.filter((usd) => usd === null).length,
    minutes: jobs.reduce((sum, job) => sum + (billedMinutes(job) ?? 0), 0),
    estCost: sumKnown(costs),
  };
}

/** Runs with the sum of their attempts, newest first. */
export function runCosts(attempts: readonly AttemptCost[]): RunCost[] {
  const runs = [...Map.groupBy(attempts, ({ run }) => run.id).values()].flatMap((group): RunCost[] => {
    const ordered = group.toSorted((a, b) => a.run.attempt - b.run.attempt);
    const latest = ordered.at(-1);
    return latest ? [{ run: latest.run, attempts: ordered, ...sumCosts(ordered) }] : [];
  });
  return runs.sort((a, b) => b.run.createdAt - a.run.createdAt || b.run.id - a.run.id);
}

/** What several cost together. */
export function sumCosts(parts: readonly Cost[]): Cost {
  const total = (of: (part: Cost) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  return {
    jobs: total(({ jobs }) => jobs),
    unknownJobs: total(({ unknownJobs }) => unknownJobs),
    minutes: total(({ minutes }) => minutes),
    estCost: sumKnown(parts.map(({ estCost }) => estCost)),
  };
}

export const estimatedCost = metric<RunCost>({
  key: 'estimated_cost',
  label: 'Estimated cost',
  unit: 'usd',
  better: 'lower',
  source: 'runs with a known price',
  definition:
    'Minutes of every job and attempt, rounded up, at the list price of its runner. Self-hosted runners, and standard runners in public repositories, are free. Included minutes are not subtracted, so the bill may be lower. Excludes jobs on runners without a known price.',
  countsAmong(runs) {
    const isKnown = sumCosts(runs).estCost !== null;
    return ({ estCost }) => (estCost === null ? 'no jobs on runners with a known price' : isKnown || freeBesideUnknown);
  },
  value: (runs) => sumCosts(runs).estCost,
});

export const medianRunCost = metric<RunCost>({
  key: 'median_run_cost',
  label: 'Cost of a run',
  unit: 'usd',
  digits: 3,
  better: 'lower',
  source: 'runs whose jobs all have a known price',
  definition: 'Median estimated cost of a run, all attempts included.',
  counts: isPriced,
  value: (runs) => median(runs.map(({ estCost }) => estCost ?? 0)),
});

/** A pull request, or a branch that has one somewhere, with the runs made for it. */
export interface PullRequestCost extends Cost {
  /** null when only the branch is known, as for pull requests from a fork. */
  number: number | null;
  headBranch: string | null;
  runs: RunCost[];
}

/** Runs by the pull request they were made for, most expensive first; runs of the default branch were for none. */
export function pullRequestCosts(runs: readonly RunCost[], defaultBranch: string | null): PullRequestCost[] {
  const groups = Map.groupBy(runs, ({ run }) => toPullRequestKey(run, defaultBranch));
  groups.delete(null);
  return [...groups.values()]
    .map((group) => {
      const { run } = group[0] as RunCost;
      return {
        number: run.pullRequests?.[0]?.number ?? null,
        headBranch: run.headBranch,
        runs: group,
        ...sumCosts(group),
      };
    })
    .sort((a, b) => (b.estCost ?? -1) - (a.estCost ?? -1) || b.minutes - a.minutes || b.runs.length - a.runs.length);
}

export const costPerPullRequest = metric<PullRequestCost>({
  key: 'cost_per_pull_request',
  label: 'Cost per pull request',
  unit: 'usd',
  digits: 3,
  better: 'lower',
  source: 'pull requests whose runs all have a known price',
  definition:
    'Median estimated cost of the runs of a pull request, all attempts included. Pull requests from forks are distinguished by branch. Covers loaded runs only.',
  counts: isPriced,
  value: (pullRequests) => median(pullRequests.map(({ estCost }) => estCost ?? 0)),
});

function isPriced({ estCost, unknownJobs }: Cost) {
  return (estCost !== null && unknownJobs === 0) || 'has a job with unknown cost';
}

function toPullRequestKey(run: CostedRun, defaultBranch: string | null): string | null {
  if (isDefaultBranchRun(run, defaultBranch)) return null;
  const [first] = run.pullRequests ?? [];
  if (first) return `#${first.number}`;
  return run.event.startsWith('pull_request') && run.headBranch !== null ? run.headBranch : null;
}
