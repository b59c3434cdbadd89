-- Reads stored runs as facts: with their accounts and addresses, newest creation first.
--
-- SQL, because the order in which indexes are used is what makes them fast: limits come before joins, and workflows are
-- met by leaping from one to the next in their index. Every run has the same columns, see stored-run.ts; `cause` is who
-- triggered the run. :since and its like are epoch milliseconds.
-- A filter whose parameter is null is dropped when the statement is planned, which happens at each execution; so a
-- conclusion finds its partial index, too.
-- Tests: tests/store/pages.test.ts, run-histories.test.ts, ingest.test.ts. Bench: tests/bench/trends.mjs.

-- name: page
-- Complete days are skipped by their counts, so that a deep page costs what the first does. A day that is behind is
-- counted from its runs. The bounds on `created_at` are explained in trends.sql.
with dirty as materialized (select distinct day from dirty_day where repo_id = :repo_id::int),
counts as (
  select day,
    case :conclusion::text when 'success' then success when 'failure' then failure when 'cancelled' then cancelled
      when 'skipped' then skipped when 'timed_out' then timed_out when 'action_required' then action_required
      when 'neutral' then neutral when 'stale' then stale when 'startup_failure' then startup_failure
      else total end as n
  from repo_day r
  where repo_id = :repo_id::int and day >= (select sealed_before from rollup_zone)
    and not exists (select from dirty d where d.day = r.day)
  union all
  select d.day, (count(*) filter (where :conclusion::text is null or w.conclusion = :conclusion))::int
  from dirty d join workflow_runs w on w.repo_id = :repo_id::int
    and w.created_at >= case when d.day > (select sealed_before from rollup_zone)
      then greatest(d.day::timestamp at time zone (select zone from rollup_zone) - interval '3 hours',
        (select kept_from from rollup_zone))
      else (select kept_from from rollup_zone) end
    and w.created_at < (d.day + 1)::timestamp at time zone (select zone from rollup_zone) + interval '3 hours'
    and greatest((w.created_at at time zone (select zone from rollup_zone))::date,
      (select sealed_before from rollup_zone)) = d.day
  group by d.day
),
running as (select day, n, sum(n) over (order by day desc) as upto from counts where n > 0),
chosen as materialized (
  select min(day) as first, max(day) as last, min(upto - n) as skipped
  from running where upto > :offset::int and upto - n < :offset::int + :limit::int
),
page as materialized (
  select w.id, w.created_at from workflow_runs w
  where w.repo_id = :repo_id::int and (:conclusion::text is null or w.conclusion = :conclusion)
    and w.created_at >= case when (select first from chosen) > (select sealed_before from rollup_zone)
      then greatest((select first from chosen)::timestamp at time zone (select zone from rollup_zone)
        - interval '3 hours', (select kept_from from rollup_zone))
      else (select kept_from from rollup_zone) end
    and w.created_at < ((select last from chosen) + 1)::timestamp at time zone (select zone from rollup_zone)
      + interval '3 hours'
    and greatest((w.created_at at time zone (select zone from rollup_zone))::date,
      (select sealed_before from rollup_zone)) between (select first from chosen) and (select last from chosen)
  order by w.created_at desc, w.id desc
  offset :offset::int - (select skipped from chosen) limit :limit::int
)
select (select coalesce(sum(n), 0) from counts)::float8 as total_runs,
  w.id::float8, w.run_attempt, w.workflow_id::float8, w.workflow_name, w.run_number, w.event, w.status,
  w.conclusion, w.head_branch, w.head_sha, w.duration_ms::float8, w.job_wait_ms::float8, w.queue_wait_ms::float8,
  date_part('epoch', w.created_at) * 1000 as created_ms, date_part('epoch', w.run_started_at) * 1000 as started_ms,
  date_part('epoch', w.updated_at) * 1000 as updated_ms, date_part('epoch', w.completed_at) * 1000 as completed_ms,
  date_part('epoch', w.synced_at) * 1000 as synced_ms,
  coalesce(w.html_url, repository.html_url || '/actions/runs/' || w.id) as html_url,
  actor.login as actor_login, actor.avatar_url as actor_avatar, actor.is_bot as actor_bot,
  cause.login as cause_login, cause.avatar_url as cause_avatar, cause.is_bot as cause_bot
from (select) one left join (
  page p join workflow_runs w on w.repo_id = :repo_id::int and w.id = p.id and w.created_at = p.created_at
  join repos repository on repository.id = w.repo_id
  left join accounts actor on actor.id = w.actor_id
  left join accounts cause on cause.id = w.triggering_actor_id) on true
