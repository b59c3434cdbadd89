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

const getLength = ({ jobs }: SampledRun) =>
  Math.max(0, ...jobs.map(({ start_offset_ms, duration_ms }) => start_offset_ms + duration_ms));
