import { duration } from './quantity.ts';

interface Range {
  low: number;
  high: number;
}

/** Seconds that runs take more, of the median and of the p90; negative is less, null where it is not predicted. */
export interface RunTimeChange {
  p50: Range | null;
  p90: Range | null;
}

/**
 * How much earlier or later runs end, in words that name the statistic: the median where its direction is certain, else
 * the p90. `Runs end 1 min to 2 min sooner (median)`.
 */
export function formatSooner({ p50, p90 }: RunTimeChange): string {
  if (p50 === null && p90 === null) return 'Time of runs not predicted';
  if (p50 !== null && p50.high < 0) return `Runs end ${formatSpan(p50)} sooner (median)`;
  if (p90 !== null && p90.high < 0) return `Slow runs end ${formatSpan(p90)} sooner (p90)`;
  if (p50 !== null && p50.low > 0) return `Runs end ${formatLonger(p50)} later (median)`;
  if (p90 !== null && p90.low > 0) return `Slow runs end ${formatLonger(p90)} later (p90)`;
  return 'No shorter runs certain';
}

const formatSpan = ({ low, high }: Range): string => formatLonger({ low: -high, high: -low });

/** Rounded outward, so that the range that is shown holds the one that was computed. */
function formatLonger({ low, high }: Range): string {
  const [from, to] = [duration(1000 * Math.floor(low)), duration(1000 * Math.ceil(high))];
  return from === to ? from : `${from} to ${to}`;
}
