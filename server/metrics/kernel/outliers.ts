import { mean, sampleDeviation } from './statistics.ts';

/** Past values that an outlier is told from: at most, and at least, so many. */
export const outlierPast = { max: 20, min: 5 } as const;

/**
 * Whether a value lies more than two standard deviations from the mean of those before it, above it alone where low is
 * no news. null when that cannot be said: there are too few of them, or they hardly differ (under 1 ms).
 */
export function isOutlier(valueMs: number, past: readonly number[], sides: 'both' | 'high'): boolean | null {
  const [centre, deviation] = [mean(past), sampleDeviation(past)];
  if (past.length < outlierPast.min || centre === null || deviation === null || deviation < 1) return null;
  const distance = (valueMs - centre) / deviation;
  return (sides === 'both' ? Math.abs(distance) : distance) > 2;
}
