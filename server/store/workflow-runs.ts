import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { dayOf, rollupZone } from './day-sql.ts';
import { runIngest } from './ingest.ts';
import { shareZone, writeRuns } from './locks.ts';
import type { rollups } from './rollups.ts';
import { type FactRow, factColumns, factJoins, type StoredRun, toFact } from './run-columns.ts';
import { knownFrom, passedOnDefault, standingOfRuns } from './run-histories.ts';
import { pageOfRuns } from './run-page.ts';

export function workflowRuns(database: Database, { recompute }: ReturnType<typeof rollups>) {
  const facts = async (source: string, parameters: unknown[]): Promise<StoredRun[]> =>
    (
      await database.query<FactRow>(
        `select ${factColumns} from (${source}) w ${factJoins} order by ${newestFirst}`,
        parameters,
      )
    ).map(toFact);
  return {
    ingest: runIngest(database),
    recomputeDirty: recompute,
    page: pageOfRuns(database),
    standing: standingOfRuns(database),
    passedOnDefault: passedOnDefault(database),
    knownFrom: knownFrom(database),

    /** The latest attempts of runs created since then, newest first. */
    recent: (repoId: number, { since = 0, workflowId = null, limit }: RecentQuery): Promise<StoredRun[]> =>
      facts(workflowId === null ? recentRuns : `${recentOfWorkflow}`, [repoId, since, limit, ...maybe(workflowId)]),

    /** The latest attempts of the newest runs that have completed, newest first. */
    completed: (repoId: number, limit: number): Promise<StoredRun[]> => facts(completedRuns, [repoId, limit]),

    /** Those of the repositories that have a run created since then. */
    async activeSince(repoIds: readonly number[], since: Instant): Promise<number[]> {
      const rows = await database.query<{ id: number }>(activeRepositories, [repoIds, since]);
      const active = new Set(rows.map(({ id }) => id));
      return repoIds.filter((id) => active.has(id));
    },

    /** Every attempt that is known of runs created since then, newest run first, its attempts in order. */
    attempts: (repoId: number, { since, limit = 20_000 }: { since: Instant; limit?: number }): Promise<StoredRun[]> =>
      facts(allAttempts, [repoId, since, limit]),

    /** Every known attempt of the newest runs of each workflow that were created before `since`, back to `from`. */
    leadingUp: (repoId: number, { since, from, branch = null, limit }: LeadingQuery): Promise<StoredRun[]> =>
      facts(leadingRuns, [repoId, since, from, branch, limit]),

    /** The attempts of these runs that were superseded by a later one, as far as they are known. */
    earlierAttempts: (repoId: number, runIds: readonly number[]): Promise<StoredRun[]> =>
      runIds.length === 0 ? Promise.resolve([]) : facts(supersededAttempts, [repoId, runIds]),

    /** Runs created since then that had not ended when they were last seen; the longest unseen first. */
    async unfinished(repoId: number, since: Instant, limit: number): Promise<StoredRun[]> {
      const runs = await facts(unfinishedRuns, [repoId, since, limit]);
      return runs.sort((a, b) => a.syncedAt - b.syncedAt);
    },

    /** Earlier attempts of re-run runs that have never been seen; newest run first. */
    missingAttempts: (repoId: number, since: Instant, limit: number): Promise<{ id: number; attempt: number }[]> =>
      database.query(missing, [repoId, since, limit]),

    /** Forgets a run that the platform no longer has, with its attempts and jobs. */
    gone: (repoId: number, id: number): Promise<void> =>
      database.transaction(async (transaction) => {
        await transaction.query(`select ${shareZone}, ${writeRuns('$1::int')}`, [repoId]);
        await transaction.query(removal, [repoId, id]);
      }),

    /** How much is stored of a repository. */
    async summary(repoId: number): Promise<{ total: number; latestRunId: number | null; firstRunAt: Instant | null }> {
      const [row] = await database.query<SummaryRow>(summaryOf, [repoId]);
      const { total } = await pageOfRuns(database)({ repoId, limit: 1, offset: 0 });
      return { total, latestRunId: row?.latest ?? null, firstRunAt: row?.first_ms ?? null };
    },
  };
}