order by w.created_at desc, w.id desc;

-- name: newest_runs
select w.id::float8, w.run_attempt, w.workflow_id::float8, w.workflow_name, w.run_number, w.event, w.status,
  w.conclusion, w.head_branch, w.head_sha, w.duration_ms::float8, w.job_wait_ms::float8, w.queue_wait_ms::float8,
  date_part('epoch', w.created_at) * 1000 as created_ms, date_part('epoch', w.run_started_at) * 1000 as started_ms,
  date_part('epoch', w.updated_at) * 1000 as updated_ms, date_part('epoch', w.completed_at) * 1000 as completed_ms,
  date_part('epoch', w.synced_at) * 1000 as synced_ms,
  coalesce(w.html_url, repository.html_url || '/actions/runs/' || w.id) as html_url,
  actor.login as actor_login, actor.avatar_url as actor_avatar, actor.is_bot as actor_bot,
  cause.login as cause_login, cause.avatar_url as cause_avatar, cause.is_bot as cause_bot
from (
  select * from workflow_runs
  where repo_id = :repo_id::int and created_at >= to_timestamp(:since::float8 / 1000)
    and (:workflow_id::bigint is null or workflow_id = :workflow_id)
    and (:status::text is null or status = :status)
    and (:conclusions::text[] is null or conclusion = any(:conclusions))
    and (:branch::text is null or head_branch = :branch and event not in ('pull_request', 'pull_request_target'))
  order by created_at desc, id desc limit :limit::int
) w
join repos repository on repository.id = w.repo_id
left join accounts actor on actor.id = w.actor_id
left join accounts cause on cause.id = w.triggering_actor_id
order by w.created_at desc, w.id desc, w.run_attempt;

-- name: all_attempts
select w.id::float8, w.run_attempt, w.workflow_id::float8, w.workflow_name, w.run_number, w.event, w.status,
  w.conclusion, w.head_branch, w.head_sha, w.duration_ms::float8, w.job_wait_ms::float8, w.queue_wait_ms::float8,
  date_part('epoch', w.created_at) * 1000 as created_ms, date_part('epoch', w.run_started_at) * 1000 as started_ms,
  date_part('epoch', w.updated_at) * 1000 as updated_ms, date_part('epoch', w.completed_at) * 1000 as completed_ms,
  date_part('epoch', w.synced_at) * 1000 as synced_ms,
  coalesce(w.html_url, repository.html_url || '/actions/runs/' || w.id) as html_url,
  actor.login as actor_login, actor.avatar_url as actor_avatar, actor.is_bot as actor_bot,
  cause.login as cause_login, cause.avatar_url as cause_avatar, cause.is_bot as cause_bot
from (
  select id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion, head_branch, head_sha,
    actor_id, triggering_actor_id, created_at, run_started_at, updated_at, html_url, repo_id, completed_at,
    duration_ms, job_wait_ms, queue_wait_ms, synced_at
  from workflow_runs where repo_id = :repo_id::int and created_at >= to_timestamp(:since::float8 / 1000)
  union all
  select id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion, head_branch, head_sha,
    actor_id, triggering_actor_id, created_at, run_started_at, updated_at, html_url, repo_id, completed_at,
    duration_ms, job_wait_ms, queue_wait_ms, synced_at
  from workflow_run_attempts where repo_id = :repo_id::int and created_at >= to_timestamp(:since::float8 / 1000)
  order by created_at desc, id desc, run_attempt limit :limit::int
) w
join repos repository on repository.id = w.repo_id
left join accounts actor on actor.id = w.actor_id
left join accounts cause on cause.id = w.triggering_actor_id
order by w.created_at desc, w.id desc, w.run_attempt;

