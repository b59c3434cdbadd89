import { Migration } from '@mikro-orm/migrations';

/** What an observation of a run says: column, type in which it travels, parameter that holds one array of it. */
const observed = [
  ['id', 'bigint', 'run_ids'],
  ['run_attempt', 'int', 'run_attempts'],
  ['workflow_id', 'bigint', 'workflow_ids'],
  ['workflow_name', 'text', 'workflow_names'],
  ['run_number', 'int', 'run_numbers'],
  ['event', 'text', 'run_events'],
  ['status', 'text', 'statuses'],
  ['conclusion', 'text', 'conclusions'],
  ['head_branch', 'text', 'head_branches'],
  ['head_sha', 'text', 'head_shas'],
  ['actor_id', 'bigint', 'actor_ids'],
  ['triggering_actor_id', 'bigint', 'triggering_actor_ids'],
  ['created_at', 'float8', 'created_ms'],
  ['run_started_at', 'float8', 'started_ms'],
  ['updated_at', 'float8', 'updated_ms'],
  ['html_url', 'text', 'html_urls'],
] as const;

const observedColumns = observed.map(([column]) => column);
const parameters = observed.map(([, type, parameter]) => `${parameter} ${type}[]`).join(', ');
const names = observed.map(([, , parameter]) => parameter).join(', ');
const received = observed.map(([column, type]) =>
  type === 'float8' ? `to_timestamp(${column} / 1000) as ${column}` : column,
);
const runColumns = [...observedColumns, 'repo_id', 'completed_at', 'duration_ms', 'queue_wait_ms', 'synced_at'];
const columns = runColumns.join(', ');
const of = (row: string) => runColumns.map((column) => `${row}.${column}`).join(', ');

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
const merged = `
  g.repo_id, ${observedColumns.map((column) => `case when n.newer then g.${column} else s.${column} end as ${column}`).join(', ')},
  least(s.completed_at, g.completed_at) as completed_at`;

/** `offset` keeps the comparison from being copied into every column that depends on it. */
const newer = `select s.id is null or ${standing('g')} > ${standing('s')} as newer offset 0`;
/** `limit` makes the planner look each one up by its key, whatever it believes about the size of the table. */
const storedRun = `select * from workflow_runs where repo_id = g.repo_id and id = g.id limit 1`;
const storedAttempt = (attempt: string) =>
  `select * from workflow_run_attempts where repo_id = g.repo_id and id = g.id and run_attempt = ${attempt} limit 1`;
const endedEarlier = `coalesce(g.completed_at < coalesce(s.completed_at, 'infinity'), false)`;

