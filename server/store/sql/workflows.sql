-- What the runs of a window come to, by workflow and by day: counts, percentiles, flaky commits, and minutes of jobs.
--
-- SQL, because a window of an organization has runs by the hundred thousand and only their figures leave the database.
-- Each figure is what the metric of the same name says of the same runs: median_duration, p90_duration, failure_rate,
-- cancelled_share, queue_wait, flaky_rate, monthly_cost, wasted_monthly_cost; of the statements window_…, from which
-- periods are compared: scope_runs, success_rate, median_duration, p95_duration, p95_queue_wait.
-- Runs belong to the window that they were created in, by their latest attempt. :from and :to are epoch milliseconds,
-- both included. Runs are found by workflow_runs_by_creation, and the costs of each by their key.
-- Tests: tests/store/workflow-figures.test.ts, window-runs.test.ts, workflow-plans.test.ts. Bench: tests/bench/workflows.mjs.

-- name: workflow_figures
-- One row for each workflow, and one without a repository for all of them together. The ends of the 95 % intervals are
-- those percentiles that quantileInterval in server/metrics/kernel has: :percentiles are the whole ones, from 0 to 1.
with figures as (
  select repo_id, workflow_id, count(*) as runs, count(*) filter (where status = 'completed') as completed,
    count(*) filter (where status = 'completed' and conclusion = 'success') as passed,
    count(*) filter (where status = 'completed' and conclusion in ('failure', 'timed_out', 'startup_failure')) as failed,
    count(*) filter (where status = 'completed' and conclusion = 'cancelled') as cancelled,
    count(duration_ms) filter (where conclusion in ('success', 'failure', 'timed_out', 'startup_failure')) as timed,
    percentile_cont(:percentiles::float8[]) within group (order by duration_ms)
      filter (where conclusion in ('success', 'failure', 'timed_out', 'startup_failure')) as percentiles,
    coalesce(sum(duration_ms), 0) as run_time, count(duration_ms) as measured, count(queue_wait_ms) as waits,
    count(job_wait_ms) as job_waits,
    percentile_cont(:percentiles::float8[]) within group (order by queue_wait_ms) as wait_percentiles
  from workflow_runs
  where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
    and created_at <= to_timestamp(:to::float8 / 1000)
  group by grouping sets ((repo_id, workflow_id), ())
),
-- How many percent the rank of a median may lie from it, and that of a 90th percentile.
reach as (
  select *, 1.959963984540054::float8 * sqrt(0.25::float8 / nullif(timed, 0)) as of_median,
    1.959963984540054::float8 * sqrt(0.9::float8 * (1 - 0.9::float8) / nullif(timed, 0)) as of_p90,
    1.959963984540054::float8 * sqrt(0.25::float8 / nullif(waits, 0)) as of_wait
  from figures
)
select repo_id as "repoId", workflow_id::float8 as "workflowId", newest.workflow_name as workflow,
  runs::float8, completed::float8, passed::float8, failed::float8, cancelled::float8, timed::float8,
  percentiles[51] as "medianMs", percentiles[91] as "p90Ms", run_time::float8 as "runTimeMs", measured::float8,
  waits::float8, job_waits::float8 as "jobWaits", wait_percentiles[51] as "waitMs", wait_percentiles[91] as "waitP90Ms",
  percentiles[1 + floor(100 * (0.5::float8 - of_median))::int] as "medianLow",
  percentiles[1 + ceil(100 * (0.5::float8 + of_median))::int] as "medianHigh",
  percentiles[1 + floor(100 * (0.9::float8 - of_p90))::int] as "p90Low",
  percentiles[1 + ceil(100 * (0.9::float8 + of_p90))::int] as "p90High",
  wait_percentiles[1 + floor(100 * (0.5::float8 - of_wait))::int] as "waitLow",
  wait_percentiles[1 + ceil(100 * (0.5::float8 + of_wait))::int] as "waitHigh"
from reach left join lateral (
  select w.workflow_name from workflow_runs w
  where w.repo_id = reach.repo_id and w.workflow_id = reach.workflow_id and w.workflow_name is not null
  order by w.created_at desc limit 1
) newest on true;

-- name: workflow_days
-- Runs by the day of their creation in the zone; days without one are absent.
with runs as (
  select ((created_at at time zone :zone)::date)::text as date, status, conclusion, duration_ms, queue_wait_ms,
    status = 'completed' and conclusion in ('success', 'failure', 'timed_out', 'startup_failure') as is_conclusive
  from workflow_runs
  where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
    and created_at <= to_timestamp(:to::float8 / 1000)
    and (:workflow_id::bigint is null or workflow_id = :workflow_id::bigint)
)
select date, count(*) filter (where status = 'completed')::float8 as completed,
  count(duration_ms) filter (where is_conclusive)::float8 as timed,
  (percentile_cont(0.5) within group (order by duration_ms) filter (where is_conclusive)) as "medianMs",
  (percentile_cont(0.9) within group (order by duration_ms) filter (where is_conclusive)) as "p90Ms",
  count(*) filter (where is_conclusive and conclusion = 'success')::float8 as passed,
  count(*) filter (where is_conclusive and conclusion <> 'success')::float8 as failed,
  (percentile_cont(0.5) within group (order by queue_wait_ms)) as "waitMs",
  coalesce(sum(duration_ms), 0)::float8 as "runTimeMs"
