import type { AnomalyQuestion } from '../../server/metrics/kernel/anomalies.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import { aRun, hour, second } from './worlds.ts';

export interface TimedRun extends MeasuredRun {
  ms: number;
}

export const durationOfTimed: AnomalyQuestion<TimedRun> = {
  metric: 'duration',
  getValue: (run) => run.ms,
  defaultBranch: 'main',
};

/** Pushes to main an hour apart, oldest first, that took these times. */
export function historyOf(ms: readonly number[], differences: Partial<MeasuredRun> = {}, firstId = 1): TimedRun[] {
  return ms.map((each, index) => ({
    ...aRun({ id: firstId + index, createdAt: Date.UTC(2026, 0, 1) + (firstId + index) * hour, ...differences }),
    ms: each,
  }));
}

/** Draws numbers from 0 to below 1. */
type Random = () => number;

/** Normal with mean 0 and deviation 1. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Times around ten minutes whose logarithms are normal with this deviation. */
export function lognormal(random: Random, count: number, sigma: number): number[] {
  return Array.from({ length: count }, () => Math.round(tenMinutes * Math.exp(sigma * normal(random))));
}

/** The same times, but each takes after the one before it. */
export function correlated(random: Random, count: number, sigma: number, correlation: number): number[] {
  let state = normal(random);
  return Array.from({ length: count }, () => {
    state = correlation * state + Math.sqrt(1 - correlation ** 2) * normal(random);
    return Math.round(tenMinutes * Math.exp(sigma * state));
  });
}

/** The times of runs of which this share meets a cold cache and takes so many times as long. */
export function twoModes(random: Random, count: number, { share = 0.3, factor = 3, sigma = 0.15 } = {}): number[] {
  return lognormal(random, count, sigma).map((ms) => (random() < share ? factor * ms : ms));
}

/** Times that from one run on are so many times as long. */
export function stepped(times: readonly number[], from: number, factor: number): number[] {
  return times.map((ms, index) => Math.round(index < from ? ms : factor * ms));
}

const tenMinutes = 600 * second;
