/** Durations counted by steps of 5 %, the lowest first, without the steps that have none. */
export interface DurationSteps {
  /** A step `b` has the durations from 1.05 ^ b on. */
  steps: readonly number[];
  counts: readonly number[];
  /** Of all durations, exactly. */
  sum: number;
}

const digitsOfStep = 8;
const noneOfStep = '0'.repeat(digitsOfStep);

/** From the number of a rollup, whose last digits count step 0. */
export function readSteps(digits: string): Pick<DurationSteps, 'steps' | 'counts'> {
  const steps: number[] = [];
  const counts: number[] = [];
  for (let step = 0, end = digits.length; end > 0; step++, end -= digitsOfStep) {
    const read = digits.slice(Math.max(0, end - digitsOfStep), end);
    // Most steps have none, and reading the number takes most of the time.
    const count = read === noneOfStep ? 0 : Number(read);
    if (count === 0) continue;
    steps.push(step);
    counts.push(count);
  }
  return { steps, counts };
}

/**
 * Between the two neighbours, as of single durations, each taken for the middle of its step: within 2.5 %, and exact
 * where there is only one.
 */
export function quantileOfSteps({ steps, counts, sum }: DurationSteps, q: number): number | null {
  const size = sizeOf(counts);
  if (size === 0) return null;
  if (size === 1) return sum;
  const at = (index: number) => middleOf(steps[findStep(counts, index)] as number);
  const place = q * (size - 1);
  const [below, above] = [at(Math.floor(place)), at(Math.ceil(place))];
  return Math.round(below + (above - below) * (place - Math.floor(place)));
}

/** The middle of the step that 95 of 100 do not exceed, exact where there is only one. */
export function p95OfSteps({ steps, counts, sum }: DurationSteps): number | null {
  const size = sizeOf(counts);
  if (size === 0) return null;
  if (size === 1) return sum;
  return Math.round(middleOf(steps[findStep(counts, Math.ceil((size * 19) / 20) - 1)] as number));
}

const sizeOf = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

const middleOf = (step: number) => 1.05 ** (step + 0.5);

/** In which step the duration of an index lies, ordered by length. */
function findStep(counts: readonly number[], index: number): number {
  let upTo = 0;
  return counts.findIndex((count) => {
    upTo += count;
    return upTo > index;
  });
}
