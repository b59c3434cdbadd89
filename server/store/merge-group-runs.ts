import type { Instant } from '../metrics/kernel/facts.ts';
import type { Window } from '../metrics/kernel/window.ts';
import type { GroupJob, GroupRun } from '../metrics/merge-queue/builds.ts';
import type { Queries } from './database.ts';

type Table = 'workflow_runs' | 'workflow_run_attempts';
type Db = Queries['db'];

/** Builds of merge groups end within a day: GitHub removes an entry whose checks take longer than 6 hours. */
const buildMs = 24 * 3_600_000;

/**
 * Every known attempt of runs for merge groups that were created since an instant, by the platform's id of the
 * repository. Jobs are read only of runs that can matter to what ended in the window `jobsOf`.
 */
export const mergeGroupRuns =
  ({ db }: Queries) =>
  async (repositoryId: number, since: Instant, jobsOf: Window | null): Promise<GroupRun[]> => {
    const read = (table: Table) =>
      selectRuns(db, table, { repositoryId, since })
        .select(['id', 'runAttempt as attempt', 'runNumber as number', 'workflowName', 'status', 'conclusion'])
        .select(['headBranch', 'headSha', 'createdAt', 'runStartedAt as startedAt', 'completedAt', 'htmlUrl'])
        .execute();
    const [latest, superseded] = await Promise.all([read('workflow_runs'), read('workflow_run_attempts')]);
    const runs = [...superseded, ...latest];
    const jobs = runs.length === 0 || !jobsOf ? new Map() : await readJobs(db, { repositoryId, since }, jobsOf);
    return runs.map((run) => ({ ...run, jobs: jobs.get(`${run.id} ${run.attempt}`) ?? [] }));
  };

interface Requested {
  repositoryId: number;
  since: Instant;
}

const selectRuns = (db: Db, table: Table, { repositoryId, since }: Requested) =>
  db
    .selectFrom(table)
    .where('repoId', '=', ({ selectFrom }) =>
      selectFrom('repos').select('repos.id').where('codehostRepoId', '=', repositoryId),
    )
    .where('event', '=', 'merge_group')
    .where('createdAt', '>=', since);

/** The stored jobs of these runs, by run and attempt. */
async function readJobs(db: Db, requested: Requested, { from, to }: Window): Promise<ReadonlyMap<string, GroupJob[]>> {
  // The latest attempt of a run has its id, as those before it do.
  const runs = selectRuns(db, 'workflow_runs', requested)
    .where('createdAt', '<=', to)
    .where(({ eb, or }) => or([eb('completedAt', 'is', null), eb('completedAt', '>=', from - buildMs)]));
  const rows = await db
    .selectFrom('workflow_jobs')
    .where('runId', 'in', runs.select('id'))
    .select(['runId', 'runAttempt', 'name', 'conclusion', 'startedAt', 'completedAt'])
    .orderBy('id')
    .execute();
  const jobs = new Map<string, GroupJob[]>();
  for (const { runId, runAttempt, ...job } of rows) {
    const attempt = `${runId} ${runAttempt}`;
    jobs.set(attempt, [...(jobs.get(attempt) ?? []), job]);
  }
  return jobs;
}
