import type { Instant } from '../metrics/facts.ts';
import type { Queries } from './database.ts';
import { type FactRow, factColumns, factJoins, type StoredRun, toFact } from './run-columns.ts';
import { fromMs, toMs } from './wire-sql.ts';

/** How far the runs of a tracked repository are kept. */
export interface RunStanding {
  repoId: number;
  /** The repository's id on the platform. */
  codehostId: number;
  /**
   * Another one as soon as a run begins or ends: the newest run's id and how many have not ended. A re-run between two
   * looks leaves it as it was, until the next run.
   */
  mark: string;
  syncedThrough: Instant;
}

/** Of these repositories, by their ids on the platform, the tracked ones that a synchronization has read. */
export const standingOfRuns =
  (database: Queries) =>
  (codehostIds: readonly number[]): Promise<RunStanding[]> =>
    database.query<RunStanding>(standing, [codehostIds]);

export interface PassedQuery {
  repositories: readonly { repoId: number; defaultBranch: string }[];
  /** Workflows without a run since then are left out. */
  activeSince: Instant;
  /** Newest passed runs of each workflow. */
  limit: number;
}

/**
 * The newest passed runs on the default branch of each workflow, by repository, in one query. They are looked for among
 * the newest 1,000 runs of a workflow, because builds of pull requests may outnumber them without end.
 */
export const passedOnDefault =
  (database: Queries) =>
  async ({ repositories, activeSince, limit }: PassedQuery): Promise<Map<number, StoredRun[]>> => {
    const rows = await database.query<FactRow & { repo_id: number }>(passed, [
      repositories.map(({ repoId }) => repoId),
      repositories.map(({ defaultBranch }) => defaultBranch),
      activeSince,
      limit,
    ]);
    const byRepository = Map.groupBy(rows, (row) => row.repo_id);
    return new Map([...byRepository].map(([repoId, own]) => [repoId, own.map(toFact)]));
  };

/**
 * From when on all runs of a repository are kept: down to where a synchronization has read, and is not kept no longer.
 * null where none ever did.
 */
export const knownFrom =
  (database: Queries) =>
  async (repoId: number): Promise<Instant | null> => {
    const [row] = await database.query<{ from: Instant }>(reached, [repoId]);
    return row?.from ?? null;
  };

/** A forward pass that was interrupted left a gap below where it came to; before its first page it left none. */
const reached = `
  select ${toMs('greatest(kept_from, reached)')} as from from rollup_zone, (
    select case when resume->>'kind' = 'forward' and (resume->>'cut')::float8 <= (resume->>'through')::float8
      then ${fromMs("(resume->>'cut')")} else backfilled_to end as reached
    from sync_cursors where repo_id = $1::int and kind = 'runs'
  ) cursor
  where reached is not null`;

const standing = `
  select repository.id as "repoId", repository.codehost_repo_id::float8 as "codehostId",
    concat(newest.id, ' ', (
      select count(*) from workflow_runs where repo_id = repository.id and status <> 'completed')) as mark,
    round(extract(epoch from cursor.synced_through) * 1000)::float8 as "syncedThrough"
  from repos repository
  join sync_cursors cursor on cursor.repo_id = repository.id and cursor.kind = 'runs'
  cross join lateral (
    select id from workflow_runs where repo_id = repository.id order by created_at desc, id desc limit 1) newest
  where repository.codehost_repo_id = any($1::bigint[]) and repository.tracked and cursor.synced_through is not null`;

/** The workflows of a repository are met by leaping from one to the next in their index, not by reading all runs. */
const passed = `
  select asked.repo_id, ${factColumns}
  from unnest($1::int[], $2::text[]) asked (repo_id, branch)
  cross join lateral (
    with recursive known (id) as (
      select min(workflow_id) from workflow_runs where repo_id = asked.repo_id
      union all
      select (select min(workflow_id) from workflow_runs where repo_id = asked.repo_id and workflow_id > known.id)
      from known where known.id is not null
    )
    select id from known
    where exists (select from workflow_runs
      where repo_id = asked.repo_id and workflow_id = known.id and created_at >= to_timestamp($3::float8 / 1000))
  ) workflow
  cross join lateral (
    select * from (
      select * from workflow_runs where repo_id = asked.repo_id and workflow_id = workflow.id
      order by created_at desc limit 1000) newest
    where status = 'completed' and conclusion = 'success' and head_branch = asked.branch and event <> 'pull_request'
    order by created_at desc, id desc limit $4::int
  ) w
  ${factJoins}`;