-- name: attempts_by_workflow
with recursive known (id) as (
  select min(workflow_id) from workflow_runs where repo_id = :repo_id::int
  union all
  select (select min(workflow_id) from workflow_runs where repo_id = :repo_id::int and workflow_id > known.id)
  from known where known.id is not null
),
newest as materialized (
  select one.id, one.created_at from known cross join lateral (
    select id, created_at from workflow_runs
    where repo_id = :repo_id::int and workflow_id = known.id and created_at < to_timestamp(:before::float8 / 1000)
      and created_at >= to_timestamp(:from::float8 / 1000)
      and (:branch::text is null or head_branch = :branch and event not in ('pull_request', 'pull_request_target'))
    order by created_at desc, id desc limit :limit::int) one
)
select w.id::float8, w.run_attempt, w.workflow_id::float8, w.workflow_name, w.run_number, w.event, w.status,
  w.conclusion, w.head_branch, w.head_sha, w.duration_ms::float8, w.job_wait_ms::float8, w.queue_wait_ms::float8,
  date_part('epoch', w.created_at) * 1000 as created_ms, date_part('epoch', w.run_started_at) * 1000 as started_ms,
  date_part('epoch', w.updated_at) * 1000 as updated_ms, date_part('epoch', w.completed_at) * 1000 as completed_ms,
  date_part('epoch', w.synced_at) * 1000 as synced_ms,
  coalesce(w.html_url, repository.html_url || '/actions/runs/' || w.id) as html_url,
  actor.login as actor_login, actor.avatar_url as actor_avatar, actor.is_bot as actor_bot,
  cause.login as cause_login, cause.avatar_url as cause_avatar, cause.is_bot as cause_bot
from (
  select r.id, r.run_attempt, r.workflow_id, r.workflow_name, r.run_number, r.event, r.status, r.conclusion,
    r.head_branch, r.head_sha, r.actor_id, r.triggering_actor_id, r.created_at, r.run_started_at, r.updated_at,
    r.html_url, r.repo_id, r.completed_at, r.duration_ms, r.job_wait_ms, r.queue_wait_ms, r.synced_at
  from newest join workflow_runs r using (id, created_at) where r.repo_id = :repo_id::int
  union all
  select a.id, a.run_attempt, a.workflow_id, a.workflow_name, a.run_number, a.event, a.status, a.conclusion,
    a.head_branch, a.head_sha, a.actor_id, a.triggering_actor_id, a.created_at, a.run_started_at, a.updated_at,
    a.html_url, a.repo_id, a.completed_at, a.duration_ms, a.job_wait_ms, a.queue_wait_ms, a.synced_at
  from newest join workflow_run_attempts a using (id) where a.repo_id = :repo_id::int
) w
join repos repository on repository.id = w.repo_id
left join accounts actor on actor.id = w.actor_id
left join accounts cause on cause.id = w.triggering_actor_id
order by w.created_at desc, w.id desc, w.run_attempt;

-- name: superseded_attempts
select w.id::float8, w.run_attempt, w.workflow_id::float8, w.workflow_name, w.run_number, w.event, w.status,
  w.conclusion, w.head_branch, w.head_sha, w.duration_ms::float8, w.job_wait_ms::float8, w.queue_wait_ms::float8,
  date_part('epoch', w.created_at) * 1000 as created_ms, date_part('epoch', w.run_started_at) * 1000 as started_ms,
  date_part('epoch', w.updated_at) * 1000 as updated_ms, date_part('epoch', w.completed_at) * 1000 as completed_ms,
  date_part('epoch', w.synced_at) * 1000 as synced_ms,
  coalesce(w.html_url, repository.html_url || '/actions/runs/' || w.id) as html_url,
  actor.login as actor_login, actor.avatar_url as actor_avatar, actor.is_bot as actor_bot,
  cause.login as cause_login, cause.avatar_url as cause_avatar, cause.is_bot as cause_bot
from workflow_run_attempts w
join repos repository on repository.id = w.repo_id
left join accounts actor on actor.id = w.actor_id
left join accounts cause on cause.id = w.triggering_actor_id
where w.repo_id = :repo_id::int and w.id = any(:run_ids::bigint[])
order by w.created_at desc, w.id desc, w.run_attempt;

-- name: unfinished_runs
select w.id::float8, w.run_attempt, w.workflow_id::float8, w.workflow_name, w.run_number, w.event, w.status,
  w.conclusion, w.head_branch, w.head_sha, w.duration_ms::float8, w.job_wait_ms::float8, w.queue_wait_ms::float8,
  date_part('epoch', w.created_at) * 1000 as created_ms, date_part('epoch', w.run_started_at) * 1000 as started_ms,
  date_part('epoch', w.updated_at) * 1000 as updated_ms, date_part('epoch', w.completed_at) * 1000 as completed_ms,
  date_part('epoch', w.synced_at) * 1000 as synced_ms,
  coalesce(w.html_url, repository.html_url || '/actions/runs/' || w.id) as html_url,
  actor.login as actor_login, actor.avatar_url as actor_avatar, actor.is_bot as actor_bot,
  cause.login as cause_login, cause.avatar_url as cause_avatar, cause.is_bot as cause_bot
