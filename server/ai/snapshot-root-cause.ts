import type { Context } from '../access/context.ts';
import type { LiveWorkflowRun, RepositoryName, WorkflowJob } from '../metrics/kernel/facts.ts';
import { getOutcome, isConclusive } from '../metrics/kernel/outcome.ts';
import { median, percent, roundTo } from '../metrics/kernel/statistics.ts';
import { jobDuration } from '../metrics/runs/jobs.ts';
import { getDuration, isDefaultBranchRun, isRunOfPullRequest, newestFirst } from '../metrics/runs/workflow-runs.ts';
import { readJobs } from '../reports/jobs/reading.ts';
import { ifReadable } from '../reports/kernel/coverage.ts';
import { iso, isoOrNull } from '../reports/kernel/instants.ts';
import { cleanName } from './names.ts';
import { getNames, listBranches, readWorkflow, type WorkflowReading } from './snapshot-reading.ts';

/** All that is sent about failed runs; contract of the service, section 5.4. Times in ms. */
export interface RootCauseSnapshot {
  workflow_name: string | null;
  repo: string;
  window_runs: number;
  failure_count: number;
  failure_rate_pct: number | null;
  /** Of the window. */
  first_failure_at: string | null;
  /** Passes right before that failure; null where the window begins with it and older runs exist. */
  prior_success_streak: number | null;
  /** At most ten, newest first. */
  failures: FailedRun[];
  /** How often a step of that name failed in these jobs; absent where the jobs are not granted. */
  step_failure_frequency?: { step_name: string; failures: number }[];
  /** Absent where reliability is not granted. */
  failure_clustering?: { streaks: number; longest_streak: number; current_streak: number };
  workflow_file_changes?: string[] | null;
  duration_shift: { before_failures_p50_ms: number; during_failures_p50_ms: number } | null;
  /** The jobs of some of the failed runs are not known. */
  partial: boolean;
}

type FailedJobs = { job_name: string; failed_step_names: string[]; duration_ms: number | null }[] | null;

interface FailedRun {
  run_number: number;
  date: string;
  trigger: string;
  branch_type: 'main' | 'pr' | 'other';
  /** null where they could not be read, absent where they are not granted. */
  failed_jobs?: FailedJobs;
}

const maxFailures = 10;
/** Of jobs in a run, of steps in a job, and of names of steps. */
const maxNames = 10;

/** Jobs by the run they are of; a run whose jobs could not be read is missing. */
export type JobsByRun = ReadonlyMap<LiveWorkflowRun, readonly WorkflowJob[]>;

/** Reads the newest runs of a workflow and the jobs of the failed ones. Throws the problems of the platform. */
export async function readFailures(
  input: RepositoryName & { workflow_id: number },
  context: Context,
): Promise<RootCauseSnapshot> {
  const reading = await readWorkflow(input, context);
  const failed = failuresAmong(reading.runs).slice(0, maxFailures);
  const needsJobs = failed.length > 0 && reading.granted.includes('performanceTab');
  const jobs = needsJobs ? await ifReadable(readJobs(reading.repository, failed, 'times', context)) : null;
  return rootCauseSnapshot(reading, new Map(jobs?.attempts.map((one) => [one.run, one.jobs])));
}

const failuresAmong = (runs: readonly LiveWorkflowRun[]) =>
  newestFirst(runs.filter((run) => getOutcome(run) === 'fail'));