interface RecentQuery {
  since?: Instant;
  workflowId?: number | null;
  limit: number;
}

interface SummaryRow {
  latest: number | null;
  first_ms: number | null;
}

interface LeadingQuery {
  since: Instant;
  from: Instant;
  /** Only runs of this branch that are no builds of pull requests; null for all. */
  branch?: string | null;
  /** Runs of each workflow. */
  limit: number;
}

const maybe = (value: number | null) => (value === null ? [] : [value]);
const newestFirst = 'w.created_at desc, w.id desc, w.run_attempt';
const since = 'to_timestamp($2::float8 / 1000)';

const recentRuns = `select * from workflow_runs w where repo_id = $1::int and created_at >= ${since}
  order by created_at desc, id desc limit $3::int`;

const recentOfWorkflow = `select * from workflow_runs w
  where repo_id = $1::int and workflow_id = $4::bigint and created_at >= ${since}
  order by created_at desc, id desc limit $3::int`;

const completedRuns = `select * from workflow_runs w where repo_id = $1::int and status = 'completed'
  order by created_at desc, id desc limit $2::int`;

const activeRepositories = `
  select repository.id from unnest($1::int[]) repository (id)
  where exists (select from workflow_runs where repo_id = repository.id and created_at >= ${since})`;

const allAttempts = `select * from (
    select * from workflow_runs where repo_id = $1::int and created_at >= ${since}
    union all select * from workflow_run_attempts where repo_id = $1::int and created_at >= ${since}) every
  order by created_at desc, id desc, run_attempt limit $3::int`;

/** The workflows of a repository are met by leaping from one to the next in their index. */
const leadingRuns = `
  with recursive known (id) as (
    select min(workflow_id) from workflow_runs where repo_id = $1::int
    union all
    select (select min(workflow_id) from workflow_runs where repo_id = $1::int and workflow_id > known.id)
    from known where known.id is not null
  ),
  newest as materialized (
    select one.id, one.created_at from known cross join lateral (
      select id, created_at from workflow_runs
      where repo_id = $1::int and workflow_id = known.id and created_at < ${since}
        and created_at >= to_timestamp($3::float8 / 1000)
        and ($4::text is null or (head_branch = $4::text and event <> 'pull_request'))
      order by created_at desc, id desc limit $5::int) one
  )
  select w.* from newest join workflow_runs w using (id, created_at) where w.repo_id = $1::int
  union all
  select a.* from newest join workflow_run_attempts a using (id) where a.repo_id = $1::int`;

const supersededAttempts = `
  select * from workflow_run_attempts where repo_id = $1::int and id = any ($2::bigint[])`;

const unfinishedRuns = `select * from workflow_runs
  where repo_id = $1::int and status <> 'completed' and created_at >= ${since} order by synced_at limit $3::int`;

const missing = `
  select w.id::float8 as id, n as attempt
  from workflow_runs w cross join generate_series(1, w.run_attempt - 1) n
  where w.repo_id = $1::int and w.created_at >= ${since} and w.run_attempt > 1
    and not exists (select from workflow_run_attempts a
      where a.repo_id = w.repo_id and a.id = w.id and a.run_attempt = n and a.status = 'completed')
  order by w.created_at desc, w.id desc, n limit $3::int`;

const removal = `
  with runs as (
    delete from workflow_runs where id = $2::bigint and repo_id = $1::int returning created_at
  ), attempts as (
    delete from workflow_run_attempts where id = $2::bigint and repo_id = $1::int
  ), jobs as (
    delete from workflow_jobs where run_id = $2::bigint
  ), kept as (
    delete from job_readings where run_id = $2::bigint
  )
  insert into dirty_day (repo_id, day) select $1::int, ${dayOf('created_at', rollupZone)} from runs`;

const summaryOf = `
  select max(id)::float8 as latest, date_part('epoch', min(created_at)) * 1000 as first_ms
  from workflow_runs where repo_id = $1::int`;
