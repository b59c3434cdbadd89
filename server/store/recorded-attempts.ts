import { wasTaken } from '../metrics/cost/job-cost.ts';
import type { Conclusion, Instant, JobStep, RunStatus } from '../metrics/kernel/facts.ts';
import { listOwnJobs } from '../metrics/runs/jobs.ts';
import type { Database } from './database.ts';
import { workflowStatements } from './statements.ts';

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
  /** Those that were run in it; null where not all that it lists are stored in full. */
  jobs: StoredJob[] | null;
  /** Full minutes of these jobs, as summed when they were stored; null where not all are. */
  billedMinutes: number | null;
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
  /** Whether a runner took it; one that was cancelled while it waited has a start all the same. */
  isTaken: boolean;
  /** Those with one of the names that were requested. */
  steps: JobStep[];
}

interface Requested {
  limit: number;
  /** Names of the steps that are given with their jobs. */
  stepNames: readonly string[];
}

/** The newest attempts of runs created since then, at most `limit` latest and as many earlier ones, in no order. */
const listAttempts =
  ({ db }: Database) =>
  async (repoId: number, since: Instant, { limit, stepNames }: Requested): Promise<StoredAttempt[]> => {
    const latest = await selectAttempts(db, 'workflow_runs', { repoId, since, limit });
    const earlier = await selectAttempts(db, 'workflow_run_attempts', { repoId, since, limit });
    const costs = await selectMinutes(db, repoId, since);
    const jobs = await selectJobs(db, { repoId, since, stepNames });
    const byAttempt = Map.groupBy(jobs, toKey);
    const costsByAttempt = Map.groupBy(costs, toKey);
    return [...latest, ...earlier].map(({ id, runAttempt, ...attempt }) => {
      const key = toKey({ runId: id, runAttempt });
      const ran = { attempt: runAttempt, startedAt: attempt.runStartedAt };
      const parts = costsByAttempt.get(key);
      const stored = byAttempt.get(key) ?? [];
      // What jobs cost is stored for longer than the jobs.
      const isWhole =
        parts !== undefined && stored.length >= parts.reduce((sum, { jobs: one }) => sum + Number(one), 0);
      const billedMinutes = isWhole ? listOwnJobs(ran, parts).reduce((sum, one) => sum + Number(one.minutes), 0) : null;
      return {
        ...attempt,
        runId: id,
        attempt: runAttempt,
        jobs: billedMinutes === null ? null : listOwnJobs(ran, stored),
        billedMinutes,
      };
    });
  };

/** The longest passing job of each workflow and name, in minutes, of all that is stored of a repository. */
const longestPassing =
  ({ run }: Database) =>
  (repoId: number): Promise<{ workflowId: number; name: string; minutes: number }[]> =>
    run(workflowStatements.longest_passing_jobs, { repo_id: repoId });

/** What is recorded of run attempts, as months of a repository are looked at. */
export const recordedAttempts = (database: Database) => ({
  list: listAttempts(database),
  longestPassing: longestPassing(database),
});

type Db = Database['db'];

const runsSince = (db: Db, repoId: number, since: Instant) =>
  db.selectFrom('workflow_runs').select('id').where('repoId', '=', repoId).where('createdAt', '>=', since);

/** Minutes and number of jobs by attempt, of re-runs by job; they are summed once all of its jobs are stored. */
const selectMinutes = (db: Db, repoId: number, since: Instant) =>
  db
    .selectFrom('attempt_costs')
    .select(['runId', 'runAttempt', 'completedAt'])
    .select(({ fn }) => [fn.sum<string | number>('minutes').as('minutes'), fn.sum<string | number>('jobs').as('jobs')])
    .where('repoId', '=', repoId)
    .where('runId', 'in', runsSince(db, repoId, since))
    .groupBy(['runId', 'runAttempt', 'completedAt'])
    .execute();

interface JobsRequested extends Pick<Requested, 'stepNames'> {
  repoId: number;
  since: Instant;
}

async function selectJobs(db: Db, { repoId, since, stepNames }: JobsRequested) {
  const ofRuns = db.selectFrom('workflow_jobs').where('runId', 'in', runsSince(db, repoId, since));
  const jobs = await ofRuns
    .select(['runId', 'runAttempt', 'id', 'name', 'status', 'conclusion', 'createdAt', 'startedAt', 'completedAt'])
    .select(['labels', 'runnerGroup', 'runnerName'])
    .orderBy('id')
    .execute();
  // Of a job without the name of a runner its steps tell whether one took it.
  const doubtful = await ofRuns
    .select(['id', 'steps'])
    .where('conclusion', 'is distinct from', 'skipped')
    .where('runnerName', 'is', null)
    .execute();
  const steps = new Map(doubtful.map((one) => [one.id, one.steps]));
  const named = await selectSteps(db, { repoId, since, stepNames });
  return jobs.map(({ runnerName, ...job }) => ({
    ...job,
    isTaken: wasTaken({ conclusion: job.conclusion, runnerName, steps: steps.get(job.id) ?? [] }),
    steps: named.get(job.id) ?? [],
  }));
}

/** Steps with one of these names, by job; all steps of months would be too much to read. */
async function selectSteps(db: Db, { repoId, since, stepNames }: JobsRequested): Promise<Map<number, JobStep[]>> {
  if (stepNames.length === 0) return new Map();
  const variables = JSON.stringify({ names: stepNames });
  const jobs = await db
    .selectFrom('workflow_jobs')
    .select('id')
    .select(({ fn, val }) =>
      fn<JobStep[]>('jsonb_path_query_array', ['steps', val(hasName), val(variables)]).as('named'),
    )
    .where('runId', 'in', runsSince(db, repoId, since))
    .where(({ fn, val }) => fn<boolean>('jsonb_path_exists', ['steps', val(hasName), val(variables)]))
    .execute();
  return new Map(jobs.map(({ id, named }) => [id, named]));
}

const hasName = '$[*] ? (@.name == $names[*])';

const selectAttempts = (
  db: Db,
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
