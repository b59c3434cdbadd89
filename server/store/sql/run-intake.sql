-- Upserts observations of workflow runs, and stores webhook deliveries with the runs that they bring.
--
-- Functions, because their statements take longer to plan than to run: here each session plans them once, for few rows
-- and tables of any size. The advisory locks are those of server/store/locks.ts.
-- What is stored depends on the set of observations alone. Of two observations of an attempt the greater one is stored,
-- by the list of columns that begins with `updated_at`; it is written out where two are compared. The earliest end that
-- was observed stays with it; a run of a fork that awaits approval is completed with `action_required` and has not
-- ended. `s` is what is stored, `o` what was observed.
-- `repo_id + 0` leaves the planner the primary key alone: to a table without statistics each index that begins with the
-- repository costs the same, and would be read from its beginning for every run.
-- Tests: tests/store/ingest.test.ts, race.test.ts, deliveries.test.ts. Bench: tests/bench/ingest.mjs, webhooks.mjs.

-- From start to end of a completed run; nothing beyond 35 days, which is longer than a run may take.
create or replace function run_duration_ms(status text, started timestamptz, completed timestamptz)
 returns bigint
 language sql
 immutable
as $$
  select case when status = 'completed'
    and round(date_part('epoch', completed - started) * 1000)::bigint between 0 and 3024000000
    then round(date_part('epoch', completed - started) * 1000)::bigint end
$$;

-- From creation to start. A later attempt keeps the creation of the first, so nothing is known of its wait.
create or replace function run_queue_wait_ms(attempt int, status text, created timestamptz, started timestamptz)
 returns bigint
 language sql
 immutable
as $$
  select case when attempt = 1 and status in ('in_progress', 'completed') and started >= created
    then round(date_part('epoch', started - created) * 1000)::bigint end
$$;

-- The shortest wait for a runner of the jobs with which an attempt began, that is, which were made within five seconds
-- of its start: others waited for these. Null while none of them is known to have been picked up. What
-- server/metrics/runs/queue-wait.ts says of jobs in hand; tests/store/job-waits.test.ts compares the two.
create or replace function attempt_job_wait_ms(of_run bigint, of_attempt int, started timestamptz)
 returns bigint
 language sql
 stable
as $$
  select min(wait) from (
    select round(date_part('epoch', greatest(job.started_at, first_step.started_at) - job.created_at) * 1000)::bigint
      as wait
    from workflow_jobs job
    left join lateral (
      select to_timestamp((step ->> 'startedAt')::float8 / 1000) as started_at
      from jsonb_array_elements(job.steps) with ordinality as listed (step, place)
      order by (step ->> 'number')::int, place limit 1
    ) first_step on true
    where job.run_id = of_run and job.run_attempt = of_attempt and job.started_at is not null
      and job.created_at between started - interval '5 seconds' and started + interval '5 seconds'
      and (job.status = 'in_progress' or job.status = 'completed' and (
        first_step.started_at is not null
        or job.conclusion in ('success', 'failure', 'timed_out', 'startup_failure')))
  ) first_jobs where wait >= 0
$$;

create or replace function upsert_runs(repo_ids int[], seen_ms float8, run_ids bigint[], run_attempts int[],
  workflow_ids bigint[], workflow_names text[], run_numbers int[], run_events text[], statuses text[],
  conclusions text[], head_branches text[], head_shas text[], actor_ids bigint[], triggering_actor_ids bigint[],
  created_ms float8[], started_ms float8[], updated_ms float8[], html_urls text[], out inserted int, out changed int)
 returns record
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $$
declare
  seen timestamptz := to_timestamp(seen_ms / 1000);
  others int;
  misplaced int;
  more_inserted int;
  more_changed int;
