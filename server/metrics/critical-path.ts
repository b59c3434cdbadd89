import type { WorkflowJob, WorkflowRun } from './facts.ts';
import { spanOf } from './jobs.ts';
import { median, percent, roundTo } from './statistics.ts';

export const criticalPathDefinition =
  'The jobs that decided when a run ended, told by time: the one that ended last, before it the one that was the last ' +
  'to end by its start, and so on back to the start of the attempt. Which job really waits for which is not told by the ' +
  'platform, so a job that merely ended at the right time may be among them.';

/** How often a job was on the path of a run, and how long it took there. */
export interface CriticalJob {
  name: string;
  runsOnPath: number;
  /** Of the runs that have a path, 0-100. */
  sharePct: number;
  /** Median over the runs that had it on their path; jobs of one name in one run are added up. */
  medianMs: number;
}

export interface CriticalPath {
  /** Runs in which a job took time. */
  runs: number;
  /** The job most often on the path first. */
  jobs: CriticalJob[];
}

/** The critical path over several runs, each with the jobs of one of its attempts. */
export function criticalPath(
  runs: readonly { run: Pick<WorkflowRun, 'startedAt'>; jobs: readonly WorkflowJob[] }[],
): CriticalPath {
  const paths = runs.map(({ run, jobs }) => pathOf(run, jobs)).filter((path) => path.length > 0);
  const times = new Map<string, number[]>();
  for (const path of paths)
    for (const [name, ofName] of Map.groupBy(path, ({ job }) => job.name))
      times.set(name, [...(times.get(name) ?? []), ofName.reduce((sum, { span }) => sum + span, 0)]);
  const jobs = [...times].map(([name, values]) => ({
    name,
    runsOnPath: values.length,
    sharePct: roundTo(percent(values.length, paths.length) ?? 0, 0),
    medianMs: roundTo(median(values) ?? 0, 0),
  }));
  return { runs: paths.length, jobs: jobs.sort(mostOftenFirst) };
}

interface TimedJob {
  job: WorkflowJob;
  startedAt: number;
  endedAt: number;
  span: number;
}

/** The last job to end, then what ended last by its start, and so on; of those that ended together the longest. */
function pathOf({ startedAt: start }: Pick<WorkflowRun, 'startedAt'>, jobs: readonly WorkflowJob[]): TimedJob[] {
  const latestFirst = jobs
    .flatMap((job): TimedJob[] => {
      const span = spanOf(job);
      if (job.startedAt === null || !span) return [];
      const endedAt = job.startedAt + span;
      // A re-run takes over what passed before it began.
      return start !== null && endedAt < start ? [] : [{ job, startedAt: job.startedAt, endedAt, span }];
    })
    .sort((a, b) => b.endedAt - a.endedAt || b.span - a.span || a.job.id - b.job.id);
  const path: TimedJob[] = [];
  for (const one of latestFirst) {
    const next = path.at(-1);
    if (!next || one.endedAt <= next.startedAt) path.push(one);
  }
  return path;
}

const mostOftenFirst = (a: CriticalJob, b: CriticalJob) =>
  b.runsOnPath - a.runsOnPath || b.medianMs - a.medianMs || Number(a.name > b.name) - Number(a.name < b.name);
