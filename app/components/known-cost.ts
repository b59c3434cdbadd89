interface Priced {
  cost_sample: number | null;
  completed_runs: number | null;
  unknown_jobs: number | null;
}

/** Whether nothing is missing of a cost: of a part of its runs or jobs, less than they cost is known. */
export const isWholeCost = ({
  cost_sample: costed,
  completed_runs: completed,
  unknown_jobs: unknown,
}: Priced): boolean => costed !== null && costed === completed && unknown === 0;

/** What a day cost, or wasted; null where not all of it is known, which would look like a cheap day. */
export const findWholeCost = <T extends Priced>(day: T | undefined, read: (day: T) => number | null): number | null =>
  day && isWholeCost(day) ? read(day) : null;
