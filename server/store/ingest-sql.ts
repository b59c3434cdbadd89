import { observed, observedColumns, runColumns } from './run-columns.ts';

/** A run may live 35 days; a longer one is a clock gone wrong. */
const longest = 35 * 86_400_000;

const list = (columns: readonly string[], of?: string) =>
  columns.map((column) => (of ? `${of}.${column}` : column)).join(', ');

const parameter = (index: number) => `$${index + 3}`;
const arrays = observedColumns.map((column, index) =>
  observed[column] === 'timestamptz' ? `${parameter(index)}::float8[]` : `${parameter(index)}::${observed[column]}[]`,
);
const received = observedColumns.map((column) =>
  observed[column] === 'timestamptz' ? `to_timestamp(${column} / 1000) as ${column}` : column,
);

/**
 * Which of two observations of one attempt stands: the later one; of the same moment the further one; then any fixed
 * order, so that the order of arrival never matters.
 */
const standing = (row: string) => `(
  ${row}.updated_at, array_position('{requested,waiting,pending,queued,in_progress,completed}'::text[], ${row}.status),
  coalesce(${row}.conclusion, ''), coalesce(${row}.run_started_at, '-infinity'), ${row}.created_at,
  coalesce(${row}.workflow_name, ''), ${row}.workflow_id, ${row}.run_number, ${row}.event,
  coalesce(${row}.head_branch, ''), ${row}.head_sha, coalesce(${row}.actor_id, 0),
  coalesce(${row}.triggering_actor_id, 0), coalesce(${row}.html_url, ''))`;

/** The given observations `g` that say something new about the stored attempt `s`, merged with it. */
const merged = (from: string, isNew: string, which = 'true') => `
  select g.id as given_id, s.id is null as unknown, s.repo_id as old_repo_id, s.created_at as old_created_at,
    g.run_attempt > s.run_attempt as rerun, g.repo_id,
    ${observedColumns.map((column) => `case when newer then g.${column} else s.${column} end as ${column}`).join(', ')},
    case when g.run_attempt = s.run_attempt then least(s.completed_at, g.completed_at) else g.completed_at end
      as completed_at
  from ${from}
  cross join lateral (select ${isNew} or ${standing('g')} > ${standing('s')} as newer) n
  where ${which} and (newer or g.completed_at < coalesce(s.completed_at, 'infinity'))`;

const duration = `round(date_part('epoch', completed_at - run_started_at) * 1000)::bigint`;
const derived = `
  select m.*,
    case when status = 'completed' and ${duration} between 0 and ${longest} then ${duration} end as duration_ms,
    case when run_attempt = 1 and run_started_at is not null
      then greatest(0, round(date_part('epoch', run_started_at - created_at) * 1000))::bigint end as queue_wait_ms,
    to_timestamp($2::float8 / 1000) as synced_at`;

const upsert = (table: string, key: string, from: string) => `
  insert into ${table} (${list(runColumns)}) select ${list(runColumns)} from ${from} order by id, run_attempt
  on conflict (${key}) do update set ${runColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/**
 * Takes observations of different runs of one repository into the facts, and notes the days whose rollup they change.
 * What is already known costs a look and no write. $1 repository, $2 when they were seen, $3… one array per column.
 */
export const ingestStatement = `
  with given as materialized (
    select ${received.join(', ')}, $1::int as repo_id,
      case when status = 'completed' then to_timestamp(updated_at / 1000) end as completed_at
    from unnest(${arrays.join(', ')}) as t(${list(observedColumns)})
  ),
  latest as materialized (
    ${derived} from (${merged(
      'given g left join workflow_runs s on s.id = g.id',
      's.id is null or g.run_attempt > s.run_attempt',
      '(s.id is null or g.run_attempt >= s.run_attempt)',
    )}) m
  ),
  earlier as materialized (
    ${derived} from (${merged(
      `given g join workflow_runs w on w.id = g.id and w.run_attempt > g.run_attempt
       left join workflow_run_attempts s on s.id = g.id and s.run_attempt = g.run_attempt`,
      's.id is null',
    )}) m
  ),
  superseded as (
    insert into workflow_run_attempts (${list(runColumns)})
    select ${list(runColumns, 's')} from latest l join workflow_runs s on s.id = l.id where l.rerun
    on conflict do nothing
  ),
  written as (${upsert('workflow_runs', 'id', 'latest')}),
  kept as (${upsert('workflow_run_attempts', 'id, run_attempt', 'earlier')}),
  seen as (
    update workflow_runs w set synced_at = to_timestamp($2::float8 / 1000) from given g
    where w.id = g.id and w.status <> 'completed' and w.synced_at < to_timestamp($2::float8 / 1000)
      and not exists (select from latest l where l.id = w.id)
  ),
  dirty as (
    insert into dirty_day (repo_id, day)
    select distinct repo_id, (created_at at time zone (select zone from rollup_zone))::date
    from (select repo_id, created_at from latest
          union all select old_repo_id, old_created_at from latest where not unknown) touched
  )
  select (select count(*) from latest where unknown)::int + (select count(*) from earlier where unknown)::int as inserted,
    (select count(*) from latest where not unknown)::int + (select count(*) from earlier where not unknown)::int as changed`;
