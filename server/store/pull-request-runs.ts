import type { Window } from '../metrics/kernel/window.ts';
import type { MeasuredRun } from '../metrics/runs/workflow-runs.ts';
import type { Database } from './database.ts';

/**
 * Attempts of the runs for pull requests of a repository that were created in a window, earlier ones as far as they were
 * seen, in no order; never who caused them.
 */
export const runsOfPullRequests =
  (database: Database) =>
  async (repoId: number, window: Window): Promise<MeasuredRun[]> => {
    const latest = await selectAttempts(database, 'workflow_runs', repoId, window);
    const earlier = await selectAttempts(database, 'workflow_run_attempts', repoId, window);
    return [...latest, ...earlier];
  };

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
