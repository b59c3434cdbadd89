import type { Instant } from '../metrics/kernel/facts.ts';
import type { ReplayedValue } from './replay.ts';

/** What a rule would have seen at a moment of its back-test, or in the few moments that the point stands for. */
export interface SeriesPoint {
  at: Instant;
  /** Unrounded; null where the rule had no data: nothing known, or too small a sample. */
  value: number | null;
  sample: number;
  /** Whether the rule would have fired at this moment. */
  fires: boolean;
}

/** As many points as a back-test has at most: a chart cannot show more. */
const maxPoints = 180;

/**
 * The values of a back-test, oldest first, thinned for a chart: of neighbouring moments the first that fired stands for
 * all of them, else the highest value, so that no peak is lost.
 */
export function thinSeries(values: readonly ReplayedValue[], most = maxPoints): SeriesPoint[] {
  const count = Math.min(values.length, most);
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * values.length) / count);
    const end = Math.floor(((index + 1) * values.length) / count);
    return toPoint(pickHighest(values.slice(start, end)));
  });
}

const toPoint = ({ at, value, sample, judgement }: ReplayedValue): SeriesPoint => ({
  at,
  value: judgement.reason === 'no_data' ? null : value,
  sample,
  fires: judgement.fires,
});

function pickHighest(values: readonly ReplayedValue[]): ReplayedValue {
  const rank = ({ value, judgement }: ReplayedValue) =>
    judgement.reason === 'no_data' ? Number.NEGATIVE_INFINITY : (value ?? Number.NEGATIVE_INFINITY);
  const highest = (one: ReplayedValue, other: ReplayedValue) => (rank(other) > rank(one) ? other : one);
  return values.find(({ judgement }) => judgement.fires) ?? values.reduce(highest);
}
