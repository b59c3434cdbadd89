import { mean, sampleDeviation } from './statistics.ts';

/** How many past values an outlier is computed from. */
export const outlierPast = { max: 20, min: 5 } as const;

/**
 * Whether a value lies more than two standard deviations from the mean of those before it, above it alone where low is
 * no news. null when that is unknown: there are too few of them, or they hardly differ (under 1 ms).
 */
export function isOutlier(valueMs: number, past: readonly number[], sides: 'both' | 'high'): boolean | null {
  const [centre, deviation] = [mean(past), sampleDeviation(past)];
  if (past.length < outlierPast.min || centre === null || deviation === null || deviation < 1) return null;
  const distance = (valueMs - centre) / deviation;
  return (sides === 'both' ? Math.abs(distance) : distance) > 2;
}
