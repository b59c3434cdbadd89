import type { JobStats } from './operations.ts';

type SampledRun = JobStats['waterfall'][number];

const maxRuns = 5;

/** The sampled runs that took longest from the start of the attempt to the end of the last job. */
export const findSlowest = (runs: readonly SampledRun[]): (SampledRun & { length_ms: number })[] =>
  runs
    .map((run) => ({ ...run, length_ms: getLength(run) }))
    .filter(({ length_ms }) => length_ms > 0)
    .sort((a, b) => b.length_ms - a.length_ms || b.run_id - a.run_id)
    .slice(0, maxRuns);

/**
 * The median time of each job in the slowest sampled runs, in milliseconds by its name; null where these are most of the
 * sample, whose median would say nothing else.
 */
export function findSlowMedians(runs: readonly SampledRun[]): ReadonlyMap<string, number> | null {
  if (runs.length < 2 * maxRuns) return null;
  const times = Map.groupBy(
    findSlowest(runs).flatMap(({ jobs }) => jobs),
    ({ name }) => name,
  );
  return new Map([...times].map(([name, jobs]) => [name, getMedian(jobs.map(({ duration_ms }) => duration_ms))]));
}

function getMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower = 0, upper = lower] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return (lower + upper) / 2;
}

const getLength = ({ jobs }: SampledRun) =>
  Math.max(0, ...jobs.map(({ start_offset_ms, duration_ms }) => start_offset_ms + duration_ms));