from runs group by 1 order by 1;

-- name: workflow_flakiness
-- A commit is flaky where an attempt failed and one of the same event that began later passed. Of runs that were run again
-- and whose earlier attempts are not all stored, it is not known.
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
),
unread as (
  select repo_id, workflow_id, count(*) as runs
  from workflow_runs run
  where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
    and created_at <= to_timestamp(:to::float8 / 1000) and run_attempt > 1
    and run_attempt - 1 > (
      select count(*) from workflow_run_attempts earlier
      where earlier.id = run.id and earlier.repo_id = run.repo_id and earlier.run_attempt < run.run_attempt
        and earlier.status = 'completed')
  group by repo_id, workflow_id
)
select repo_id as "repoId", workflow_id::float8 as "workflowId", count(*)::float8 as commits,
  count(*) filter (where is_flaky)::float8 as flaky, coalesce(min(unread.runs), 0)::float8 as unread
from commits left join unread using (repo_id, workflow_id) group by repo_id, workflow_id;

-- name: workflow_costs
-- Minutes of completed runs, by kind of runner and time of a price, of those whose jobs are summed in attempt_costs for
-- every attempt: by workflow, and, without a repository, by day of creation in the zone and whether the repository is
-- public. Rows without jobs say how many runs completed on a day. Where no job was read, labels are null.
-- Waste is that of judgeAttempts in server/metrics/cost. Jobs that a re-run lists with their old times are left out, as
-- isCarriedOver in server/metrics/runs has it. :price_changes are the instants, in order, from which on other
-- prices hold, each the start of a UTC day.
with run as materialized (
  select repo_id, workflow_id, id, run_attempt as attempts, conclusion, head_branch, event, created_at, run_started_at,
    updated_at
  from workflow_runs
  where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
    and created_at <= to_timestamp(:to::float8 / 1000) and status = 'completed'
),
-- The attempts of runs that were run again.
attempt as materialized (
  select *, attempts as run_attempt from run where attempts > 1
  union all
  select run.repo_id, run.workflow_id, a.id, run.attempts, a.conclusion, run.head_branch, run.event, run.created_at,
    a.run_started_at, a.updated_at, a.run_attempt
  from run join workflow_run_attempts a
    on a.id = run.id and a.repo_id = run.repo_id and a.run_attempt < run.attempts and a.status = 'completed'
  where run.attempts > 1 and a.repo_id = any(:repo_ids::int[])
    and a.created_at >= to_timestamp(:from::float8 / 1000) and a.created_at <= to_timestamp(:to::float8 / 1000)
),
summed as (
  select attempt.id, max(run_attempt) filter (where conclusion = 'success') as last_pass
  from attempt join attempt_costs cost using (run_attempt)
  where cost.run_id = attempt.id and cost.part = 0
  group by attempt.id, attempt.attempts having count(*) = attempt.attempts
),
part as (
  select run.*, attempts as run_attempt, null::int as last_pass, cost.part, cost.labels, cost.runner_group,
    cost.started_at, cost.jobs, cost.untimed, cost.idle, cost.minutes, cost.has_begun, cost.ended_at
  from run join attempt_costs cost on cost.run_id = run.id and cost.run_attempt = 1
  where attempts = 1
  union all
  select attempt.*, summed.last_pass, cost.part, own.labels, own.runner_group, own.started_at, coalesce(own.jobs, 0),
    own.untimed, own.idle, own.minutes, coalesce(bool_or(own.has_begun) over (partition by id, cost.run_attempt), false),
    cost.ended_at
  from attempt join summed using (id)
  join attempt_costs cost on cost.run_id = attempt.id and cost.run_attempt = attempt.run_attempt
  left join lateral (
    select cost.labels, cost.runner_group, cost.started_at, cost.jobs, cost.untimed, cost.idle, cost.minutes,
      cost.has_begun
    where (cost.completed_at < attempt.run_started_at) is not true
  ) own on true
),
judged as (
  select *, coalesce(case
    when conclusion = 'cancelled' then not has_begun or exists (
      select from workflow_runs newer
      where newer.repo_id = part.repo_id and newer.workflow_id = part.workflow_id
        and newer.created_at between coalesce(part.run_started_at, part.created_at)
          and coalesce(part.ended_at, part.updated_at)
        and newer.head_branch = part.head_branch and newer.event = part.event and newer.id > part.id)
    when conclusion in ('failure', 'timed_out', 'startup_failure') then last_pass > run_attempt
    end, false) as is_wasted
  from part
),
-- By workflow and day first: what is grouped twice are then far fewer rows than there are runs.
daily as (
  select repo_id, workflow_id, date, is_wasted, labels, runner_group, prices, min(started_at) as started_at,
    count(*) filter (where part = 0 and run_attempt = attempts) as runs, sum(jobs) as jobs, sum(untimed) as untimed,
    sum(idle) as idle, sum(minutes) as minutes
  from (
    select *, (created_at at time zone :zone)::date as date,
      width_bucket(date_part('epoch', started_at) * 1000, :price_changes::float8[]) as prices
    from judged) placed
  group by repo_id, workflow_id, date, is_wasted, labels, runner_group, prices
),
groups as (
  select repo_id, workflow_id, date, is_public, is_wasted, labels, runner_group, min(started_at) as started_at,
    sum(runs) as runs, sum(jobs) as jobs, sum(untimed) as untimed, sum(idle) as idle, sum(minutes) as minutes
  from (select *, repo_id = any(:public_ids::int[]) as is_public from daily) one
  group by grouping sets (
    (repo_id, workflow_id, is_wasted, labels, runner_group, prices),
    (date, is_public, is_wasted, labels, runner_group, prices))
)
select repo_id as "repoId", workflow_id::float8 as "workflowId", date::text, is_public as "isPublic", runs::float8,
  is_wasted as "isWasted", labels, runner_group as "runnerGroup",
  round(date_part('epoch', started_at) * 1000) as "startedAt", jobs::float8, untimed::float8, idle::float8,
  minutes::float8
