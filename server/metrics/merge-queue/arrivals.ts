import type { Instant } from '../kernel/facts.ts';
import { countUpTo } from '../kernel/sorted-instants.ts';
import { median } from '../kernel/statistics.ts';
import { dayMs, minuteMs } from '../kernel/window.ts';
import type { Calendar } from '../people/workday-hours.ts';
import type { Stay } from './history.ts';

/** How often a rise is looked for. */
export const stepMs = 5 * minuteMs;
/** With so much of the past a moment is compared. */
export const usualMs = 28 * dayMs;

const usualSteps = usualMs / stepMs;
const stepsPerHour = 12;
/** Of fewer arrivals in an hour a rate is no lower. */
const leastPerStep = 0.5 / stepsPerHour;
/** How strongly arrivals must have risen: the test is for three times as many. */
const logRatio = Math.log(3);
const firstBar = 5;

/** Whether more arrive than usual, by one-sided cumulative sums (Page 1954): each step adds what three times as many would. */
export const addArrivals = (sum: number, arrivals: number, usual: number): number =>
  Math.max(0, sum + arrivals * logRatio - 2 * Math.max(leastPerStep, usual));

/** The bar grows with the traffic, so that busy queues are no more often above it. */
export const findBar = (arrivalsOf28Days: number): number => firstBar + Math.log(Math.max(1, arrivalsOf28Days / 2));

/** A queue at one moment of a grid of five minutes. */
export interface QueueMoment {
  at: Instant;
  length: number;
  /** The median length of the same hour of the same kind of day in the 28 days before. */
  getUsual(): number;
  /** Whether it is proven that more arrive than usual. */
  isFlooded: boolean;
}

/** Follows the arrivals of a queue and answers its state at the last moment of the grid at or before an instant. */
export function followArrivals(
  stays: readonly Stay[],
  { from, to }: { from: Instant; to: Instant },
  calendar: Calendar,
): (at: Instant) => QueueMoment {
  const count = Math.floor((to - from) / stepMs) + 1;
  const toInstant = (step: number) => from + step * stepMs;
  const arrivals = new Float64Array(count);
  const changes = new Float64Array(count + 1);
  for (const { enteredAt, leftAt } of stays) {
    if (enteredAt === null || enteredAt > to) continue;
    const entered = Math.ceil((enteredAt - from) / stepMs);
    const left = leftAt === null ? count : Math.ceil((leftAt - from) / stepMs);
    if (entered >= 0 && entered < count) arrivals[entered] = (arrivals[entered] ?? 0) + 1;
    if (left <= 0 || entered >= count) continue;
    const [first, last] = [Math.max(0, entered), Math.min(count, left)];
    changes[first] = (changes[first] ?? 0) + 1;
    changes[last] = (changes[last] ?? 0) - 1;
  }
  const hours = Array.from({ length: count }, (_, step) => toKindOfHour(toInstant(step), calendar));
  const lengths = new Float64Array(count);
  let length = 0;
  for (let step = 0; step < count; step++) lengths[step] = length += changes[step] ?? 0;
  const getUsual = usualLength(lengths, hours);
  const floods = findFloods({ arrivals, lengths, hours, getUsual });
  return (at) => {
    const step = Math.min(count - 1, Math.max(0, Math.floor((at - from) / stepMs)));
    return {
      at: toInstant(step),
      length: lengths[step] ?? 0,
      getUsual: () => getUsual(step),
      isFlooded: floods[step] === 1,
    };
  };
}

const kindsOfHours = 48;

/** Hours of workdays are 0 to 23, those of weekends 24 to 47. */
function toKindOfHour(at: Instant, calendar: Calendar): number {
  const weekday = calendar.getWeekday(at);
  return calendar.getHour(at) + (weekday === 0 || weekday === 6 ? 24 : 0);
}

interface Followed {
  arrivals: Float64Array;
  lengths: Float64Array;
  hours: readonly number[];
  getUsual(step: number): number;
}

/** For each step whether a flood is proven: 1 or 0. */
function findFloods({ arrivals, lengths, hours, getUsual }: Followed): Uint8Array {
  const floods = new Uint8Array(arrivals.length);
  const [sums, counts] = [new Float64Array(kindsOfHours), new Float64Array(kindsOfHours)];
  let [sum, total] = [0, 0];
  const count = (step: number, sign: 1 | -1) => {
    const hour = hours[step] ?? 0;
    sums[hour] = (sums[hour] ?? 0) + sign * (arrivals[step] ?? 0);
    counts[hour] = (counts[hour] ?? 0) + sign;
    total += sign * (arrivals[step] ?? 0);
  };
  for (let step = 0; step < arrivals.length; step++) {
    if (step > usualSteps) count(step - usualSteps - 1, -1);
    sum = addArrivals(sum, arrivals[step] ?? 0, rateAround(hours[step] ?? 0, sums, counts));
    const length = lengths[step] ?? 0;
    if (sum > 0 && length <= getUsual(step)) sum = 0;
    if (sum >= findBar(total) && length >= 5) floods[step] = 1;
    count(step, 1);
  }
  return floods;
}

/** The mean of the same kind of day, of the hour and those beside it. */
function rateAround(hour: number, sums: Float64Array, counts: Float64Array): number {
  const [kind, own] = [hour < 24 ? 0 : 24, hour % 24];
  const around = [own + 23, own, own + 1].map((one) => kind + (one % 24));
  const steps = around.reduce((sum, one) => sum + (counts[one] ?? 0), 0);
  return steps === 0 ? 0 : around.reduce((sum, one) => sum + (sums[one] ?? 0), 0) / steps;
}

/** By step the median length of the same kind of hour in the 28 days before. */
function usualLength(lengths: Float64Array, hours: readonly number[]): (step: number) => number {
  const ofHour = Map.groupBy(lengths.keys(), (step) => hours[step] ?? 0);
  return (step) => {
    const steps = ofHour.get(hours[step] ?? 0) ?? [];
    const before = steps.slice(countUpTo(steps, step - usualSteps - 1), countUpTo(steps, step - 1));
    return median(before.map((one) => lengths[one] ?? 0)) ?? 0;
  };
}
