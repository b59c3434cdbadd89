import { Cron } from 'croner';
import type { Instant } from '../server/metrics/kernel/facts.ts';
import { dayMs } from '../server/metrics/kernel/window.ts';

/** A due time of a job, and the name under which it is done once. */
export interface Slot {
  due: Instant;
  name: string;
}

/** The newest slot that is due; null where the pattern never was. */
export function latestSlot(schedule: string, now: Instant): Slot | null {
  const [due] = timesOf(schedule).previousRuns(1, new Date(now + 1));
  return due ? { due: due.getTime(), name: slotAt(schedule, due.getTime()) } : null;
}

/** When it is due next; null where it never is again. */
export const nextDue = (schedule: string, now: Instant): Instant | null =>
  timesOf(schedule).nextRun(new Date(now))?.getTime() ?? null;

/** The name of the slot that an instant belongs to: the UTC date of what is due once a day or less, else the instant. */
export function slotAt(schedule: string, at: Instant): string {
  const text = new Date(at).toISOString();
  return isDaily(schedule) ? text.slice(0, 10) : text;
}

/** true for what is due once a day or less. */
export function isDaily(schedule: string): boolean {
  const [first, second] = timesOf(schedule).nextRuns(2, new Date(0));
  return !first || !second || second.getTime() - first.getTime() >= dayMs;
}

/** Never started: it only tells times. An offset takes a third of the time of a zone by name. */
const timesOf = (schedule: string) => new Cron(schedule, { utcOffset: 0, paused: true });
