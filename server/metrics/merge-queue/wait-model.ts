import { median, sortedQuantile } from '../kernel/statistics.ts';

/** A merged entry: how many were ahead of it when it entered, and how many minutes it took. */
export interface MergedWait {
  ahead: number;
  minutes: number;
}

/** The expected wait by the number of entries ahead: `start` for none, and so much more for each. */
export interface Fit {
  start: number;
  each: number;
}

const fitted = 200;
const residualCount = 300;
/** Logarithms are taken of times: none is shorter. */
const shortestMinutes = 0.1;

/** Fits the newest merged entries by the medians of those with the fewest and of those with the most ahead of them. */
export function fitWaits(merged: readonly MergedWait[]): Fit {
  const newest = merged.slice(-fitted).toSorted((a, b) => a.ahead - b.ahead);
  const third = Math.max(1, Math.floor(newest.length / 3));
  const [lower, upper] = [newest.slice(0, third), newest.slice(-third)];
  const middle = (waits: readonly MergedWait[], select: (wait: MergedWait) => number) => median(waits.map(select)) ?? 0;
  const distance = middle(upper, ({ ahead }) => ahead) - middle(lower, ({ ahead }) => ahead);
  const rise = middle(upper, ({ minutes }) => minutes) - middle(lower, ({ minutes }) => minutes);
  const each = distance === 0 ? 0 : Math.max(0, rise / distance);
  return { each, start: middle(newest, ({ minutes, ahead }) => minutes - each * ahead) };
}

export const expectedMinutes = ({ start, each }: Fit, ahead: number): number =>
  Math.max(shortestMinutes, start + each * ahead);

/** By how much the newest merged entries took longer than expected, as logarithms of the ratio, in ascending order. */
export const findResiduals = (merged: readonly MergedWait[], fit: Fit): number[] =>
  merged
    .slice(-residualCount)
    .map(({ ahead, minutes }) => Math.log(Math.max(shortestMinutes, minutes) / expectedMinutes(fit, ahead)))
    .sort((a, b) => a - b);

/** What of the residuals lies outside of the band, on either side. */
export interface Tails {
  low: number;
  high: number;
}

export const firstTails: Tails = { low: 0.1, high: 0.1 };

const step = 0.03;
const intended = 0.1;

/** Tails grow while a band is right too often on their side, and shrink while it is wrong too often. */
export const adaptTails = ({ low, high }: Tails, missed: 'below' | 'above' | null): Tails => ({
  low: within(low + step * (intended - (missed === 'below' ? 1 : 0))),
  high: within(high + step * (intended - (missed === 'above' ? 1 : 0))),
});

const within = (share: number) => Math.min(0.5, Math.max(-0.05, share));

/** The band of the whole time in the queue, in minutes. */
export interface Band {
  low: number;
  middle: number;
  high: number;
}

/** So many residuals are needed of waits that are longer than the time that went by. */
const minRemaining = 20;

/**
 * The band for an entry that was in the queue for some minutes: only longer waits are still possible; null where none
 * was longer.
 */
export function findBand(expected: number, residuals: readonly number[], tails: Tails, elapsed: number): Band | null {
  const longer = residuals.filter((residual) => expected * Math.exp(residual) > elapsed);
  if (longer.length === 0) return null;
  const possible = longer.length >= minRemaining || elapsed === 0 ? longer : residuals.slice(-minRemaining);
  const at = (share: number) =>
    Math.max(elapsed, expected * Math.exp(sortedQuantile(possible, Math.min(1, Math.max(0, share))) ?? 0));
  return { low: at(tails.low), middle: at(0.5), high: at(1 - tails.high) };
}
