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

/** The given observations `g`, merged with the stored attempt `s` they are about. */
const merged = (newer: string) => `
  g.repo_id, ${observedColumns.map((column) => `case when ${newer} then g.${column} else s.${column} end as ${column}`).join(', ')},
  least(s.completed_at, g.completed_at) as completed_at`;

/** `offset` keeps the comparison from being copied into every column that depends on it. */
const newer = `select s.id is null or ${standing('g')} > ${standing('s')} as newer offset 0`;
/** `limit` makes the planner look each one up by its key, whatever it believes about the size of the table. */
const storedRun = 'select * from workflow_runs where id = g.id limit 1';
const storedAttempt = 'select * from workflow_run_attempts where id = g.id and run_attempt = g.run_attempt limit 1';

const endedEarlier = `coalesce(g.completed_at < coalesce(s.completed_at, 'infinity'), false)`;

const ran = `round(date_part('epoch', completed_at - run_started_at) * 1000)::bigint`;
const seenAt = 'to_timestamp($2::float8 / 1000)';

/** Rows for the tables, with what is derived from the observed columns. */
const derived = (from: string) => `
  select m.*,
    case when status = 'completed' and ${ran} between 0 and ${longest} then ${ran} end as duration_ms,
    case when run_attempt = 1 and status in ('in_progress', 'completed') and run_started_at >= created_at
      then round(date_part('epoch', run_started_at - created_at) * 1000)::bigint end as queue_wait_ms,
    ${seenAt} as synced_at
  from (${from}) m`;

const given = `
  given as materialized (
    select ${received.join(', ')}, $1::int as repo_id,
      case when status = 'completed' then to_timestamp(updated_at / 1000) end as completed_at
    from unnest(${arrays.join(', ')}) as t(${list(observedColumns)})
  )`;

const upsert = (table: string, key: string, from: string) => `
  insert into ${table} (${list(runColumns)}) select ${list(runColumns)} from ${from} order by id, run_attempt
  on conflict (${key}) do update set ${runColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** Notes the days, new and old, on which the written rows count. */
const dirty = (from: string) => `
  insert into dirty_day (repo_id, day)
  select distinct repo_id, (created_at at time zone (select zone from rollup_zone))::date
  from (select repo_id, created_at from ${from}
        union all select old_repo_id, old_created_at from ${from} where not unknown) touched`;

/**
 * Takes observations of different runs of one repository into the facts, and notes the days whose rollup they change.
 * What is already known costs a look and no write. Answers in `rest` how many of them are about another attempt than
 * the stored one, or only say that an unfinished run is still the same: those are for the second statement.
 * $1 repository, $2 when they were seen, $3… one array per column.
 */
export const ingestStatement = `
  with ${given},
  compared as materialized (
    select g.id as given_id, s.id is null as unknown, s.repo_id as old_repo_id, s.created_at as old_created_at,
      coalesce(s.run_attempt = g.run_attempt, true) as same_attempt, s.status as old_status,
      n.newer or ${endedEarlier} as tells, ${merged('n.newer')}
    from given g left join lateral (${storedRun}) s on true cross join lateral (${newer}) n
  ),
  fresh as materialized (${derived('select * from compared where same_attempt and tells')}),
  written as (${upsert('workflow_runs', 'id', 'fresh')}),
  dirty as (${dirty('fresh')})
  select (select count(*) from fresh where unknown)::int as inserted,
    (select count(*) from fresh where not unknown)::int as changed,
    (select count(*) from compared
      where not same_attempt or not tells and old_status <> 'completed')::int as rest`;

/** The rest: re-runs push the stored attempt down, late news of an earlier attempt goes beneath, the others are seen. */
export const restStatement = `
  with ${given},
  rerun as materialized (${derived(`
    select g.*, false as unknown, s.repo_id as old_repo_id, s.created_at as old_created_at
    from given g join lateral (${storedRun}) s on true where g.run_attempt > s.run_attempt`)}
  ),
  earlier as materialized (${derived(`
    select s.id is null as unknown, ${merged('n.newer')}
    from given g join lateral (${storedRun}) latest on latest.run_attempt > g.run_attempt
    left join lateral (${storedAttempt}) s on true
    cross join lateral (${newer}) n
    where n.newer or ${endedEarlier}`)}
  ),
  superseded as (
    insert into workflow_run_attempts (${list(runColumns)})
    select ${list(runColumns, 's')} from workflow_runs s where s.id = any(array(select id from rerun))
    on conflict do nothing
  ),
  written as (${upsert('workflow_runs', 'id', 'rerun')}),
  dirty as (${dirty('rerun')}),
  kept as (${upsert('workflow_run_attempts', 'id, run_attempt', 'earlier')}),
  seen as (
    update workflow_runs set synced_at = ${seenAt}
    where id = any(array(select id from given except select id from rerun))
      and status <> 'completed' and synced_at < ${seenAt}
  )
  select (select count(*) from earlier where unknown)::int as inserted,
    (select count(*) from rerun)::int + (select count(*) from earlier where not unknown)::int as changed, 0 as rest`;