from (
  select * from workflow_runs
  where repo_id = :repo_id::int and status <> 'completed' and created_at >= to_timestamp(:since::float8 / 1000)
  order by synced_at limit :limit::int
) w
join repos repository on repository.id = w.repo_id
left join accounts actor on actor.id = w.actor_id
left join accounts cause on cause.id = w.triggering_actor_id
order by w.created_at desc, w.id desc, w.run_attempt;

-- name: successful_runs
-- They are looked for among the newest 1,000 runs of a workflow, because builds of pull requests may outnumber them.
select requested.repo_id,
  w.id::float8, w.run_attempt, w.workflow_id::float8, w.workflow_name, w.run_number, w.event, w.status,
  w.conclusion, w.head_branch, w.head_sha, w.duration_ms::float8, w.job_wait_ms::float8, w.queue_wait_ms::float8,
  date_part('epoch', w.created_at) * 1000 as created_ms, date_part('epoch', w.run_started_at) * 1000 as started_ms,
  date_part('epoch', w.updated_at) * 1000 as updated_ms, date_part('epoch', w.completed_at) * 1000 as completed_ms,
  date_part('epoch', w.synced_at) * 1000 as synced_ms,
  coalesce(w.html_url, repository.html_url || '/actions/runs/' || w.id) as html_url,
  actor.login as actor_login, actor.avatar_url as actor_avatar, actor.is_bot as actor_bot,
  cause.login as cause_login, cause.avatar_url as cause_avatar, cause.is_bot as cause_bot
from unnest(:repo_ids::int[], :branches::text[]) requested (repo_id, branch)
cross join lateral (
  with recursive known (id) as (
    select min(workflow_id) from workflow_runs where repo_id = requested.repo_id
    union all
    select (select min(workflow_id) from workflow_runs where repo_id = requested.repo_id and workflow_id > known.id)
    from known where known.id is not null
  )
  select id from known
  where exists (select from workflow_runs where repo_id = requested.repo_id and workflow_id = known.id
    and created_at >= to_timestamp(:active_since::float8 / 1000))
) workflow
cross join lateral (
  select * from (
    select * from workflow_runs where repo_id = requested.repo_id and workflow_id = workflow.id
    order by created_at desc limit 1000) newest
  where status = 'completed' and conclusion = 'success' and head_branch = requested.branch
    and event not in ('pull_request', 'pull_request_target')
  order by created_at desc, id desc limit :limit::int
) w
join repos repository on repository.id = w.repo_id
left join accounts actor on actor.id = w.actor_id
left join accounts cause on cause.id = w.triggering_actor_id;

-- name: missing_attempts
-- Earlier attempts of re-run runs that are not stored, or not as they ended.
select w.id::float8 as id, n as attempt
from workflow_runs w cross join generate_series(1, w.run_attempt - 1) n
where w.repo_id = :repo_id::int and w.created_at >= to_timestamp(:since::float8 / 1000) and w.run_attempt > 1
  and not exists (select from workflow_run_attempts a
    where a.repo_id = w.repo_id and a.id = w.id and a.run_attempt = n and a.status = 'completed')
order by w.created_at desc, w.id desc, n limit :limit::int;

-- name: attempts_without_costs
-- Attempts of completed runs whose jobs are not summed: of the newest run of each workflow, then of the second newest.
select attempt.id::float8 as "runId", attempt.run_attempt as attempt
from (
  select id, run_attempt, created_at,
    row_number() over (partition by workflow_id order by created_at desc, id desc) as place
  from workflow_runs
  where repo_id = :repo_id::int and created_at >= to_timestamp(:since::float8 / 1000) and status = 'completed'
) run cross join lateral (
  select run.id, run.run_attempt
  union all
  select a.id, a.run_attempt from workflow_run_attempts a
  where a.repo_id = :repo_id::int and a.id = run.id and a.run_attempt < run.run_attempt and a.status = 'completed'
) attempt
where not exists (
  select from attempt_costs cost
  where cost.run_id = attempt.id and cost.run_attempt = attempt.run_attempt and cost.part = 0)
order by run.place, run.created_at desc, attempt.id desc, attempt.run_attempt limit :limit::int;

-- name: active_repositories
select repository.id from unnest(:repo_ids::int[]) repository (id)
where exists (
  select from workflow_runs where repo_id = repository.id and created_at >= to_timestamp(:since::float8 / 1000));
