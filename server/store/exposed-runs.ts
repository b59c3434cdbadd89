import type { ExpressionBuilder } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import type { Database, Queries, Tables } from './database.ts';

/** An attempt that ran in a stretch of time. */
export interface ExposedAttempt {
  /** The platform's id of the repository. */
  repositoryId: number;
  runId: number;
  attempt: number;
  runNumber: number;
  workflowName: string | null;
  event: string;
  headBranch: string | null;
  headSha: string;
  createdAt: Instant;
  runStartedAt: Instant | null;
  /** null while it runs. One that awaited approval ends anew after it. */
  completedAt: Instant | null;
  htmlUrl: string | null;
  /** How many of its jobs began; null where that is not known. */
  jobsBegun: number | null;
  /** Whether all of its jobs are known, and none of them began. */
  neverBegan: boolean;
}

/** From one instant to another, both included. */
export interface Stretch {
  from: Instant;
  to: Instant;
}

/** A run may be started again for 30 days after it was created, and an attempt lasts at most 35. */
export const reRunReachMs = 65 * dayMs;

/** What ran in a stretch of time. Repositories are named by the platform's ids. */
export const exposedRuns = (database: Database) => ({
  /** Attempts of tracked repositories that ran then, newest first, the superseded ones behind the latest; at most `limit`. */
  async attempts(repositoryIds: readonly number[], stretch: Stretch, limit: number): Promise<ExposedAttempt[]> {
    const latest = await selectAttempts(database, 'workflow_runs', { repositoryIds, stretch, limit });
    const room = limit - latest.length;
    if (room <= 0) return latest;
    const earlier = await selectAttempts(database, 'workflow_run_attempts', { repositoryIds, stretch, limit: room });
    return [...latest, ...earlier];
  },
  /** Those of the tracked ones of which every attempt of that time is known, as far as numbers of runs tell. */
  completeRepositories: (repositoryIds: readonly number[], stretch: Stretch): Promise<Set<number>> =>
    completeRepositories(database, repositoryIds, stretch),
});

type Table = 'workflow_runs' | 'workflow_run_attempts';

interface AttemptsRequested {
  repositoryIds: readonly number[];
  stretch: Stretch;
  limit: number;
}

async function selectAttempts({ db }: Queries, table: Table, { repositoryIds, stretch, limit }: AttemptsRequested) {
  const rows = await db
    .selectFrom(`${table} as own`)
    .innerJoin('repos', (join) => join.onRef('repos.id', '=', 'own.repoId'))
    .select(['repos.codehostRepoId', 'own.id', 'own.runAttempt', 'own.runNumber'])
    .select(['own.workflowName', 'own.event', 'own.headBranch', 'own.headSha', 'own.htmlUrl'])
    .select(['own.createdAt', 'own.runStartedAt', 'own.status', 'own.updatedAt'])
    .select(({ selectFrom }) =>
      selectFrom('job_readings as counted')
        .select('counted.jobs')
        .whereRef('counted.runId', '=', 'own.id')
        .whereRef('counted.runAttempt', '=', 'own.runAttempt')
        .as('jobs'),
    )
    .select(({ selectFrom }) =>
      selectFrom('workflow_jobs as job')
        .select(({ fn, cast }) => cast<number>(fn.countAll(), 'integer').as('neverBegan'))
        .whereRef('job.runId', '=', 'own.id')
        .whereRef('job.runAttempt', '=', 'own.runAttempt')
        .where(neverBegan)
        .as('jobsThatNeverBegan'),
    )
    .where('repos.tracked', '=', true)
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .where('own.createdAt', '>=', stretch.from - reRunReachMs)
    .where('own.createdAt', '<=', stretch.to)
    .where(({ eb, or }) => or([eb('own.status', '!=', 'completed'), eb('own.updatedAt', '>=', stretch.from)]))
    .where(({ eb, or }) => or([eb('own.runStartedAt', 'is', null), eb('own.runStartedAt', '<=', stretch.to)]))
    .orderBy('own.createdAt', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ codehostRepoId, id, runAttempt, status, updatedAt, jobs, jobsThatNeverBegan, ...row }) => ({
    ...row,
    jobsBegun: jobs === null ? null : jobs - (jobsThatNeverBegan ?? 0),
    neverBegan: jobs !== null && jobs > 0 && jobs === jobsThatNeverBegan,
    repositoryId: codehostRepoId,
    runId: id,
    attempt: runAttempt,
    completedAt: status === 'completed' ? updatedAt : null,
  }));
}