from groups
union all
select null, null, (created_at at time zone :zone)::date::text, null, count(*)::float8, null, null, null, null, null,
  null, null, null
from run group by 3;

-- name: stored_windows
-- Of each repository from when on and up to when all runs are stored, as runs_known_from; absent where none were ever
-- read.
select repo_id as "repoId", round(date_part('epoch', greatest(kept_from, reached)) * 1000) as from,
  round(date_part('epoch', through) * 1000) as to
from rollup_zone, (
  select repo_id, case when begun then to_timestamp((resume->>'readDownTo')::float8 / 1000) else backfilled_to end as reached,
    case when begun then to_timestamp((resume->>'through')::float8 / 1000) else synced_through end as through
  from (
    select *, coalesce(resume->>'kind' = 'forward'
      and (resume->>'readDownTo')::float8 <= (resume->>'through')::float8, false) as begun
    from sync_cursors where repo_id = any(:repo_ids::int[]) and kind = 'runs'
  ) one
) cursor
where reached is not null and through is not null;

-- name: runs_of_window
-- Their latest attempts, newest first, with the columns of every run in runs.sql.
select w.repo_id, w.id::float8, w.run_attempt, w.workflow_id::float8, w.workflow_name, w.run_number, w.event, w.status,
  w.conclusion, w.head_branch, w.head_sha, w.duration_ms::float8, w.job_wait_ms::float8, w.queue_wait_ms::float8,
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
    and (:workflow_id::bigint is null or workflow_id = :workflow_id::bigint)
  order by created_at desc, id desc limit :limit::int
) w
join repos repository on repository.id = w.repo_id
left join accounts actor on actor.id = w.actor_id
left join accounts cause on cause.id = w.triggering_actor_id
order by w.created_at desc, w.id desc;

-- name: window_outcomes
-- Runs of a window by the 24 hours from its begin on that they were created in, the first of them 0; the last of :days has
-- what is left of the window.
select least(floor(date_part('epoch', created_at - to_timestamp(:from::float8 / 1000)) / 86400)::int, :days::int - 1) as day,
  count(*)::float8 as runs, count(*) filter (where status = 'completed' and conclusion = 'success')::float8 as passed,
  count(*) filter (where status = 'completed' and conclusion in ('failure', 'timed_out', 'startup_failure'))::float8
    as failed
from workflow_runs
where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
  and created_at <= to_timestamp(:to::float8 / 1000)
group by 1 order by 1;

-- name: window_durations
-- Each duration of the runs that passed or failed, and how many of them took as long: GitHub counts seconds, so that of a
-- million runs some thousand are distinct.
select duration_ms::float8 as value, count(*)::float8 as count
from workflow_runs
where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
  and created_at <= to_timestamp(:to::float8 / 1000)
  and status = 'completed' and conclusion in ('success', 'failure', 'timed_out', 'startup_failure')
  and duration_ms is not null
group by duration_ms;

-- name: window_waits
-- The same of the waits for a runner, of runs with any outcome. Where jobs of a repository are read, of those runs alone
-- whose jobs tell the wait: the others tell next to nothing, and periods would differ by how many of them they have.
with waits as (
  select case when repo_id in (select repo_id from job_readings) then job_wait_ms else queue_wait_ms end as wait_ms
  from workflow_runs
  where repo_id = any(:repo_ids::int[]) and created_at >= to_timestamp(:from::float8 / 1000)
    and created_at <= to_timestamp(:to::float8 / 1000)
)
select wait_ms::float8 as value, count(*)::float8 as count from waits where wait_ms is not null group by wait_ms;

-- name: longest_passing_jobs
-- The longest passing job of each workflow and name, of all that is stored of a repository.
select run.workflow_id::float8 as "workflowId", job.name,
  extract(epoch from max(job.completed_at - job.started_at))::float8 / 60 as minutes
from workflow_runs run join workflow_jobs job on job.run_id = run.id
where run.repo_id = :repo_id::int and job.conclusion = 'success' and job.completed_at >= job.started_at
group by run.workflow_id, job.name;
