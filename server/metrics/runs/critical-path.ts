import type { WorkflowJob, WorkflowRun } from '../kernel/facts.ts';
import { type Metric, metric } from '../kernel/metric.ts';
import { median } from '../kernel/statistics.ts';
import { getSpan } from './jobs.ts';

export const criticalPathDefinition =
  'The critical path is derived from times: the job that ended last, before it the job that was the last ' +
  'to end by its start, and so on back to the start of the attempt. Job dependencies are not ' +
  'reported, so a job that ended at the right time by chance may be included.';

/** One run, by the time that each job took on its critical path; jobs of one name are added up. */
export interface RunPath<Run = unknown> {
  run: Run;
  /** Milliseconds by the job's name; empty where no job took time. */
  times: ReadonlyMap<string, number>;
}

/** The critical path of each run, from the jobs of one of its attempts. */
export const runPaths = <Run extends Pick<WorkflowRun, 'startedAt'>>(
  runs: readonly { run: Run; jobs: readonly WorkflowJob[] }[],
): RunPath<Run>[] =>
  runs.map(({ run, jobs }) => {
    const times = new Map<string, number>();
    for (const { job, span } of findPath(run, jobs)) times.set(job.name, (times.get(job.name) ?? 0) + span);
    return { run, times };
  });

/** In what share of the runs the job decided when they ended. */
export function criticalShare(job: string): Metric<RunPath> {
  return metric({
    key: 'critical_path_share',
    label: 'On the critical path',
    unit: 'percent',
    better: 'neither',
    source: 'runs in which a job took time',
    definition: `Share of runs with the job on their critical path. ${criticalPathDefinition}`,
    counts: ({ times }) => times.size > 0 || 'no job durations',
    share: ({ times }) => times.has(job),
  });
}

/** How long the job took where it decided when a run ended. */
export function criticalTime(job: string): Metric<RunPath> {
  return metric({
    key: 'critical_path_time',
    label: 'Time on the critical path',
    unit: 'milliseconds',
    better: 'lower',
    source: 'runs that had the job on their critical path',
    definition: `Median time of the job in the runs with it on their critical path. ${criticalPathDefinition}`,
    counts: ({ times }) => times.has(job) || 'the job was not on its critical path',
    value: (paths) => median(paths.flatMap(({ times }) => times.get(job) ?? [])),
  });
}

/** How often a job was on the path of a run, and how long it took there. */
export interface CriticalJob {
  name: string;
  runsOnPath: number;
  /** Of the runs that have a path, 0-100. */
  sharePct: number;
  medianMs: number;
}

export interface CriticalPath {
  /** Runs in which a job took time. */
  runs: number;
  /** The job most often on the path first. */
  jobs: CriticalJob[];
}

/** The critical path over several runs, each with the jobs of one of its attempts. */
export function criticalPath(runs: Parameters<typeof runPaths>[0]): CriticalPath {
  const paths = runPaths(runs);
  const names = new Set(paths.flatMap(({ times }) => [...times.keys()]));
  const jobs = [...names].flatMap((name): CriticalJob[] => {
    const [{ value: sharePct }, time] = [criticalShare(name)(paths), criticalTime(name)(paths)];
    if (sharePct === null || time.value === null) return [];
    return [{ name, runsOnPath: time.sample, sharePct, medianMs: time.value }];
  });
  return { runs: paths.filter(({ times }) => times.size > 0).length, jobs: jobs.sort(byOccurrences) };
}

interface TimedJob {
  job: WorkflowJob;
  startedAt: number;
  endedAt: number;
  span: number;
}

/** The last job to end, then what ended last by its start, and so on; of those that ended together the longest. */
function findPath({ startedAt: start }: Pick<WorkflowRun, 'startedAt'>, jobs: readonly WorkflowJob[]): TimedJob[] {
  const latestFirst = jobs
    .flatMap((job): TimedJob[] => {
      const span = getSpan(job);
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

const byOccurrences = (a: CriticalJob, b: CriticalJob) =>
  b.runsOnPath - a.runsOnPath || b.medianMs - a.medianMs || Number(a.name > b.name) - Number(a.name < b.name);
