/** Durations counted by steps of 5 %, the lowest first, as rollups hold them. */
export interface DurationSteps {
  /** A step `b` has the durations from 1.05 ^ b on. */
  steps: readonly number[];
  counts: readonly number[];
  /** Of all durations, exactly. */
  sum: number;
}

/**
 * Between the two neighbours, as of single durations, each taken for the middle of its step: within 2.5 %, and exact
 * where there is only one.
 */
export function quantileOfSteps({ steps, counts, sum }: DurationSteps, q: number): number | null {
  const size = counts.reduce((total, count) => total + count, 0);
  if (size === 0) return null;
  if (size === 1) return sum;
  const at = (index: number) => middleOf(steps[findStep(counts, index)] as number);
  const place = q * (size - 1);
  const [below, above] = [at(Math.floor(place)), at(Math.ceil(place))];
  return Math.round(below + (above - below) * (place - Math.floor(place)));
}

const middleOf = (step: number) => 1.05 ** (step + 0.5);

/** In which step the duration of an index lies, ordered by length. */
function findStep(counts: readonly number[], index: number): number {
  let upTo = 0;
  return counts.findIndex((count) => {
    upTo += count;
    return upTo > index;
  });
}