begin
  perform pg_advisory_xact_lock_shared(7246111);
  perform pg_advisory_xact_lock(7246112, owner) from (select distinct unnest(repo_ids) as owner order by 1) owners;

  -- New runs, and news of the attempts that are stored as the latest ones.
  with observed as materialized (
    select id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion, head_branch, head_sha,
      actor_id, triggering_actor_id, to_timestamp(created / 1000) as created_at,
      to_timestamp(started / 1000) as run_started_at, to_timestamp(updated / 1000) as updated_at, html_url, repo_id,
      case when status = 'completed' and conclusion is distinct from 'action_required'
        then to_timestamp(updated / 1000) end as completed_at
    from unnest(repo_ids, run_ids, run_attempts, workflow_ids, workflow_names, run_numbers, run_events, statuses,
      conclusions, head_branches, head_shas, actor_ids, triggering_actor_ids, created_ms, started_ms, updated_ms,
      html_urls) as given (repo_id, id, run_attempt, workflow_id, workflow_name, run_number, event, status,
      conclusion, head_branch, head_sha, actor_id, triggering_actor_id, created, started, updated, html_url)
    where id is not null and created >= (select date_part('epoch', kept_from) * 1000 from rollup_zone)
  ),
  compared as materialized (
    select s.id is null as is_new, s.created_at as old_created_at, s.status as old_status,
      coalesce(s.run_attempt = o.run_attempt, true) as is_same_attempt,
      s.id is null and (select true from workflow_runs where id = o.id limit 1) as is_misplaced,
      n.is_newer or coalesce(o.completed_at < coalesce(s.completed_at, 'infinity'), false) as is_news,
      s.job_wait_ms, o.repo_id, o.id, o.run_attempt,
      case when n.is_newer then o.workflow_id else s.workflow_id end as workflow_id,
      case when n.is_newer then o.workflow_name else s.workflow_name end as workflow_name,
      case when n.is_newer then o.run_number else s.run_number end as run_number,
      case when n.is_newer then o.event else s.event end as event,
      case when n.is_newer then o.status else s.status end as status,
      case when n.is_newer then o.conclusion else s.conclusion end as conclusion,
      case when n.is_newer then o.head_branch else s.head_branch end as head_branch,
      case when n.is_newer then o.head_sha else s.head_sha end as head_sha,
      case when n.is_newer then o.actor_id else s.actor_id end as actor_id,
      case when n.is_newer then o.triggering_actor_id else s.triggering_actor_id end as triggering_actor_id,
      case when n.is_newer then o.created_at else s.created_at end as created_at,
      case when n.is_newer then o.run_started_at else s.run_started_at end as run_started_at,
      case when n.is_newer then o.updated_at else s.updated_at end as updated_at,
      case when n.is_newer then o.html_url else s.html_url end as html_url,
      least(s.completed_at, o.completed_at) as completed_at
    from observed o
    left join lateral (select * from workflow_runs where id = o.id and repo_id + 0 = o.repo_id limit 1) s on true
    cross join lateral (
      select s.id is null or (
        o.updated_at, array_position('{requested,waiting,pending,queued,in_progress,completed}'::text[], o.status),
        coalesce(o.conclusion, ''), coalesce(o.run_started_at, '-infinity'), o.created_at,
        coalesce(o.workflow_name, ''), o.workflow_id, o.run_number, o.event, coalesce(o.head_branch, ''), o.head_sha,
        coalesce(o.actor_id, 0), coalesce(o.triggering_actor_id, 0), coalesce(o.html_url, '')
      ) > (
        s.updated_at, array_position('{requested,waiting,pending,queued,in_progress,completed}'::text[], s.status),
        coalesce(s.conclusion, ''), coalesce(s.run_started_at, '-infinity'), s.created_at,
        coalesce(s.workflow_name, ''), s.workflow_id, s.run_number, s.event, coalesce(s.head_branch, ''), s.head_sha,
        coalesce(s.actor_id, 0), coalesce(s.triggering_actor_id, 0), coalesce(s.html_url, '')
      ) as is_newer
      offset 0
    ) n
  ),
  news as materialized (
    select compared.*, run_duration_ms(status, run_started_at, completed_at) as duration_ms,
      coalesce(job_wait_ms, run_queue_wait_ms(run_attempt, status, created_at, run_started_at)) as queue_wait_ms
    from compared where is_same_attempt and is_news
  ),
  replaced as (
    update workflow_runs r set
      workflow_id = n.workflow_id, workflow_name = n.workflow_name, run_number = n.run_number, event = n.event,
      status = n.status, conclusion = n.conclusion, head_branch = n.head_branch, head_sha = n.head_sha,
      actor_id = n.actor_id, triggering_actor_id = n.triggering_actor_id, created_at = n.created_at,
      run_started_at = n.run_started_at, updated_at = n.updated_at, html_url = n.html_url,
      completed_at = n.completed_at, duration_ms = n.duration_ms, queue_wait_ms = n.queue_wait_ms, synced_at = seen
    from news n
    where not n.is_new and r.id = n.id and r.repo_id + 0 = n.repo_id and r.created_at = n.old_created_at
  ),
  added as (
    insert into workflow_runs (id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion,
      head_branch, head_sha, actor_id, triggering_actor_id, created_at, run_started_at, updated_at, html_url, repo_id,
      completed_at, duration_ms, queue_wait_ms, synced_at)
    select id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion,
      head_branch, head_sha, actor_id, triggering_actor_id, created_at, run_started_at, updated_at, html_url, repo_id,
      completed_at, duration_ms, queue_wait_ms, seen
    from news where is_new order by repo_id, id, run_attempt
  ),
  dirty as (
    insert into dirty_day (repo_id, day)
    select distinct repo_id, greatest((created_at at time zone (select zone from rollup_zone))::date,
      (select sealed_before from rollup_zone))
    from (
      select repo_id, created_at from news
      union all select repo_id, old_created_at from news where not is_new
    ) touched
  )
  select (select count(*) from news where is_new), (select count(*) from news where not is_new),
    (select count(*) from compared where is_misplaced),
    (select count(*) from compared where not is_same_attempt or not is_news and old_status <> 'completed')
  into inserted, changed, misplaced, others;

  -- Re-runs supersede the stored attempt, late news of an earlier attempt joins the superseded ones, and a stored run
  -- of which there is no news was seen again.
  if others > 0 then
    with observed as materialized (
      select id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion, head_branch, head_sha,
        actor_id, triggering_actor_id, to_timestamp(created / 1000) as created_at,
        to_timestamp(started / 1000) as run_started_at, to_timestamp(updated / 1000) as updated_at, html_url, repo_id,
        case when status = 'completed' and conclusion is distinct from 'action_required'
          then to_timestamp(updated / 1000) end as completed_at
      from unnest(repo_ids, run_ids, run_attempts, workflow_ids, workflow_names, run_numbers, run_events, statuses,
        conclusions, head_branches, head_shas, actor_ids, triggering_actor_ids, created_ms, started_ms, updated_ms,
        html_urls) as given (repo_id, id, run_attempt, workflow_id, workflow_name, run_number, event, status,
        conclusion, head_branch, head_sha, actor_id, triggering_actor_id, created, started, updated, html_url)
      where id is not null and created >= (select date_part('epoch', kept_from) * 1000 from rollup_zone)
    ),
    rerun as materialized (
      select o.*, s.created_at as old_created_at,
        run_duration_ms(o.status, o.run_started_at, o.completed_at) as duration_ms,
        waited.job_wait_ms, coalesce(waited.job_wait_ms,
          run_queue_wait_ms(o.run_attempt, o.status, o.created_at, o.run_started_at)) as queue_wait_ms
      from observed o
      join lateral (select * from workflow_runs where id = o.id and repo_id + 0 = o.repo_id limit 1) s on true
      cross join lateral (
        select attempt_job_wait_ms(o.id, o.run_attempt, o.run_started_at) as job_wait_ms offset 0) waited
      where o.run_attempt > s.run_attempt
    ),
    merged as materialized (
      select s.id is null as is_new, s.created_at as old_created_at, s.job_wait_ms, o.repo_id, o.id, o.run_attempt,
        case when n.is_newer then o.workflow_id else s.workflow_id end as workflow_id,
        case when n.is_newer then o.workflow_name else s.workflow_name end as workflow_name,
        case when n.is_newer then o.run_number else s.run_number end as run_number,
        case when n.is_newer then o.event else s.event end as event,
        case when n.is_newer then o.status else s.status end as status,
        case when n.is_newer then o.conclusion else s.conclusion end as conclusion,
        case when n.is_newer then o.head_branch else s.head_branch end as head_branch,
        case when n.is_newer then o.head_sha else s.head_sha end as head_sha,
        case when n.is_newer then o.actor_id else s.actor_id end as actor_id,
        case when n.is_newer then o.triggering_actor_id else s.triggering_actor_id end as triggering_actor_id,
        case when n.is_newer then o.created_at else s.created_at end as created_at,
        case when n.is_newer then o.run_started_at else s.run_started_at end as run_started_at,
        case when n.is_newer then o.updated_at else s.updated_at end as updated_at,
        case when n.is_newer then o.html_url else s.html_url end as html_url,
        least(s.completed_at, o.completed_at) as completed_at
      from observed o
      join lateral (select * from workflow_runs where id = o.id and repo_id + 0 = o.repo_id limit 1) latest
        on latest.run_attempt > o.run_attempt
      left join lateral (
        select * from workflow_run_attempts
        where id = o.id and repo_id + 0 = o.repo_id and run_attempt = o.run_attempt limit 1
      ) s on true
      cross join lateral (
        select s.id is null or (
          o.updated_at, array_position('{requested,waiting,pending,queued,in_progress,completed}'::text[], o.status),
          coalesce(o.conclusion, ''), coalesce(o.run_started_at, '-infinity'), o.created_at,
          coalesce(o.workflow_name, ''), o.workflow_id, o.run_number, o.event, coalesce(o.head_branch, ''),
          o.head_sha, coalesce(o.actor_id, 0), coalesce(o.triggering_actor_id, 0), coalesce(o.html_url, '')
        ) > (
          s.updated_at, array_position('{requested,waiting,pending,queued,in_progress,completed}'::text[], s.status),
          coalesce(s.conclusion, ''), coalesce(s.run_started_at, '-infinity'), s.created_at,
          coalesce(s.workflow_name, ''), s.workflow_id, s.run_number, s.event, coalesce(s.head_branch, ''),
          s.head_sha, coalesce(s.actor_id, 0), coalesce(s.triggering_actor_id, 0), coalesce(s.html_url, '')
        ) as is_newer
        offset 0
      ) n
      where n.is_newer or coalesce(o.completed_at < coalesce(s.completed_at, 'infinity'), false)
    ),
    earlier as materialized (
      select merged.*, run_duration_ms(status, run_started_at, completed_at) as duration_ms,
        coalesce(job_wait_ms, run_queue_wait_ms(run_attempt, status, created_at, run_started_at)) as queue_wait_ms
      from merged
    ),
    superseded as (
      insert into workflow_run_attempts (id, run_attempt, workflow_id, workflow_name, run_number, event, status,
        conclusion, head_branch, head_sha, actor_id, triggering_actor_id, created_at, run_started_at, updated_at,
        html_url, repo_id, completed_at, duration_ms, job_wait_ms, queue_wait_ms, synced_at)
      select s.id, s.run_attempt, s.workflow_id, s.workflow_name, s.run_number, s.event, s.status,
        s.conclusion, s.head_branch, s.head_sha, s.actor_id, s.triggering_actor_id, s.created_at, s.run_started_at,
        s.updated_at, s.html_url, s.repo_id, s.completed_at, s.duration_ms, s.job_wait_ms, s.queue_wait_ms,
        s.synced_at
      from rerun o
      cross join lateral (select * from workflow_runs where id = o.id and repo_id + 0 = o.repo_id limit 1) s
      where not exists (
        select * from workflow_run_attempts
        where id = o.id and repo_id + 0 = o.repo_id and run_attempt = s.run_attempt limit 1)
    ),
    rerun_replaced as (
      update workflow_runs r set
        run_attempt = n.run_attempt, workflow_id = n.workflow_id, workflow_name = n.workflow_name,
        run_number = n.run_number, event = n.event, status = n.status, conclusion = n.conclusion,
        head_branch = n.head_branch, head_sha = n.head_sha, actor_id = n.actor_id,
        triggering_actor_id = n.triggering_actor_id, created_at = n.created_at, run_started_at = n.run_started_at,
        updated_at = n.updated_at, html_url = n.html_url, completed_at = n.completed_at,
        duration_ms = n.duration_ms, job_wait_ms = n.job_wait_ms, queue_wait_ms = n.queue_wait_ms, synced_at = seen
      from rerun n
      where r.id = n.id and r.repo_id + 0 = n.repo_id and r.created_at = n.old_created_at
    ),
    dirty as (
      insert into dirty_day (repo_id, day)
      select distinct repo_id, greatest((created_at at time zone (select zone from rollup_zone))::date,
        (select sealed_before from rollup_zone))
      from (select repo_id, created_at from rerun union all select repo_id, old_created_at from rerun) touched
    ),
    earlier_replaced as (
      update workflow_run_attempts a set
        workflow_id = n.workflow_id, workflow_name = n.workflow_name, run_number = n.run_number, event = n.event,
        status = n.status, conclusion = n.conclusion, head_branch = n.head_branch, head_sha = n.head_sha,
        actor_id = n.actor_id, triggering_actor_id = n.triggering_actor_id, created_at = n.created_at,
        run_started_at = n.run_started_at, updated_at = n.updated_at, html_url = n.html_url,
        completed_at = n.completed_at, duration_ms = n.duration_ms, queue_wait_ms = n.queue_wait_ms, synced_at = seen
      from earlier n
      where not n.is_new and a.id = n.id and a.repo_id + 0 = n.repo_id and a.created_at = n.old_created_at
        and a.run_attempt = n.run_attempt
    ),
    earlier_added as (
      insert into workflow_run_attempts (id, run_attempt, workflow_id, workflow_name, run_number, event, status,
        conclusion, head_branch, head_sha, actor_id, triggering_actor_id, created_at, run_started_at, updated_at,
        html_url, repo_id, completed_at, duration_ms, queue_wait_ms, synced_at)
      select id, run_attempt, workflow_id, workflow_name, run_number, event, status,
        conclusion, head_branch, head_sha, actor_id, triggering_actor_id, created_at, run_started_at, updated_at,
        html_url, repo_id, completed_at, duration_ms, queue_wait_ms, seen
      from earlier where is_new order by repo_id, id, run_attempt
    ),
    seen_again as (
      update workflow_runs r set synced_at = seen from observed o
      where r.id = o.id and r.repo_id + 0 = o.repo_id and r.status <> 'completed' and r.synced_at < seen
        and not exists (select from rerun where rerun.repo_id = o.repo_id and rerun.id = o.id)
    )
    select (select count(*) from earlier where is_new),
      (select count(*) from rerun) + (select count(*) from earlier where not is_new)
    into more_inserted, more_changed;
    inserted := inserted + more_inserted;
    changed := changed + more_changed;
  end if;

  -- The platform never reports a run of two repositories; should it, the one with the newer observation stays.
  if misplaced > 0 then
    with outdone as materialized (
      select s.repo_id, s.id, s.created_at
      from workflow_runs s
      where s.id = any (run_ids) and exists (
        select from workflow_runs o
        where o.id = s.id and o.repo_id <> s.repo_id and (
          o.run_attempt, (
            o.updated_at, array_position('{requested,waiting,pending,queued,in_progress,completed}'::text[], o.status),
            coalesce(o.conclusion, ''), coalesce(o.run_started_at, '-infinity'), o.created_at,
            coalesce(o.workflow_name, ''), o.workflow_id, o.run_number, o.event, coalesce(o.head_branch, ''),
            o.head_sha, coalesce(o.actor_id, 0), coalesce(o.triggering_actor_id, 0), coalesce(o.html_url, '')
          ), o.repo_id
        ) > (
          s.run_attempt, (
            s.updated_at, array_position('{requested,waiting,pending,queued,in_progress,completed}'::text[], s.status),
            coalesce(s.conclusion, ''), coalesce(s.run_started_at, '-infinity'), s.created_at,
            coalesce(s.workflow_name, ''), s.workflow_id, s.run_number, s.event, coalesce(s.head_branch, ''),
            s.head_sha, coalesce(s.actor_id, 0), coalesce(s.triggering_actor_id, 0), coalesce(s.html_url, '')
          ), s.repo_id
        ))
    ),
    runs as (delete from workflow_runs r using outdone o where r.id = o.id and r.repo_id + 0 = o.repo_id),
    attempts as (delete from workflow_run_attempts a using outdone o where a.id = o.id and a.repo_id + 0 = o.repo_id)
    insert into dirty_day (repo_id, day)
    select distinct repo_id, greatest((created_at at time zone (select zone from rollup_zone))::date,
      (select sealed_before from rollup_zone))
    from outdone;
  end if;