/** One that was cancelled before it had a runner has no steps. */
const neverBegan = ({ eb, or, and, fn, val }: ExpressionBuilder<{ job: Tables['workflow_jobs'] }, 'job'>) =>
  or([
    eb('job.conclusion', '=', 'skipped'),
    and([
      eb('job.conclusion', '=', 'cancelled'),
      eb('job.runnerName', 'is', null),
      eb('job.detail', '=', 'full'),
      eb(fn<number>('jsonb_array_length', ['job.steps']), '=', val(0)),
    ]),
  ]);

/**
 * Where the list of runs was read beyond both ends, and no number of a run and no earlier attempt is missing. What was
 * deleted at an edge shows by its neighbors: the number before the first, and a run after the end.
 */
async function completeRepositories(
  { db }: Queries,
  repositoryIds: readonly number[],
  { from, to }: Stretch,
): Promise<Set<number>> {
  const since = from - reRunReachMs;
  const read = await db
    .selectFrom('sync_cursors')
    .innerJoin('repos', 'repos.id', 'sync_cursors.repoId')
    .select(['repos.id', 'repos.codehostRepoId'])
    .where('repos.tracked', '=', true)
    .where('sync_cursors.kind', '=', 'runs')
    .where('sync_cursors.resume', 'is', null)
    .where('sync_cursors.syncedThrough', '>=', to)
    .where('sync_cursors.deepAt', '>=', to)
    .where('sync_cursors.backfilledTo', '<=', since)
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .execute();
  const ids = read.map(({ id }) => id);
  const runs = await db
    .selectFrom((subquery) =>
      subquery
        .selectFrom('workflow_runs')
        .select(['repoId', 'workflowId'])
        .select(({ fn, cast }) => [
          fn.min('runNumber').as('first'),
          fn.max('runNumber').as('last'),
          cast<number>(fn.countAll().filterWhere('createdAt', '>', to), 'integer').as('later'),
          cast<number>(fn.countAll(), 'integer').as('runs'),
          cast<number>(fn.sum('runAttempt'), 'integer').as('attempts'),
        ])
        .where(({ eb, fn, val }) => eb('repoId', '=', fn.any(val(ids))))
        .where('createdAt', '>=', since)
        .groupBy(['repoId', 'workflowId'])
        .as('seen'),
    )
    .selectAll('seen')
    .select(({ selectFrom }) =>
      selectFrom('workflow_runs as before')
        .select('before.runNumber')
        .whereRef('before.repoId', '=', 'seen.repoId')
        .whereRef('before.workflowId', '=', 'seen.workflowId')
        .where('before.createdAt', '<', since)
        .orderBy('before.createdAt', 'desc')
        .orderBy('before.runNumber', 'desc')
        .limit(1)
        .as('numberBefore'),
    )
    .execute();
  const superseded = await db
    .selectFrom('workflow_run_attempts')
    .select(['repoId', 'workflowId'])
    .select(({ fn, cast }) => cast<number>(fn.countAll(), 'integer').as('attempts'))
    .where(({ eb, fn, val }) => eb('repoId', '=', fn.any(val(ids))))
    .where('createdAt', '>=', since)
    .groupBy(['repoId', 'workflowId'])
    .execute();
  const earlier = new Map(superseded.map((one) => [toKey(one), one.attempts]));
  const gaps = new Set(
    runs
      .filter(
        (one) =>
          one.first !== (one.numberBefore ?? 0) + 1 ||
          one.later === 0 ||
          one.last - one.first + 1 !== one.runs ||
          one.attempts - one.runs !== (earlier.get(toKey(one)) ?? 0),
      )
      .map(({ repoId }) => repoId),
  );
  return new Set(read.flatMap(({ id, codehostRepoId }) => (gaps.has(id) ? [] : codehostRepoId)));
}

const toKey = ({ repoId, workflowId }: { repoId: number; workflowId: number }) => `${repoId} ${workflowId}`;
