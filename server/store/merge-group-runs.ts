import type { Instant } from '../metrics/kernel/facts.ts';
import type { GroupRun } from '../metrics/merge-queue/builds.ts';
import type { Queries } from './database.ts';

/** Every known attempt of runs for merge groups that were created since an instant, by the platform's id of the repository. */
export const mergeGroupRuns =
  ({ db }: Queries) =>
  async (repositoryId: number, since: Instant): Promise<GroupRun[]> => {
    const read = async (table: 'workflow_runs' | 'workflow_run_attempts'): Promise<GroupRun[]> =>
      db
        .selectFrom(table)
        .select(['id', 'runAttempt as attempt', 'workflowName', 'status', 'conclusion', 'headBranch', 'headSha'])
        .select(['createdAt', 'runStartedAt as startedAt', 'completedAt', 'htmlUrl'])
        .where('repoId', '=', ({ selectFrom }) =>
          selectFrom('repos').select('repos.id').where('codehostRepoId', '=', repositoryId),
        )
        .where('event', '=', 'merge_group')
        .where('createdAt', '>=', since)
        .execute();
    const [latest, superseded] = await Promise.all([read('workflow_runs'), read('workflow_run_attempts')]);
    return [...superseded, ...latest];
  };
