-- What the runs of a window come to, by workflow and by day: counts, percentiles, flaky commits, and minutes of jobs.
--
-- SQL, because a window of an organization has runs by the hundred thousand and only their figures leave the database.
-- Each figure is what the metric of the same name says of the same runs: median_duration, p90_duration, failure_rate,
-- cancelled_share, average_queue_wait, flaky_rate, monthly_cost, wasted_monthly_cost.
-- Runs belong to the window that they were created in, by their latest attempt. :from and :to are epoch milliseconds,
-- both included. Runs are found by workflow_runs_by_creation, and the jobs of each by workflow_jobs_by_run.
-- Tests: tests/store/workflow-figures.test.ts, workflow-plans.test.ts. Bench: tests/bench/workflows.mjs.

-- name: workflow_figures
-- One row for each workflow, and one without a repository for all of them together.
with figures as (
  select repo_id, workflow_id, count(*) as runs, count(*) filter (where status = 'completed') as completed,
    count(*) filter (where status = 'completed' and conclusion = 'success') as passed,
    count(*) filter (where status = 'completed' and conclusion in ('failure', 'timed_out', 'startup_failure')) as failed,
    count(*) filter (where status = 'completed' and conclusion = 'cancelled') as cancelled,
    count(duration_ms) filter (where conclusion in ('success', 'failure', 'timed_out', 'startup_failure')) as timed,
    percentile_cont(array[0.5, 0.9]) within group (order by duration_ms)
      filter (where conclusion in ('success', 'failure', 'timed_out', 'startup_failure')) as percentiles,
    coalesce(sum(duration_ms), 0) as run_time, count(queue_wait_ms) as waits, coalesce(sum(queue_wait_ms), 0) as waited
  from workflow_runs
  where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
    and created_at <= to_timestamp(:to::float8 / 1000)
  group by grouping sets ((repo_id, workflow_id), ())
)
select repo_id as "repoId", workflow_id::float8 as "workflowId", newest.workflow_name as workflow,
  runs::float8, completed::float8, passed::float8, failed::float8, cancelled::float8, timed::float8,
  percentiles[1] as "medianMs", percentiles[2] as "p90Ms", run_time::float8 as "runTimeMs",
  waits::float8, waited::float8 as "waitMs"
from figures left join lateral (
  select w.workflow_name from workflow_runs w
  where w.repo_id = figures.repo_id and w.workflow_id = figures.workflow_id and w.workflow_name is not null
  order by w.created_at desc limit 1
) newest on true;

-- name: workflow_days
-- Runs that passed or failed, by the day of their creation in the zone; days without one are absent.
select ((created_at at time zone :zone)::date)::text as date, count(duration_ms)::float8 as timed,
  (percentile_cont(0.5) within group (order by duration_ms)) as "medianMs",
  (percentile_cont(0.9) within group (order by duration_ms)) as "p90Ms"
from workflow_runs
where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
  and created_at <= to_timestamp(:to::float8 / 1000)
  and status = 'completed' and conclusion in ('success', 'failure', 'timed_out', 'startup_failure')
group by 1 order by 1;

-- name: workflow_flakiness
-- A commit is flaky where an attempt failed and one of the same event that began later passed.
with attempts as (
  select repo_id, workflow_id, head_sha, event, conclusion = 'success' as passed,
    array[date_part('epoch', coalesce(run_started_at, created_at)), id, run_attempt]::float8[] as place
  from workflow_runs
  where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
    and created_at <= to_timestamp(:to::float8 / 1000)
    and status = 'completed' and conclusion in ('success', 'failure', 'timed_out', 'startup_failure')
  union all
  select repo_id, workflow_id, head_sha, event, conclusion = 'success',
    array[date_part('epoch', coalesce(run_started_at, created_at)), id, run_attempt]::float8[]
  from workflow_run_attempts
  where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
    and created_at <= to_timestamp(:to::float8 / 1000)
    and status = 'completed' and conclusion in ('success', 'failure', 'timed_out', 'startup_failure')
),
events as (
  select repo_id, workflow_id, head_sha,
    min(place) filter (where not passed) < max(place) filter (where passed) as is_flaky
  from attempts group by repo_id, workflow_id, head_sha, event
),
commits as (
  select repo_id, workflow_id, head_sha, bool_or(is_flaky) as is_flaky
  from events group by repo_id, workflow_id, head_sha
)
select repo_id as "repoId", workflow_id::float8 as "workflowId", count(*)::float8 as commits,
  count(*) filter (where is_flaky)::float8 as flaky
from commits group by repo_id, workflow_id;

