import type { Conclusion, Instant, RunStatus } from '../metrics/kernel/facts.ts';
import type { Database } from './database.ts';

/** An attempt of a run with its jobs, for looking at months of a repository; never who caused it. */
export interface StoredAttempt {
  runId: number;
  attempt: number;
  runNumber: number;
  workflowId: number;
  event: string;
  headBranch: string | null;
  headSha: string;
  status: RunStatus;
  conclusion: Conclusion | null;
  createdAt: Instant;
  runStartedAt: Instant | null;
  updatedAt: Instant;
  completedAt: Instant | null;
  htmlUrl: string | null;
  /** null where not all of them are stored in full. */
  jobs: StoredJob[] | null;
}

export interface StoredJob {
  id: number;
  name: string;
  status: string;
  conclusion: Conclusion | null;
  createdAt: Instant | null;
  startedAt: Instant | null;
  completedAt: Instant | null;
  labels: string[];
  runnerGroup: string | null;
}

/** The newest attempts of runs created since then, at most `limit` latest and as many earlier ones, in no order. */
export const recordedAttempts =
  ({ db }: Database) =>
  async (repoId: number, since: Instant, limit: number): Promise<StoredAttempt[]> => {
    const runs = db
      .selectFrom('workflow_runs')
      .select('id')
      .where('repoId', '=', repoId)
      .where('createdAt', '>=', since);
    const latest = await selectAttempts(db, 'workflow_runs', { repoId, since, limit });
    const earlier = await selectAttempts(db, 'workflow_run_attempts', { repoId, since, limit });
    // An attempt's costs are summed once all of its jobs are stored.
    const complete = await db
      .selectFrom('attempt_costs')
      .select(['runId', 'runAttempt'])
      .where('repoId', '=', repoId)
      .where('part', '=', 0)
      .where('runId', 'in', runs)
      .execute();
    const jobs = await db
      .selectFrom('workflow_jobs')
      .select(['runId', 'runAttempt', 'id', 'name', 'status', 'conclusion', 'createdAt', 'startedAt', 'completedAt'])
      .select(['labels', 'runnerGroup'])
      .where('runId', 'in', runs)
      .orderBy('id')
      .execute();
    const known = new Set(complete.map(toKey));
    const byAttempt = Map.groupBy(jobs, toKey);
    return [...latest, ...earlier].map(({ id, runAttempt, ...attempt }) => {
      const key = toKey({ runId: id, runAttempt });
      return { ...attempt, runId: id, attempt: runAttempt, jobs: known.has(key) ? (byAttempt.get(key) ?? []) : null };
    });
  };

const selectAttempts = (
  db: Database['db'],
  table: 'workflow_runs' | 'workflow_run_attempts',
  { repoId, since, limit }: { repoId: number; since: Instant; limit: number },
) =>
  db
    .selectFrom(table)
    .select(['id', 'runAttempt', 'runNumber', 'workflowId', 'event', 'headBranch', 'headSha', 'status', 'conclusion'])
    .select(['createdAt', 'runStartedAt', 'updatedAt', 'completedAt', 'htmlUrl'])
    .where('repoId', '=', repoId)
    .where('createdAt', '>=', since)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();

const toKey = ({ runId, runAttempt }: { runId: number; runAttempt: number }) => `${runId} ${runAttempt}`;
