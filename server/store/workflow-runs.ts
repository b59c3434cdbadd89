import type { Instant } from '../metrics/kernel/facts.ts';
import { conclusive } from '../metrics/kernel/outcome.ts';
import type { Statement } from '../platform/source-files.ts';
import type { Database } from './database.ts';
import { runIngest } from './ingest.ts';
import { lockRuns, shareLock } from './locks.ts';
import { runsOfPullRequests } from './pull-request-runs.ts';
import type { rollups } from './rollups.ts';
import { getRunSyncStates, knownFrom, passedOnDefault } from './run-histories.ts';
import { readRunPage } from './run-page.ts';
import { intakeStatements, runStatements } from './statements.ts';
import { type RunRow, type StoredRun, toStoredRun } from './stored-run.ts';

export function workflowRuns(database: Database, { recompute }: ReturnType<typeof rollups>) {
  const read = async (statement: Statement, parameters: Readonly<Record<string, unknown>>): Promise<StoredRun[]> =>
    (await database.run<RunRow>(statement, parameters)).map(toStoredRun);
  return {
    ingest: runIngest(database),
    recomputeDirty: recompute,
    page: readRunPage(database),
    syncStates: getRunSyncStates(database),
    passedOnDefault: passedOnDefault(database),
    knownFrom: knownFrom(database),
    ofPullRequests: runsOfPullRequests(database),

    /** The latest attempts of runs created since then, newest first. */
    recent: (
      repoId: number,
      { since = 0, workflowId = null, branch = null, limit }: RecentQuery,
    ): Promise<StoredRun[]> =>
      read(runStatements.newest_runs, { ...anyRun, repo_id: repoId, since, workflow_id: workflowId, branch, limit }),

    /** The latest attempts of the newest runs that have completed, newest first. */
    completed: (repoId: number, limit: number): Promise<StoredRun[]> =>
      read(runStatements.newest_runs, { ...anyRun, repo_id: repoId, status: 'completed', limit }),

    /** The latest attempt of the newest run of a branch that passed or failed and is no build of a pull request. */
    async conclusive(repoId: number, { workflowId, branch }: ConclusiveQuery): Promise<StoredRun | null> {
      const of = { repo_id: repoId, workflow_id: workflowId, branch };
      const wanted = { ...anyRun, ...of, status: 'completed', conclusions: conclusive, limit: 1 };
      const [newest] = await read(runStatements.newest_runs, wanted);
      return newest ?? null;
    },

    /** Those of the repositories that have a run created since then. */
    async activeSince(repoIds: readonly number[], since: Instant): Promise<number[]> {
      const rows = await database.run<{ id: number }>(runStatements.active_repositories, {
        repo_ids: repoIds,
        since,
      });
      const active = new Set(rows.map(({ id }) => id));
      return repoIds.filter((id) => active.has(id));
    },

    /** Every attempt that is known of runs created since then, newest run first, its attempts in order. */
    attempts: (repoId: number, { since, limit = 20_000 }: { since: Instant; limit?: number }): Promise<StoredRun[]> =>
      read(runStatements.all_attempts, { repo_id: repoId, since, limit }),

    /** Every known attempt of the newest runs of each workflow that were created before `since`, back to `from`. */
    leadingUp: (repoId: number, { since, from, branch = null, limit }: LeadingQuery): Promise<StoredRun[]> =>
      read(runStatements.attempts_by_workflow, { repo_id: repoId, before: since, from, branch, limit }),

    /** The attempts of these runs that were superseded by a later one, as far as they are known. */
    earlierAttempts: (repoId: number, runIds: readonly number[]): Promise<StoredRun[]> =>
      runIds.length === 0
        ? Promise.resolve([])
        : read(runStatements.superseded_attempts, { repo_id: repoId, run_ids: runIds }),

    /** What the latest attempts of these runs waited for a runner, in ms, where their jobs tell it. */
    jobWaits: (repoId: number, runIds: readonly number[]): Promise<JobWait[]> => readJobWaits(database, repoId, runIds),

    /** Runs created since then that had not ended when they were last seen; the longest unseen first. */
    async unfinished(repoId: number, since: Instant, limit: number): Promise<StoredRun[]> {
      const runs = await read(runStatements.unfinished_runs, { repo_id: repoId, since, limit });
      return runs.sort((a, b) => a.syncedAt - b.syncedAt);
    },

    /** Earlier attempts of re-run runs that have never been seen; newest run first. */
    missingAttempts: (repoId: number, since: Instant, limit: number): Promise<{ id: number; attempt: number }[]> =>
      database.run(runStatements.missing_attempts, { repo_id: repoId, since, limit }),

    /** Attempts of completed runs whose jobs are not summed; the newest run of each workflow first. */
    withoutCosts: (repoId: number, since: Instant, limit: number): Promise<{ runId: number; attempt: number }[]> =>
      database.run(runStatements.attempts_without_costs, { repo_id: repoId, since, limit }),

    /** Forgets a run that the platform no longer has, with its attempts and jobs. */
    gone: (repoId: number, id: number): Promise<void> =>
      database.transaction(async (transaction) => {
        await shareLock(transaction, 'timeZone');
        await lockRuns(transaction, repoId);
        await transaction.run(intakeStatements.delete_run, { repo_id: repoId, run_id: id });
      }),

    /** How much is stored of a repository. */
    summary: (repoId: number) => summarizeRuns(database, repoId),
  };
}

interface JobWait {
  id: number;
  attempt: number;
  waitMs: number;
}

async function readJobWaits({ db }: Database, repoId: number, runIds: readonly number[]): Promise<JobWait[]> {
  if (runIds.length === 0) return [];
  const rows = await db
    .selectFrom('workflow_runs')
    .select(['id', 'runAttempt', 'jobWaitMs'])
    .where('repoId', '=', repoId)
    .where('id', 'in', [...runIds])
    .where('jobWaitMs', 'is not', null)
    .$narrowType<{ jobWaitMs: number }>()
    .execute();
  return rows.map(({ id, runAttempt, jobWaitMs }) => ({ id, attempt: runAttempt, waitMs: jobWaitMs }));
}

interface RunSummary {
  total: number;
  latestRunId: number | null;
  firstRunAt: Instant | null;
}

async function summarizeRuns(database: Database, repoId: number): Promise<RunSummary> {
  const runs = database.db.selectFrom('workflow_runs').where('repoId', '=', repoId);
  const latest = await runs.select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  const first = await runs.select('createdAt').orderBy('createdAt').limit(1).executeTakeFirst();
  const { total } = await readRunPage(database)({ repoId, limit: 1, offset: 0 });
  return { total, latestRunId: latest?.id ?? null, firstRunAt: first?.createdAt ?? null };
}

/** Parameters of `newest_runs` that leave out none. */
const anyRun = { since: 0, workflow_id: null, branch: null, status: null, conclusions: null };

interface RecentQuery {
  since?: Instant;
  workflowId?: number | null;
  /** Only runs of this branch that are no builds of pull requests; null for all. */
  branch?: string | null;
  limit: number;
}

interface ConclusiveQuery {
  /** null for any workflow. */
  workflowId: number | null;
  branch: string;
}

interface LeadingQuery {
  since: Instant;
  from: Instant;
  /** Only runs of this branch that are no builds of pull requests; null for all. */
  branch?: string | null;
  /** Runs of each workflow. */
  limit: number;
}
