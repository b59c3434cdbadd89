import type { Instant } from '../metrics/kernel/facts.ts';
import type { Window } from '../metrics/kernel/window.ts';
import { listOwnJobs } from '../metrics/runs/jobs.ts';
import type { MeasuredRun } from '../metrics/runs/workflow-runs.ts';
import type { Database } from './database.ts';

/**
 * Attempts of the runs for pull requests of a repository that were created in a window, earlier ones as far as they were
 * seen, in no order; never who caused them.
 */
export const runsOfPullRequests =
  (database: Database) =>
  async (repoId: number, window: Window): Promise<SummedRun[]> => {
    const latest = await selectAttempts(database, 'workflow_runs', repoId, window);
    const earlier = await selectAttempts(database, 'workflow_run_attempts', repoId, window);
    const parts = Map.groupBy(await selectParts(database, repoId, window), ({ runId, runAttempt }) =>
      toKey(runId, runAttempt),
    );
    return [...latest, ...earlier].map((run) => {
      const own = parts.get(toKey(run.id, run.attempt));
      return { ...run, parts: own ? listOwnJobs(run, own) : null };
    });
  };

/** An attempt with what its jobs took, by kind of runner; null where not all of them were stored in full. */
export type SummedRun = MeasuredRun & { parts: JobsPart[] | null };

export interface JobsPart {
  labels: string[] | null;
  startedAt: Instant | null;
  /** Jobs of unknown duration. */
  untimed: number;
  /** Full minutes of every other job. */
  minutes: number;
}

const selectParts = ({ db }: Database, repoId: number, { from, to }: Window) =>
  db
    .selectFrom('attempt_costs')
    .select(['runId', 'runAttempt', 'labels', 'startedAt', 'completedAt', 'untimed', 'minutes'])
    .where('repoId', '=', repoId)
    .where('runId', 'in', (query) =>
      query
        .selectFrom('workflow_runs')
        .select('id')
        .where('repoId', '=', repoId)
        .where('createdAt', '>=', from)
        .where('createdAt', '<=', to)
        .where('event', 'like', 'pull_request%'),
    )
    .execute();

const toKey = (runId: number, attempt: number) => `${runId} ${attempt}`;

async function selectAttempts(
  { db }: Database,
  table: 'workflow_runs' | 'workflow_run_attempts',
  repoId: number,
  { from, to }: Window,
): Promise<MeasuredRun[]> {
  const rows = await db
    .selectFrom(table)
    .select(['id', 'runAttempt', 'runNumber', 'workflowId', 'workflowName', 'event', 'headBranch', 'headSha'])
    .select(['status', 'conclusion', 'createdAt', 'runStartedAt', 'updatedAt', 'completedAt', 'htmlUrl'])
    .where('repoId', '=', repoId)
    .where('createdAt', '>=', from)
    .where('createdAt', '<=', to)
    .where('event', 'like', 'pull_request%')
    .execute();
  return rows.map(({ runAttempt, runStartedAt, htmlUrl, ...row }) => ({
    ...row,
    attempt: runAttempt,
    startedAt: runStartedAt,
    htmlUrl: htmlUrl ?? '',
    displayTitle: null,
    actor: null,
    triggeringActor: null,
  }));
}