-- name: workflow_jobs
-- Jobs of completed runs, by workflow, kind of runner and time of a price, where all jobs of all attempts are stored:
-- as many as were read, or as events brought. A workflow without such runs is absent; one without jobs has a row
-- without labels. Minutes and waste are those of billedMinutes and judgeAttempts in server/metrics/cost.
-- :price_changes are the instants, in order, from which on other prices hold.
with run as materialized (
  select repo_id, workflow_id, id, run_attempt, run_attempt as attempts, conclusion, head_branch, event, created_at,
    run_started_at, updated_at
  from workflow_runs
  where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
    and created_at <= to_timestamp(:to::float8 / 1000) and status = 'completed'
),
attempt as materialized (
  select * from run
  union all
  select run.repo_id, run.workflow_id, a.id, a.run_attempt, run.attempts, a.conclusion, run.head_branch, run.event,
    run.created_at, a.run_started_at, a.updated_at
  from run join workflow_run_attempts a
    on a.id = run.id and a.repo_id = run.repo_id and a.run_attempt < run.attempts and a.status = 'completed'
  where run.attempts > 1 and a.repo_id = any(:repo_ids::int[])
    and a.created_at >= to_timestamp(:from::float8 / 1000) and a.created_at <= to_timestamp(:to::float8 / 1000)
),
job as materialized (
  select attempt.id, attempt.run_attempt, j.*
  from attempt cross join lateral (
    select labels, runner_group, started_at, completed_at, status, detail, is_taken,
      case when status <> 'completed' then null when not is_taken then 0
        when completed_at >= started_at then ceil(extract(epoch from completed_at - started_at) / 60) end as minutes
    from (
      select labels, runner_group, started_at, completed_at, status, detail,
        conclusion is distinct from 'skipped' and (conclusion is distinct from 'cancelled'
          or runner_name is not null or jsonb_array_length(steps) > 0) as is_taken
      from workflow_jobs where run_id = attempt.id and run_attempt = attempt.run_attempt offset 0) one
  ) j
),
stored as (
  select id, run_attempt, count(*) as jobs, bool_and(detail = 'full') as is_full,
    bool_and(status = 'completed') as is_over, bool_or(is_taken and started_at is not null) as has_begun,
    case when count(completed_at) = count(*) then max(completed_at) end as ended_at
  from job group by id, run_attempt
),
known as (
  select attempt.*, coalesce(has_begun, false) as has_begun, coalesce(ended_at, updated_at) as ended_at,
    count(*) over one as known_attempts, max(attempt.run_attempt) filter (where conclusion = 'success') over one as last_pass
  from attempt left join stored using (id, run_attempt)
  left join job_readings reading on reading.run_id = attempt.id and reading.run_attempt = attempt.run_attempt
  where case when reading.run_id is null then is_full and is_over
    else coalesce(is_full, true) and reading.jobs = coalesce(stored.jobs, 0) end
  window one as (partition by id)
),
judged as materialized (
  select repo_id, workflow_id, id, run_attempt, coalesce(case
    when conclusion = 'cancelled' then not has_begun or exists (
      select from workflow_runs newer
      where newer.repo_id = known.repo_id and newer.workflow_id = known.workflow_id
        and newer.created_at between coalesce(known.run_started_at, known.created_at) and known.ended_at
        and newer.head_branch = known.head_branch and newer.event = known.event and newer.id > known.id)
    when conclusion in ('failure', 'timed_out', 'startup_failure') then last_pass > run_attempt
    end, false) as is_wasted
  from known where known_attempts = attempts
),
runs as (select repo_id, workflow_id, count(distinct id) as runs from judged group by repo_id, workflow_id),
groups as (
  select repo_id, workflow_id, is_wasted, labels, runner_group, min(started_at) as started_at, count(*) as jobs,
    count(*) filter (where minutes is null) as untimed, count(*) filter (where minutes = 0) as idle,
    coalesce(sum(minutes), 0) as minutes
  from judged join job using (id, run_attempt)
  group by repo_id, workflow_id, is_wasted, labels, runner_group,
    width_bucket(date_part('epoch', started_at) * 1000, :price_changes::float8[])
)
select repo_id as "repoId", workflow_id::float8 as "workflowId", runs.runs::float8, is_wasted as "isWasted", labels,
  runner_group as "runnerGroup", round(date_part('epoch', started_at) * 1000) as "startedAt", jobs::float8,
  untimed::float8, idle::float8, minutes::float8
from runs left join groups using (repo_id, workflow_id);

-- name: runs_stored_from
-- Of each repository from when on all runs are stored, as runs_known_from; absent where none were ever read.
select repo_id as "repoId", round(date_part('epoch', greatest(kept_from, reached)) * 1000) as from
from rollup_zone, (
  select repo_id, case when resume->>'kind' = 'forward' and (resume->>'readDownTo')::float8 <= (resume->>'through')::float8
    then to_timestamp((resume->>'readDownTo')::float8 / 1000) else backfilled_to end as reached
  from sync_cursors where repo_id = any(:repo_ids::int[]) and kind = 'runs'
) cursor
where reached is not null;

-- name: runs_of_window
-- Their latest attempts, newest first, with the columns of every run in runs.sql.
select w.repo_id, w.id::float8, w.run_attempt, w.workflow_id::float8, w.workflow_name, w.run_number, w.event, w.status,
  w.conclusion, w.head_branch, w.head_sha, w.duration_ms::float8, w.queue_wait_ms::float8,
  date_part('epoch', w.created_at) * 1000 as created_ms, date_part('epoch', w.run_started_at) * 1000 as started_ms,
  date_part('epoch', w.updated_at) * 1000 as updated_ms, date_part('epoch', w.completed_at) * 1000 as completed_ms,
  date_part('epoch', w.synced_at) * 1000 as synced_ms,
  coalesce(w.html_url, repository.html_url || '/actions/runs/' || w.id) as html_url,
  actor.login as actor_login, actor.avatar_url as actor_avatar, actor.is_bot as actor_bot,
  cause.login as cause_login, cause.avatar_url as cause_avatar, cause.is_bot as cause_bot
from (
  select * from workflow_runs
  where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
    and created_at <= to_timestamp(:to::float8 / 1000)
  order by created_at desc, id desc limit :limit::int
) w
join repos repository on repository.id = w.repo_id
left join accounts actor on actor.id = w.actor_id
left join accounts cause on cause.id = w.triggering_actor_id
order by w.created_at desc, w.id desc;
