import { dayOf, rollupZone } from './day-sql.ts';
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
const stored = (table: string, more = '') =>
  `select * from ${table} where repo_id = g.repo_id and id = g.id ${more} limit 1`;
const storedRun = stored('workflow_runs');
const storedAttempt = stored('workflow_run_attempts', 'and run_attempt = g.run_attempt');

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
    select ${received.join(', ')}, repo_id,
      case when status = 'completed' then to_timestamp(updated_at / 1000) end as completed_at
    from unnest($1::int[], ${arrays.join(', ')}) as t(repo_id, ${list(observedColumns)})
    where created_at >= (select date_part('epoch', kept_from) * 1000 from rollup_zone)
  )`;

const columns = list(runColumns);

/**
 * What is unknown is inserted, what is known replaced: the lock on the repository makes sure that neither changes in
 * between, and no unique key is needed that would have to hold more than the run. Rows for `of`, named after it.
 */
const write = (table: string, of: string) => `
  ${of}_replaced as (
    update ${table} t set (${columns}) = row (${list(runColumns, of)}) from ${of}
    where not ${of}.unknown and t.repo_id = ${of}.repo_id and t.id = ${of}.id and t.created_at = ${of}.old_created_at
      ${table === 'workflow_runs' ? '' : `and t.run_attempt = ${of}.run_attempt`}
  ),
  ${of}_added as (
    insert into ${table} (${columns}) select ${columns} from ${of} where unknown order by repo_id, id, run_attempt
  )`;

/** Notes the days, new and old, on which the written rows count. */
const dirty = (from: string) => `
  insert into dirty_day (repo_id, day)
  select distinct repo_id, ${dayOf('created_at', rollupZone)}
  from (select repo_id, created_at from ${from}
        union all select repo_id, old_created_at from ${from} where not unknown) touched`;

/**
 * Takes observations of different runs into the facts, and notes the days whose rollup they change. Runs as old as
 * those that are no longer kept are left out: their days have counted what there was.
 * What is already known costs a look and no write. Answers in `rest` how many of them are about another attempt than
 * the stored one, or only say that an unfinished run is still the same: those are for the second statement.
 * $1 their repositories, $2 when they were seen, $3… one array per column.
 */
export const ingestStatement = `
  with ${given},
  compared as materialized (
    select g.id as given_id, s.id is null as unknown, s.created_at as old_created_at,
      coalesce(s.run_attempt = g.run_attempt, true) as same_attempt, s.status as old_status,
      n.newer or ${endedEarlier} as tells, ${merged('n.newer')}
    from given g left join lateral (${storedRun}) s on true cross join lateral (${newer}) n
  ),
  fresh as materialized (${derived('select * from compared where same_attempt and tells')}),
  ${write('workflow_runs', 'fresh')},
  dirty as (${dirty('fresh')})
  select (select count(*) from fresh where unknown)::int as inserted,
    (select count(*) from fresh where not unknown)::int as changed,
    (select count(*) from compared
      where not same_attempt or not tells and old_status <> 'completed')::int as rest`;

/** The rest: re-runs push the stored attempt down, late news of an earlier attempt goes beneath, the others are seen. */
export const restStatement = `
  with ${given},
  rerun as materialized (${derived(`
    select g.*, false as unknown, s.created_at as old_created_at
    from given g join lateral (${storedRun}) s on true where g.run_attempt > s.run_attempt`)}
  ),
  earlier as materialized (${derived(`
    select s.id is null as unknown, s.created_at as old_created_at, ${merged('n.newer')}
    from given g join lateral (${storedRun}) latest on latest.run_attempt > g.run_attempt
    left join lateral (${storedAttempt}) s on true
    cross join lateral (${newer}) n
    where n.newer or ${endedEarlier}`)}
  ),
  superseded as (
    insert into workflow_run_attempts (${columns})
    select ${list(runColumns, 's')} from rerun g cross join lateral (${storedRun}) s
    where not exists (${stored('workflow_run_attempts', 'and run_attempt = s.run_attempt')})
  ),
  ${write('workflow_runs', 'rerun')},
  dirty as (${dirty('rerun')}),
  ${write('workflow_run_attempts', 'earlier')},
  seen as (
    update workflow_runs t set synced_at = ${seenAt} from given g
    where t.repo_id = g.repo_id and t.id = g.id and t.status <> 'completed' and t.synced_at < ${seenAt}
      and not exists (select from rerun where rerun.repo_id = g.repo_id and rerun.id = g.id)
  )
  select (select count(*) from earlier where unknown)::int as inserted,
    (select count(*) from rerun)::int + (select count(*) from earlier where not unknown)::int as changed, 0 as rest`;

/** Runs that were just added, but are also there as another repository's. $1 repositories, $2 runs. */
export const straysStatement = `
  select id::text from workflow_runs w
  where id = any($2::bigint[])
    and not exists (select from unnest($1::int[], $2::bigint[]) g(repo_id, id) where g.id = w.id and g.repo_id = w.repo_id)`;

/** A run is in one repository: of two rows the one with the newer observation stays. $1 runs. */
export const settleStraysStatement = `
  with outdone as materialized (
    select s.repo_id, s.id, s.created_at from workflow_runs s where s.id = any($1::bigint[]) and exists (
      select from workflow_runs g where g.id = s.id and g.repo_id <> s.repo_id
        and (g.run_attempt, ${standing('g')}, g.repo_id) > (s.run_attempt, ${standing('s')}, s.repo_id))
  ),
  runs as (delete from workflow_runs t using outdone o where t.repo_id = o.repo_id and t.id = o.id),
  attempts as (delete from workflow_run_attempts t using outdone o where t.repo_id = o.repo_id and t.id = o.id)
  insert into dirty_day (repo_id, day) select distinct repo_id, ${dayOf('created_at', rollupZone)} from outdone`;
