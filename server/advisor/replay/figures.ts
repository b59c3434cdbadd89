import type { Instant } from '../../metrics/kernel/facts.ts';
import type { RecordedAttempt } from '../history.ts';
import { type Band, type DayPair, predictedDays, reductionBand, reductionOf, sumPairs } from './band.ts';
import { type DayAmounts, type MinutePrice, sumAmounts } from './days.ts';

/** The same seed and history give the same bands. */
export type Seed = readonly (string | number)[];

/** A figure over the recorded days, exact, without an interval. */
export interface HistoryFigures {
  from: Instant;
  /** Start of the last day. */
  to: Instant;
  minutesBefore: number;
  minutesAfter: number;
  /** Percent; null where nothing was recorded. */
  reductionPct: number | null;
  /** USD; null where less than 95 % of the minutes have a known price. */
  costBefore: number | null;
  costAfter: number | null;
  /** Labels of runners without a known price. */
  unpriced: string[];
}

/** 80 % bands of the next 28 days. */
export interface NextDays {
  /** Start of the first day that they rest on. */
  from: Instant;
  reductionPct: Band;
  minutesSaved: Band;
  /** USD; null where less than 95 % of the minutes have a known price. */
  costSaved: Band | null;
}

/** The minutes of each day. */
export const minutePairs = (days: readonly DayAmounts[]): DayPair[] =>
  days.map(({ before, after }) => ({ before: before.minutes, after: after.minutes }));

const costPairs = (days: readonly DayAmounts[]): DayPair[] =>
  days.map(({ before, after }) => ({ before: before.cost, after: after.cost }));

/** What was recorded on these days, and what it would have been. */
export function historyOf(days: readonly DayAmounts[], unpriced: string[]): HistoryFigures {
  const minutes = sumPairs(minutePairs(days));
  const cost = hasPrices(days) ? sumPairs(costPairs(days)) : null;
  return {
    from: days[0]?.day ?? 0,
    to: days.at(-1)?.day ?? 0,
    minutesBefore: minutes.before,
    minutesAfter: minutes.after,
    reductionPct: reductionOf(minutes),
    costBefore: cost?.before ?? null,
    costAfter: cost?.after ?? null,
    unpriced,
  };
}

/** Labels of runners of these attempts without a known price. */
export function findUnpriced(attempts: readonly RecordedAttempt[], priceOf: MinutePrice): string[] {
  const jobs = attempts.flatMap((one) => one.jobs ?? []).filter(({ isTaken }) => isTaken);
  return [...new Set(jobs.filter((job) => priceOf(job) === null).map(({ labels }) => labels.join(', ')))].sort();
}

const pricedShare = 0.95;

/** Whether enough minutes have a known price. */
function hasPrices(days: readonly DayAmounts[]): boolean {
  const { minutes, unpricedMinutes } = sumAmounts(days.map(({ before }) => before));
  return minutes - unpricedMinutes >= pricedShare * minutes;
}

/** The bands of the next 28 days that rest on these days; null where nothing was recorded on them. */
export function nextDaysOf(days: readonly DayAmounts[], seed: Seed): NextDays | null {
  const reductionPct = reductionBand(minutePairs(days), seed);
  if (reductionPct === null) return null;
  return {
    from: days[0]?.day ?? 0,
    reductionPct,
    minutesSaved: scaleBand(reductionPct, minutePairs(days)),
    costSaved: hasPrices(days) ? costBand(days, seed) : null,
  };
}

/** Runners that cost nothing save nothing. */
function costBand(days: readonly DayAmounts[], seed: Seed): Band {
  const band = reductionBand(costPairs(days), seed);
  return band === null ? { low: 0, mid: 0, high: 0 } : scaleBand(band, costPairs(days));
}

/** Percent of what 28 unchanged days come to. */
function scaleBand({ low, mid, high }: Band, days: readonly DayPair[]): Band {
  const usual = (sumPairs(days).before * predictedDays) / days.length;
  const share = (percent: number) => (percent * usual) / 100;
  return { low: share(low), mid: share(mid), high: share(high) };
}