/** What the failures among the newest runs of a workflow have in common. */
export function rootCauseSnapshot(reading: WorkflowReading, jobsByRun: JobsByRun): RootCauseSnapshot {
  const { runs, repository, fileChanges, granted } = reading;
  const showsJobs = granted.includes('performanceTab');
  const branches = listBranches(runs, repository);
  const ended = newestFirst(runs.filter(isConclusive)).reverse();
  const failed = failuresAmong(runs);
  const failures = failed.slice(0, maxFailures).map((run) => ({
    run_number: run.runNumber,
    date: iso(run.createdAt),
    trigger: cleanName(run.event, branches),
    branch_type: classifyBranch(run, repository.defaultBranch),
    ...(showsJobs && { failed_jobs: failedJobs(jobsByRun.get(run) ?? null, branches) }),
  }));
  const rate = percent(failed.length, ended.length);
  return {
    ...getNames(reading),
    window_runs: runs.length,
    failure_count: failed.length,
    failure_rate_pct: rate === null ? null : roundTo(rate, 1),
    first_failure_at: isoOrNull(failed.at(-1)?.createdAt),
    prior_success_streak: passesBefore(ended, reading.isComplete),
    failures,
    ...(showsJobs && { step_failure_frequency: frequencies(failures) }),
    ...(granted.includes('reliabilityTab') && { failure_clustering: clustering(ended) }),
    ...(fileChanges !== undefined && { workflow_file_changes: fileChanges }),
    duration_shift: durationShift(ended),
    partial: failures.some((one) => one.failed_jobs === null),
  };
}

function classifyBranch(run: LiveWorkflowRun, defaultBranch: string | null): FailedRun['branch_type'] {
  if (isDefaultBranchRun(run, defaultBranch)) return 'main';
  return isRunOfPullRequest(run) ? 'pr' : 'other';
}

function failedJobs(jobs: readonly WorkflowJob[] | null, branches: string[]): FailedJobs {
  if (jobs === null) return null;
  return jobs
    .filter((job) => getOutcome(job) === 'fail')
    .slice(0, maxNames)
    .map((job) => ({
      job_name: cleanName(job.name, branches),
      failed_step_names: job.steps
        .filter((step) => getOutcome(step) === 'fail')
        .slice(0, maxNames)
        .map(({ name }) => cleanName(name, branches)),
      duration_ms: jobDuration(job),
    }));
}

function frequencies(failures: readonly FailedRun[]): NonNullable<RootCauseSnapshot['step_failure_frequency']> {
  const names = failures.flatMap(({ failed_jobs: jobs }) => (jobs ?? []).flatMap((job) => job.failed_step_names));
  return [...Map.groupBy(names, (name) => name)]
    .map(([step_name, met]) => ({ step_name, failures: met.length }))
    .sort((a, b) => b.failures - a.failures || a.step_name.localeCompare(b.step_name, 'en'))
    .slice(0, maxNames);
}

const isFailure = (run: LiveWorkflowRun) => getOutcome(run) === 'fail';

/** Of runs that passed or failed, oldest first. */
function passesBefore(ended: readonly LiveWorkflowRun[], isComplete: boolean): number | null {
  const first = ended.findIndex(isFailure);
  return first > 0 || (first === 0 && isComplete) ? first : null;
}

function clustering(ended: readonly LiveWorkflowRun[]): NonNullable<RootCauseSnapshot['failure_clustering']> {
  const streaks: number[] = [];
  let current = 0;
  for (const run of ended) {
    current = isFailure(run) ? current + 1 : 0;
    if (current === 1) streaks.push(1);
    else if (current > 1) streaks[streaks.length - 1] = current;
  }
  return { streaks: streaks.length, longest_streak: Math.max(0, ...streaks), current_streak: current };
}

/** How long runs, which every member sees, took before the first failure, and how long the failed ones took. */
function durationShift(ended: readonly LiveWorkflowRun[]): RootCauseSnapshot['duration_shift'] {
  const first = ended.findIndex(isFailure);
  if (first < 1) return null;
  const computeMedianDuration = (runs: readonly LiveWorkflowRun[]) =>
    median(runs.flatMap((run) => getDuration(run) ?? []));
  const [before, during] = [
    computeMedianDuration(ended.slice(0, first)),
    computeMedianDuration(ended.filter(isFailure)),
  ];
  if (before === null || during === null) return null;
  return { before_failures_p50_ms: roundTo(before, 0), during_failures_p50_ms: roundTo(during, 0) };
}