const ran = `round(date_part('epoch', completed_at - run_started_at) * 1000)::bigint`;
/** A run may live 35 days; a longer one is a clock gone wrong. */
const longest = 35 * 86_400_000;
const seenAt = 'to_timestamp(seen_ms / 1000)';

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
    from unnest(repo_ids, ${names}) as t(repo_id, ${observedColumns.join(', ')})
    where id is not null and created_at >= (select date_part('epoch', kept_from) * 1000 from rollup_zone)
  )`;

/**
 * What is unknown is inserted, what is known replaced: the lock on the repository makes sure that neither changes in
 * between, and no unique key is needed that would have to hold more than the run. Rows for `rows`, named after it.
 */
const write = (table: string, rows: string) => `
  ${rows}_replaced as (
    update ${table} t set (${columns}) = row (${of(rows)}) from ${rows}
    where not ${rows}.unknown and t.repo_id = ${rows}.repo_id and t.id = ${rows}.id
      and t.created_at = ${rows}.old_created_at
      ${table === 'workflow_runs' ? '' : `and t.run_attempt = ${rows}.run_attempt`}
  ),
  ${rows}_added as (
    insert into ${table} (${columns}) select ${columns} from ${rows} where unknown order by repo_id, id, run_attempt
  )`;

const day = (instant: string) =>
  `greatest((${instant} at time zone (select zone from rollup_zone))::date, (select sealed_before from rollup_zone))`;

/** Notes the days, new and old, on which the written rows count. */
const dirty = (from: string) => `
  insert into dirty_day (repo_id, day)
  select distinct repo_id, ${day('created_at')}
  from (select repo_id, created_at from ${from}
        union all select repo_id, old_created_at from ${from} where not unknown) touched`;

/**
 * Whoever writes runs shares the zone, and has each of their repositories alone; in their order, as all do. The numbers
 * are those of `server/store/locks.ts`.
 */
const lock = `
  perform pg_advisory_xact_lock_shared(7246111);
  perform pg_advisory_xact_lock(7246112, owner)
    from (select distinct unnest(repo_ids) as owner order by 1) owners;`;

/** One plan for a session, made for few rows and tables of any size. */
const plannedOnce = 'set plan_cache_mode = force_generic_plan set enable_seqscan = off';

/**
 * Takes observations of different runs into the facts, and notes the days whose rollup they change. Runs as old as
 * those that are no longer kept are left out: their days have counted what there was. What is already known costs a
 * look and no write. A function, because its statements take longer to plan than to run: here each session plans once.
 */
const takeRuns = `
  create function take_runs(repo_ids int[], seen_ms float8, ${parameters}, out inserted int, out changed int)
  language plpgsql ${plannedOnce} as $$
  declare
    others int;
    strays int;
    more_inserted int;
    more_changed int;
  begin
    ${lock}

    with ${given},
    compared as materialized (
      select g.id as given_id, s.id is null as unknown, s.created_at as old_created_at,
        coalesce(s.run_attempt = g.run_attempt, true) as same_attempt, s.status as old_status,
        s.id is null and (select true from workflow_runs where id = g.id limit 1) as stray,
        n.newer or ${endedEarlier} as tells, ${merged}
      from given g left join lateral (${storedRun}) s on true cross join lateral (${newer}) n
    ),
    fresh as materialized (${derived('select * from compared where same_attempt and tells')}),
    ${write('workflow_runs', 'fresh')},
    dirty as (${dirty('fresh')})
    select (select count(*) from fresh where unknown), (select count(*) from fresh where not unknown),
      (select count(*) from compared where stray),
      (select count(*) from compared where not same_attempt or not tells and old_status <> 'completed')
    into inserted, changed, strays, others;

    -- Re-runs push the stored attempt down, late news of an earlier attempt goes beneath, the others are seen.
    if others > 0 then
      with ${given},
      rerun as materialized (${derived(`
        select g.*, false as unknown, s.created_at as old_created_at
        from given g join lateral (${storedRun}) s on true where g.run_attempt > s.run_attempt`)}
      ),
      earlier as materialized (${derived(`
        select s.id is null as unknown, s.created_at as old_created_at, ${merged}
        from given g join lateral (${storedRun}) latest on latest.run_attempt > g.run_attempt
        left join lateral (${storedAttempt('g.run_attempt')}) s on true
        cross join lateral (${newer}) n
        where n.newer or ${endedEarlier}`)}
      ),
      superseded as (
        insert into workflow_run_attempts (${columns})
        select ${of('s')} from rerun g cross join lateral (${storedRun}) s
        where not exists (${storedAttempt('s.run_attempt')})
      ),
      ${write('workflow_runs', 'rerun')},
      dirty as (${dirty('rerun')}),
      ${write('workflow_run_attempts', 'earlier')},
      seen as (
        update workflow_runs t set synced_at = ${seenAt} from given g
        where t.repo_id = g.repo_id and t.id = g.id and t.status <> 'completed' and t.synced_at < ${seenAt}
          and not exists (select from rerun where rerun.repo_id = g.repo_id and rerun.id = g.id)
      )
      select (select count(*) from earlier where unknown),
        (select count(*) from rerun) + (select count(*) from earlier where not unknown)
      into more_inserted, more_changed;
      inserted := inserted + more_inserted;
      changed := changed + more_changed;
    end if;

    -- The platform never tells a run of two repositories; should it, the one with the newer observation stays.
    if strays > 0 then
      with outdone as materialized (
        select s.repo_id, s.id, s.created_at from workflow_runs s where s.id = any (run_ids) and exists (
          select from workflow_runs g where g.id = s.id and g.repo_id <> s.repo_id
            and (g.run_attempt, ${standing('g')}, g.repo_id) > (s.run_attempt, ${standing('s')}, s.repo_id))
      ),
      runs as (delete from workflow_runs t using outdone o where t.repo_id = o.repo_id and t.id = o.id),
      attempts as (delete from workflow_run_attempts t using outdone o where t.repo_id = o.repo_id and t.id = o.id)
      insert into dirty_day (repo_id, day) select distinct repo_id, ${day('created_at')} from outdone;
    end if;
  end $$`;

/**
 * Writes down which deliveries came, takes the runs in that they bring, and answers those that had not come before; of
 * the others nothing is taken. The arrays are side by side; a delivery that brings no run has null for its id.
 */
const takeDeliveries = `
  create function take_deliveries(
    delivery_ids text[], events text[], actions text[], repo_keys text[], repo_ids int[], seen_ms float8, ${parameters})
  returns text[] language plpgsql ${plannedOnce} as $$
  declare
    fresh text[];
  begin
    ${lock}

    with noted as (
      insert into webhook_deliveries (delivery_id, event, action, repo_key, received_at)
      select given.*, ${seenAt} from unnest(delivery_ids, events, actions, repo_keys) given
      on conflict do nothing returning delivery_id
    )
    select coalesce(array_agg(delivery_id), '{}') from noted into fresh;

    if cardinality(fresh) = cardinality(delivery_ids) then
      perform take_runs(repo_ids, seen_ms, ${names});
    elsif cardinality(fresh) > 0 then
      perform take_runs(array_agg(repo_id), seen_ms, ${observedColumns.map((column) => `array_agg(${column})`).join(', ')})
      from unnest(delivery_ids, repo_ids, ${names}) as t(delivery_id, repo_id, ${observedColumns.join(', ')})
      where delivery_id = any (fresh);
    end if;
    return fresh;
  end $$`;

export class Migration20261122060000_taking_in extends Migration {
  override up() {
    this.addSql(takeRuns);
    this.addSql(takeDeliveries);
  }
}
