import type { Services } from '../server/access/context.ts';

/** What a running job may ask: the services, and whether it should stop. */
export interface JobContext {
  services: Services;
  /** Raised when time is up or the process stops; work that is begun may finish its transaction. */
  signal: AbortSignal;
}

/** Something that happens by itself. Names the moment; the deed lives in the rooms below. */
export interface Job {
  name: string;
  /** Cron pattern, UTC. */
  schedule: string;
  /** How long it may run before it is told to stop. */
  seconds: number;
  /** true for work that also runs where another scheduler keeps the timetable. */
  housekeeping: boolean;
  /** Does the work and says in a few figures what was done. */
  run(context: JobContext): Promise<Record<string, number>>;
}

export const job = (spec: Job): Job => Object.freeze(spec);
