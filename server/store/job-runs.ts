import type { InferEntity } from '@mikro-orm/core';
import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { JobRun } from './entities/job-run.ts';

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
  now: Instant;
}

export interface JobRunRecord {
  id: number;
  job: string;
  slot: string;
  trigger: StartedJob['trigger'];
  startedAt: Instant;
  finishedAt: Instant | null;
  status: InferEntity<typeof JobRun>['status'];
  summary: Record<string, number>;
}

/** What the service's own jobs did and when. */
export function jobRuns(database: Database) {
  return {
    /** Answers the id to finish it by. */
    async start({ job, slot, trigger, now }: StartedJob): Promise<number> {
      const em = database.entities();
      const run = em.create(JobRun, { job, slot, trigger, startedAt: new Date(now), status: 'running', summary: {} });
      await em.persist(run).flush();
      return run.id;
    },
    async finish(id: number, { status, summary, now }: FinishedJob): Promise<void> {
      await database.entities().nativeUpdate(JobRun, { id }, { status, summary, finishedAt: new Date(now) });
    },
    /** Whether a job ended well for this slot, whoever started it. */
    async isDone(job: string, slot: string): Promise<boolean> {
      return (await database.entities().count(JobRun, { job, slot, status: { $in: ['done', 'partial'] } })) > 0;
    },
    /** The latest runs of a job, newest first. */
    async latest(job: string, limit: number): Promise<JobRunRecord[]> {
      const runs = await database
        .entities()
        .find(JobRun, { job }, { orderBy: { startedAt: 'desc', id: 'desc' }, limit });
      return runs.map(toRecord);
    },
    /** Closes runs whose process is gone: they are running, but nobody holds their job's lease. Answers how many. */
    async abortOrphans(now: Instant): Promise<number> {
      return (await database.query(orphans, [now])).length;
    },
  };
}

const toRecord = ({ id, job, slot, trigger, startedAt, finishedAt, status, summary }: InferEntity<typeof JobRun>) => ({
  id,
  job,
  slot,
  trigger,
  startedAt: startedAt.getTime(),
  finishedAt: finishedAt?.getTime() ?? null,
  status,
  summary,
});

const orphans = `
  update job_runs r set status = 'aborted', finished_at = to_timestamp($1::float8 / 1000)
  where status = 'running' and started_at < to_timestamp($1::float8 / 1000) - interval '30 seconds'
    and not exists (select from job_leases l
      where l.job in (r.job, 'job:' || r.job) and l.expires_at >= clock_timestamp())
  returning id`;
