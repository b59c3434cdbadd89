import { expect, test } from 'vitest';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { followArrivals } from '../../../server/metrics/merge-queue/arrivals.ts';
import type { Stay } from '../../../server/metrics/merge-queue/history.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { simulateQueue } from './simulated-queue.ts';

const stepMs = 5 * 60_000;
const stepsOf28Days = 28 * 24 * 12;
/** A Monday at midnight. */
const begin = Date.UTC(2026, 8, 28);

/** Read plainly: the hour of a workday or of a weekend. */
function hourOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDay() % 6 === 0} ${date.getUTCHours()}`;
}

/** How many are in the queue. */
const lengthAt = (stays: readonly Stay[], at: number): number =>
  stays.filter(({ enteredAt, leftAt }) => (enteredAt ?? at) <= at && (leftAt === null || leftAt > at)).length;

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [below = 0, above = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (below + above) / 2;
}

test('the usual length is the median of all steps of the same kind of hour in the 28 days before', () => {
  const episodes = [
    { fromHour: 9, toHour: 15, checks: 6 },
    { fromHour: 5 * 24 + 8, toHour: 7 * 24, arrivals: 60 },
    { fromHour: 30 * 24 + 9, toHour: 30 * 24 + 13, arrivals: 4 },
  ];
  const { stays } = simulateQueue({ days: 37, perHour: 12, episodes }, randomStream('usual length', 1), begin);
  const to = begin + 37 * 24 * 3_600_000;
  const steps = Array.from({ length: (to - begin) / stepMs + 1 }, (_, step) => {
    const at = begin + step * stepMs;
    return { step, at, hour: hourOf(at), length: lengthAt(stays, at) };
  });
  const moment = followArrivals(stays, { from: begin, to }, createCalendar('UTC'));
  const asked = steps.filter(({ step }) => step % 5 === 0);
  const answers = asked.map(({ at }) => {
    const { length, getUsual } = moment(at);
    return { at, length, usual: getUsual() };
  });
  const plain = asked.map(({ step, at, hour, length }) => {
    const before = steps.slice(Math.max(0, step - stepsOf28Days), step).filter((one) => one.hour === hour);
    return { at, length, usual: middle(before.map((one) => one.length)) };
  });
  expect(answers).toEqual(plain);
  expect(new Set(plain.map(({ usual }) => usual)).size).toBeGreaterThan(10);
});
