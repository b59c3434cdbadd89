import type { InferEntity } from '@mikro-orm/core';
import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { JobRun } from './entities/job-run.ts';
import { toMs } from './wire-sql.ts';

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

export interface JobRunRecord {
  id: number;
  job: string;
  slot: string;
  trigger: StartedJob['trigger'];
  startedAt: Instant;
  finishedAt: Instant | null;
  status: InferEntity<typeof JobRun>['status'];
  resumeAt: Instant | null;
  summary: Record<string, number>;
}

/** How a slot of a job stands: its runs that have ended, newest first. */
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
    async start({ job, slot, trigger, now }: StartedJob): Promise<number> {
      const em = database.entities();
      const begun = { startedAt: new Date(now), status: 'running' as const, summary: {} };
      const run = em.create(JobRun, { job, slot, trigger, ...begun });
      await em.persist(run).flush();
      return run.id;
    },
    async finish(id: number, { status, summary, resumeAt = null, now }: FinishedJob): Promise<void> {
      const ended = { finishedAt: new Date(now), resumeAt: resumeAt === null ? null : new Date(resumeAt) };
      // One that was given up as dead stays so.
      await database.entities().nativeUpdate(JobRun, { id, status: 'running' }, { status, summary, ...ended });
    },
    /** What became of a slot of a job so far, whoever started it. */
    async ofSlot(job: string, slot: string): Promise<SlotRuns> {
      const where = { job, slot, status: { $ne: 'running' as const } };
      const runs = await database.entities().find(JobRun, where, { orderBy: { id: 'desc' }, limit: 20 });
      return runs.map(toRecord);
    },
    /** Closes the runs of a job, not a person's, that nobody finished. Only whoever holds the job's lease may know. */
    async abort(job: string, now: Instant): Promise<void> {
      const where = { job, status: 'running' as const, trigger: { $ne: 'manual' as const } };
      await database.entities().nativeUpdate(JobRun, where, { status: 'aborted', finishedAt: new Date(now) });
    },
    /** The run of a job that is under way. */
    async underWay(job: string): Promise<JobRunRecord | null> {
      const where = { job, status: 'running' as const, trigger: { $ne: 'manual' as const } };
      const run = await database.entities().findOne(JobRun, where, { orderBy: { id: 'desc' } });
      return run && toRecord(run);
    },
    /** The latest runs of a job, newest first. */
    async latest(job: string, limit: number): Promise<JobRunRecord[]> {
      const runs = await database
        .entities()
        .find(JobRun, { job }, { orderBy: { startedAt: 'desc', id: 'desc' }, limit });
      return runs.map(toRecord);
    },
    histories: (jobs: readonly string[]): Promise<JobHistory[]> => database.query<JobHistory>(histories, [jobs]),
    /** Closes runs whose process is gone: they are running, but nobody holds their job's lease. Answers how many. */
    async abortOrphans(now: Instant): Promise<number> {
      return (await database.query(orphans, [now])).length;
    },
  };
}

const toRecord = ({ startedAt, finishedAt, resumeAt, ...run }: InferEntity<typeof JobRun>): JobRunRecord => ({
  ...{ id: run.id, job: run.job, slot: run.slot, trigger: run.trigger, status: run.status, summary: run.summary },
  startedAt: startedAt.getTime(),
  finishedAt: finishedAt?.getTime() ?? null,
  resumeAt: resumeAt?.getTime() ?? null,
});

/** By the index of the table over jobs and time. */
const histories = `
  select asked.job,
    (select ${toMs('started_at')} from job_runs where job = asked.job
     order by started_at limit 1) as "firstStartedAt",
    (select ${toMs('finished_at')} from job_runs
     where job = asked.job and status in ('done', 'partial') and trigger <> 'manual'
     order by started_at desc limit 1) as "lastEndedAt"
  from unnest($1::text[]) asked (job)`;

const orphans = `
  update job_runs r set status = 'aborted', finished_at = to_timestamp($1::float8 / 1000)
  where status = 'running'
    and started_at < to_timestamp($1::float8 / 1000) - case trigger when 'manual' then interval '5 minutes' else interval '30 seconds' end
    and not exists (select from job_leases l
      where l.job in (r.job, 'job:' || r.job) and l.expires_at >= clock_timestamp())
  returning id`;
