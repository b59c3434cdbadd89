import type { Instant } from '../metrics/kernel/facts.ts';
import { type RandomStream, randomStream } from '../metrics/kernel/random-stream.ts';
import type { WorkflowPlan } from './plans.ts';
import { between, pickOne } from './random.ts';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** How far back the sample history goes. */
export const historyDays = 100;

/** Midnight in UTC at the start of an instant's day. */
export const toStartOfDay = (instant: Instant): Instant => Math.floor(instant / day) * day;

/**
 * When the runs of a workflow were created, newest first. People push on working days, most before lunch and in
 * the middle of the afternoon (seven hours east of UTC); a nightly workflow starts at 19:07 UTC.
 */
export function runTimes(seed: string, plan: WorkflowPlan, now: Instant, quietSince: number): Instant[] {
  const times: Instant[] = [];
  for (let back = historyDays; back > quietSince; back--) {
    const date = toStartOfDay(now) - back * day;
    const random = randomStream(seed, plan.name, date);
    if (plan.nightly) times.push(date + 19 * hour + 7 * minute + between(random, 0, 40) * second);
    else times.push(...pushTimes(random, date, plan.perDay * pace(date)));
  }
  return times.sort((one, other) => other - one);
}

/** Sunday first; Mondays start slowly, Tuesdays to Thursdays are busiest. */
const weekdayPace = [0.08, 0.9, 1.15, 1.2, 1.1, 0.85, 0.14];

const pace = (date: Instant) => weekdayPace[new Date(date).getUTCDay()] ?? 0;

/** Weights of the 24 hours of a day seven hours east of UTC. */
const hourWeights = [0, 0, 0, 0, 0, 0, 0, 1, 5, 11, 13, 9, 3, 7, 12, 13, 10, 6, 3, 1, 1, 2, 1, 0];

const hours = hourWeights.flatMap((weight, local) => Array<number>(weight).fill(local));

function pushTimes(random: RandomStream, date: Instant, expected: number): Instant[] {
  const wanted = expected * (0.6 + 0.8 * random());
  const count = Math.floor(wanted) + (random() < wanted % 1 ? 1 : 0);
  return Array.from({ length: count }, () => {
    const local = pickOne(random, hours);
    return date + ((local + 17) % 24) * hour + between(random, 0, 3599) * second;
  });
}
