import type { Services } from '../server/access/context.ts';
import type { Instant } from '../server/metrics/kernel/facts.ts';

/** What a running job may ask: the services, and whether it should stop. */
export interface JobContext {
  services: Services;
  /** Raised when it has to end at once: its time is up, its lease is lost, or the process stops. */
  signal: AbortSignal;
  /** false once no new work may be begun; what is begun comes to its end. */
  mayContinue(): boolean;
  /** When that is by the clock. */
  until: Instant;
  /** Since when the slot is under way, if it was begun before: what was read since then need not be read again. */
  since: Instant | null;
}

/** What came of it. */
export interface JobOutcome<Report = unknown> {
  /** true when something is left, which the next slot goes on with. */
  partial: boolean;
  /** When the platform gives more again, so that the same slot goes on then; null when that is not what it waits for. */
  resumeAt: Instant | null;
  /** What was done in a few figures, stored and shown. */
  summary: Record<string, number>;
  /** What the cron address answers; null for a job without one. */
  report: Report;
}

/** Something that happens by itself. Names the moment; the deed lives in the rooms below. */
export interface Job<Report = unknown> {
  /** Unique, and the key of its rows and its lease. */
  name: string;
  title: string;
  /** What it does, for the people who run the service. */
  does: string;
  /** Cron pattern, UTC. What is due once a day or less is caught up with for 20 hours. */
  schedule: string;
  /** No new work is begun after so many seconds. */
  seconds: number;
  /** After so many it ends, whatever it is at. */
  hardSeconds: number;
  /** true for work that also runs where another scheduler keeps the timetable. */
  housekeeping: boolean;
  /** true for a moment's work that every process does for itself: without a lease, and without a row about it. */
  everywhere?: true;
  /** true for work that reads the platform with the service's own token, and cannot run without it. */
  needsToken: boolean;
  run(context: JobContext): Promise<JobOutcome<Report>>;
}

export const job = <Report>(spec: Job<Report>): Job<Report> => Object.freeze(spec);