end
$$;

create or replace function insert_deliveries(delivery_ids text[], events text[], actions text[], repo_keys text[],
  repo_ids int[], seen_ms float8, run_ids bigint[], run_attempts int[], workflow_ids bigint[], workflow_names text[],
  run_numbers int[], run_events text[], statuses text[], conclusions text[], head_branches text[], head_shas text[],
  actor_ids bigint[], triggering_actor_ids bigint[], created_ms float8[], started_ms float8[], updated_ms float8[],
  html_urls text[])
 returns text[]
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $$
declare
  fresh text[];
begin
  perform pg_advisory_xact_lock_shared(7246111);
  perform pg_advisory_xact_lock(7246112, owner) from (select distinct unnest(repo_ids) as owner order by 1) owners;
  with stored as (
    insert into webhook_deliveries (delivery_id, event, action, repo_key, received_at)
    select given.*, to_timestamp(seen_ms / 1000) from unnest(delivery_ids, events, actions, repo_keys) given
    on conflict do nothing returning delivery_id
  )
  select coalesce(array_agg(delivery_id), '{}') from stored into fresh;
  if cardinality(fresh) = cardinality(delivery_ids) then
    perform upsert_runs(repo_ids, seen_ms, run_ids, run_attempts, workflow_ids, workflow_names, run_numbers,
      run_events, statuses, conclusions, head_branches, head_shas, actor_ids, triggering_actor_ids, created_ms,
      started_ms, updated_ms, html_urls);
  elsif cardinality(fresh) > 0 then
    perform upsert_runs(array_agg(repo_id), seen_ms, array_agg(id), array_agg(run_attempt), array_agg(workflow_id),
      array_agg(workflow_name), array_agg(run_number), array_agg(event), array_agg(status), array_agg(conclusion),
      array_agg(head_branch), array_agg(head_sha), array_agg(actor_id), array_agg(triggering_actor_id),
      array_agg(created), array_agg(started), array_agg(updated), array_agg(html_url))
    from unnest(delivery_ids, repo_ids, run_ids, run_attempts, workflow_ids, workflow_names, run_numbers, run_events,
      statuses, conclusions, head_branches, head_shas, actor_ids, triggering_actor_ids, created_ms, started_ms,
      updated_ms, html_urls) as given (delivery_id, repo_id, id, run_attempt, workflow_id, workflow_name, run_number,
      event, status, conclusion, head_branch, head_sha, actor_id, triggering_actor_id, created, started, updated,
      html_url)
    where delivery_id = any (fresh);
  end if;
  return fresh;
end
$$;
