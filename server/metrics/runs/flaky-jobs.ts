import type { WorkflowJob } from '../kernel/facts.ts';
import { getOutcome, isConclusive } from '../kernel/outcome.ts';
import type { CommitOutcome } from './flaky.ts';
import { filterJobs, jobDuration, listOwnJobs, stepsInOrder } from './jobs.ts';

/** A job that failed and passed later on the same commit, by the step that failed. */
export interface FlakyJob {
  job: string;
  /** The first failed step; null when none is known to have failed. */
  step: string | null;
  commits: number;
  failures: number;
  /** Duration of the failed jobs, in ms. */
  lostMs: number;
}

/** Flaky jobs and steps, as far as the jobs of the commits' attempts are known; what failed most often first. */
export function findFlakyJobs(commits: readonly CommitOutcome[], jobs: readonly WorkflowJob[]): FlakyJob[] {
  const found = new Map<string, FlakyJob>();
  for (const commit of commits) {
    const seen = new Set<string>();
    for (const job of findFlakyFailures(commit, jobs)) {
      const step = stepsInOrder(job).find((one) => getOutcome(one) === 'fail')?.name ?? null;
      const key = JSON.stringify([job.name, step]);
      const one = found.get(key) ?? { job: job.name, step, commits: 0, failures: 0, lostMs: 0 };
      if (!seen.has(key)) one.commits += 1;
      seen.add(key);
      one.failures += 1;
      one.lostMs += jobDuration(job) ?? 0;
      found.set(key, one);
    }
  }
  return [...found.values()].sort(byFailures);
}

/** Failed jobs of a commit that passed in a later attempt of the same class of event. */
function findFlakyFailures({ attempts }: CommitOutcome, jobs: readonly WorkflowJob[]): WorkflowJob[] {
  const ofAttempts = attempts.flatMap((run) =>
    listOwnJobs(run, filterJobs(run, jobs)).map((job) => ({ job, event: run.event })),
  );
  const groups = Map.groupBy(
    ofAttempts.filter(({ job }) => isConclusive(job)),
    ({ job, event }) => JSON.stringify([event, job.name]),
  );
  return [...groups.values()].flatMap((group) => {
    const lastPass = group.findLastIndex(({ job }) => getOutcome(job) === 'pass');
    return group
      .slice(0, Math.max(lastPass, 0))
      .filter(({ job }) => getOutcome(job) === 'fail')
      .map(({ job }) => job);
  });
}

function byFailures(a: FlakyJob, b: FlakyJob): number {
  return b.failures - a.failures || compare(a.job, b.job) || compare(a.step ?? '', b.step ?? '');
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
