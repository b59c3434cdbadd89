import { fullMinutes } from '../../metrics/cost/job-cost.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { RecordedAttempt, RecordedJob } from '../history.ts';

/** USD of a minute of the runner that took a job; null where its price is not known. */
export type MinutePrice = (job: RecordedJob) => number | null;

/** What the jobs of attempts amount to. */
export interface Amount {
  /** Full minutes, each job rounded up; those without times are excluded. */
  minutes: number;
  /** USD, of the jobs with a known price. */
  cost: number;
  /** Minutes of jobs without one. */
  unpricedMinutes: number;
}

/** A UTC day as recorded, and as it would have been. */
export interface DayAmounts {
  day: Instant;
  before: Amount;
  after: Amount;
}

/** Full minutes that a runner worked for a job, as they are billed; null when its times are not known. */
export function minutesOf(job: RecordedJob): number | null {
  if (job.status !== 'completed') return null;
  return job.isTaken ? fullMinutes(job) : 0;
}

/** Minutes of all jobs of an attempt. */
export const attemptMinutes = ({ jobs }: RecordedAttempt): number =>
  (jobs ?? []).reduce((sum, job) => sum + (minutesOf(job) ?? 0), 0);

/** The attempts of each of the days, by when they arrived. */
export function amountsByDay(
  days: readonly Instant[],
  worlds: { before: readonly RecordedAttempt[]; after: readonly RecordedAttempt[] },
  priceOf: MinutePrice,
): DayAmounts[] {
  const before = Map.groupBy(worlds.before, dayOf);
  const after = Map.groupBy(worlds.after, dayOf);
  return days.map((day) => ({
    day,
    before: amountOf(before.get(day) ?? [], priceOf),
    after: amountOf(after.get(day) ?? [], priceOf),
  }));
}

/** Start of the UTC day on which it arrived. */
export const dayOf = ({ arrivedAt }: RecordedAttempt): Instant => Math.floor(arrivedAt / dayMs) * dayMs;

function amountOf(attempts: readonly RecordedAttempt[], priceOf: MinutePrice): Amount {
  const amount = { minutes: 0, cost: 0, unpricedMinutes: 0 };
  for (const { jobs } of attempts)
    for (const job of jobs ?? []) {
      const minutes = minutesOf(job) ?? 0;
      const price = minutes === 0 ? 0 : priceOf(job);
      amount.minutes += minutes;
      amount.cost += minutes * (price ?? 0);
      amount.unpricedMinutes += price === null ? minutes : 0;
    }
  return amount;
}

export function sumAmounts(amounts: readonly Amount[]): Amount {
  const sum = { minutes: 0, cost: 0, unpricedMinutes: 0 };
  for (const { minutes, cost, unpricedMinutes } of amounts) {
    sum.minutes += minutes;
    sum.cost += cost;
    sum.unpricedMinutes += unpricedMinutes;
  }
  return sum;
}
