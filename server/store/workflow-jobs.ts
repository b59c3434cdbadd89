import type { AttemptJobs, JobDetail, JobRepository } from '../facts/job-repository.ts';
import type { Instant, WorkflowJob } from '../metrics/kernel/facts.ts';
import { type Database, type Queries, storable } from './database.ts';
import { distinctBatches } from './ingest.ts';
import { lockRepository, lockRuns, shareLock } from './locks.ts';
import { renewAttempts } from './renewed-attempts.ts';
import type { repositories } from './repositories.ts';
import { intakeStatements } from './statements.ts';

/** Jobs of run attempts: single ones that an event delivered, and all of an attempt that somebody looked at. */
export function workflowJobs(database: Database, known: ReturnType<typeof repositories>['known']) {
  return {
    /** Keeps jobs. What is further along stays: a late message about an earlier state changes nothing. */
    put: (repoId: number, jobs: readonly WorkflowJob[], storedAt: Instant): Promise<void> =>
      database.transaction(async (transaction) => {
        await lockAll(transaction, repoId);
        await putJobs(transaction, ofRepository(repoId, jobs, 'full'), storedAt);
        await renewAttempts(
          transaction,
          jobs.map(({ runId, attempt }) => ({ repoId, runId, attempt })),
          storedAt,
        );
      }),
    /** The jobs known of one attempt, in the order they were made. */
    async of(runId: number, attempt: number): Promise<WorkflowJob[]> {
      const rows = await database.db
        .selectFrom('workflow_jobs')
        .select(['id', 'runId', 'runAttempt as attempt', 'name', 'workflowName', 'status', 'conclusion'])
        .select(['createdAt', 'startedAt', 'completedAt', 'runnerName', 'runnerGroup', 'labels', 'htmlUrl', 'steps'])
        .where('runId', '=', runId)
        .where('runAttempt', '=', attempt)
        .orderBy('id')
        .execute();
      return rows;
    },
    /** Attempts of which all jobs are stored. */
    attempts: {
      isDatabase: true,
      of(repository, attempts) {
        const names = attempts.map(({ runId, attempt }) => ({ run_id: runId, run_attempt: attempt }));
        return database.run<AttemptJobs>(intakeStatements.jobs_of_attempts, {
          codehost_id: repository.id,
          attempts: JSON.stringify(names),
        });
      },
      async store(repository, attempts, now) {
        if (attempts.length === 0) return;
        const repoId = await known(repository);
        for (let start = 0; start < attempts.length; start += attemptsAtOnce)
          await database.transaction(async (transaction) => {
            await lockAll(transaction, repoId);
            await putAttempts(transaction, repoId, attempts.slice(start, start + attemptsAtOnce), now);
          });
      },
    } satisfies JobRepository,
  };
}

const attemptsAtOnce = 10;

/** What waits of runs are told by jobs is written to the runs, in the order of locks of those who store deliveries. */
async function lockAll(transaction: Queries, repoId: number): Promise<void> {
  await shareLock(transaction, 'timeZone');
  await lockRuns(transaction, repoId);
  await lockRepository(transaction, repoId);
}

/** A job, the database's own id of its repository, and how much is known of it. */
export interface ObservedJob extends WorkflowJob {
  repoId: number;
  detail: JobDetail;
}

const ofRepository = (repoId: number, jobs: readonly WorkflowJob[], detail: JobDetail): ObservedJob[] =>
  jobs.map((job) => ({ ...job, repoId, detail }));

/** Keeps jobs, also of several repositories. */
export async function putJobs(queries: Queries, jobs: readonly ObservedJob[], storedAt: Instant): Promise<void> {
  for (const batch of distinctBatches(jobs, ({ id }) => id)) {
    const inOrder = batch.sort((a, b) => a.id - b.id);
    await queries.run(intakeStatements.upsert_jobs, {
      stored_at: storedAt,
      jobs: storable(JSON.stringify(inOrder)),
    });
  }
}

async function putAttempts(queries: Queries, repoId: number, attempts: readonly AttemptJobs[], now: Instant) {
  const readings = JSON.stringify(
    attempts.map(({ runId, attempt, detail, jobs }) => ({
      run_id: runId,
      run_attempt: attempt,
      detail,
      ids: jobs.map(({ id }) => id),
    })),
  );
  await queries.run(intakeStatements.delete_other_jobs, { readings });
  const jobs = attempts.flatMap((one) => ofRepository(repoId, one.jobs, one.detail));
  await putJobs(queries, jobs, now);
  await queries.run(intakeStatements.upsert_job_readings, { readings, repo_id: repoId, read_at: now });
  await renewAttempts(
    queries,
    attempts.map(({ runId, attempt }) => ({ repoId, runId, attempt })),
    now,
  );
}
