import type { InferEntity } from '@mikro-orm/core';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database } from './database.ts';
import { JobRun } from './entities/job-run.ts';
import { serviceStatements } from './statements.ts';

export interface StartedJob {
  job: string;
  /** What the run is for; for a daily job its UTC date. */
  slot: string;
  trigger: InferEntity<typeof JobRun>['trigger'];
  now: Instant;
}

export interface FinishedJob {
  status: 'done' | 'partial' | 'failed';
  summary: Record<string, number>;
  /** When the same slot is to go on, where it waits for something. */
  resumeAt?: Instant | null;
  now: Instant;
}

export type JobRunRecord = InferEntity<typeof JobRun>;

/** The state of a slot of a job: its runs that have ended, newest first. */
export type SlotRuns = Pick<JobRunRecord, 'status' | 'finishedAt' | 'resumeAt'>[];

/** How long runs of a job are known, and when one that no person started last came to its end. */
export interface JobHistory {
  job: string;
  firstStartedAt: Instant | null;
  lastEndedAt: Instant | null;
}

/** What the service's own jobs did and when. */
export function jobRuns(database: Database) {
  return {
    /** Answers the id to finish it by. */
    start: ({ job, slot, trigger, now }: StartedJob): Promise<number> =>
      database.entities().insert(JobRun, { job, slot, trigger, startedAt: now, status: 'running', summary: {} }),
    async finish(id: number, { status, summary, resumeAt = null, now }: FinishedJob): Promise<void> {
      // One that was given up as dead stays so.
      await database
        .entities()
        .nativeUpdate(JobRun, { id, status: 'running' }, { status, summary, finishedAt: now, resumeAt });
    },
    /** What became of a slot of a job so far, whoever started it. */
    async ofSlot(job: string, slot: string): Promise<SlotRuns> {
      const where = { job, slot, status: { $ne: 'running' as const } };
      const runs = await database.entities().find(JobRun, where, { orderBy: { id: 'desc' }, limit: 20 });
      return runs;
    },
    /** Closes the runs of a job, not a person's, that nobody finished. Only whoever holds the job's lease may know. */
    async abort(job: string, now: Instant): Promise<void> {
      const where = { job, status: 'running' as const, trigger: { $ne: 'manual' as const } };
      await database.entities().nativeUpdate(JobRun, where, { status: 'aborted', finishedAt: now });
    },
    /** The run of a job that is under way. */
    async underWay(job: string): Promise<JobRunRecord | null> {
      const where = { job, status: 'running' as const, trigger: { $ne: 'manual' as const } };
      const run = await database.entities().findOne(JobRun, where, { orderBy: { id: 'desc' } });
      return run;
    },
    /** The latest runs of a job, newest first. */
    async latest(job: string, limit: number): Promise<JobRunRecord[]> {
      const runs = await database
        .entities()
        .find(JobRun, { job }, { orderBy: { startedAt: 'desc', id: 'desc' }, limit });
      return runs;
    },
    /** The same of those that no person started. */
    async latestScheduled(job: string, limit: number): Promise<JobRunRecord[]> {
      const where = { job, trigger: { $ne: 'manual' as const } };
      const runs = await database.entities().find(JobRun, where, { orderBy: { startedAt: 'desc', id: 'desc' }, limit });
      return runs;
    },
    histories: (jobs: readonly string[]): Promise<JobHistory[]> =>
      database.run<JobHistory>(serviceStatements.job_histories, { jobs }),
    /** Closes runs whose process is gone: they are running, but nobody holds their job's lease. Answers how many. */
    async abortOrphans(now: Instant): Promise<number> {
      return (await database.run(serviceStatements.abort_orphaned_runs, { now })).length;
    },
  };
}
