/** Figures of jobs a second time, written straight from the words. */
import type { WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import type { RunWithJobs } from './job-worlds.ts';
import { naiveQuantile } from './naive.ts';

interface Ended {
  status: string;
  conclusion: string | null;
  startedAt: number | null;
  completedAt: number | null;
}

const failed = ['failure', 'timed_out', 'startup_failure'];
const passes = (one: Ended) => one.status === 'completed' && one.conclusion === 'success';
const fails = (one: Ended) => one.status === 'completed' && failed.includes(one.conclusion ?? '');

function lengthOf({ startedAt, completedAt }: Ended): number | null {
  if (startedAt === null || completedAt === null) return null;
  return completedAt >= startedAt ? completedAt - startedAt : null;
}

const round = (value: number | null) => (value === null ? null : Math.round(value));

export function naiveTimes(all: readonly Ended[]) {
  const times: number[] = [];
  for (const one of all) {
    const length = lengthOf(one);
    if ((passes(one) || fails(one)) && length !== null) times.push(length);
  }
  const sum = times.reduce((a, b) => a + b, 0);
  return {
    runs: all.filter(passes).length + all.filter(fails).length,
    success: all.filter(passes).length,
    failure: all.filter(fails).length,
    sample: times.length,
    avgMs: times.length === 0 ? null : Math.round(sum / times.length),
    p50Ms: round(naiveQuantile(times, 0.5)),
    p95Ms: round(naiveQuantile(times, 0.95)),
    maxMs: times.length === 0 ? null : Math.max(...times),
  };
}

export function naiveWaits(jobs: readonly WorkflowJob[]) {
  const waits: number[] = [];
  for (const job of jobs) {
    const { status, createdAt, startedAt, steps } = job;
    if (status !== 'in_progress' && status !== 'completed') continue;
    const first = steps.filter((step) => step.number === Math.min(...steps.map(({ number }) => number)))[0]?.startedAt;
    const isVoid = status === 'completed' && !passes(job) && !fails(job);
    if (isVoid && (first === undefined || first === null)) continue;
    if (createdAt === null || startedAt === null) continue;
    const taken = Math.max(startedAt, first ?? startedAt);
    if (taken >= createdAt) waits.push(taken - createdAt);
  }
  return {
    queueSample: waits.length,
    queueP50Ms: round(naiveQuantile(waits, 0.5)),
    queueP95Ms: round(naiveQuantile(waits, 0.95)),
  };
}

/** For each run the names on its path with their times, found from the end backwards. */
function naivePath({ run, jobs }: RunWithJobs): Map<string, number> {
  const path = new Map<string, number>();
  const timed = jobs.filter((job) => {
    const isOver = run.startedAt !== null && (job.completedAt ?? 0) < run.startedAt;
    return (lengthOf(job) ?? 0) > 0 && !isOver;
  });
  const end = (job: WorkflowJob) => job.completedAt as number;
  const length = (job: WorkflowJob) => lengthOf(job) as number;
  let limit = Number.POSITIVE_INFINITY;
  for (;;) {
    let last: WorkflowJob | undefined;
    for (const job of timed) {
      if (end(job) > limit) continue;
      if (last === undefined || end(job) > end(last)) last = job;
      else if (end(job) === end(last) && length(job) > length(last)) last = job;
      else if (end(job) === end(last) && length(job) === length(last) && job.id < last.id) last = job;
    }
    if (last === undefined) return path;
    path.set(last.name, (path.get(last.name) ?? 0) + length(last));
    limit = last.startedAt as number;
  }
}

export function naiveCriticalPath(world: readonly RunWithJobs[]) {
  const paths = world.map(naivePath).filter(({ size }) => size > 0);
  const names = new Set(paths.flatMap((path) => [...path.keys()]));
  const jobs = new Map<string, { runsOnPath: number; sharePct: number; medianMs: number | null }>();
  for (const name of names) {
    const times = paths.flatMap((path) => path.get(name) ?? []);
    const sharePct = Math.round((100 * times.length) / paths.length);
    jobs.set(name, { runsOnPath: times.length, sharePct, medianMs: round(naiveQuantile(times, 0.5)) });
  }
  return { runs: paths.length, jobs };
}

/** Jobs by what they ran on, each group with its jobs. */
export function naiveRunners(jobs: readonly WorkflowJob[]): Map<string, WorkflowJob[]> {
  const groups = new Map<string, WorkflowJob[]>();
  for (const job of jobs) {
    if (job.runnerName === null) continue;
    const labels = [...job.labels].sort().join(', ');
    const isOwn =
      labels.includes('self-hosted') || (job.runnerGroup === 'Default' && !/ubuntu|windows|macos/.test(labels));
    const name = isOwn ? job.runnerName : labels;
    const large =
      /xlarge/.test(labels) || (job.runnerGroup !== 'GitHub Actions' && !/ubuntu|windows|macos/.test(labels));
    const key = `${isOwn ? 'self_hosted' : large ? 'larger' : 'hosted'} ${name}`;
    groups.set(key, [...(groups.get(key) ?? []), job]);
  }
  return groups;
}
