-- Counts of runs by day or quarter, from rollups and, where these are behind, from the runs.
--
-- SQL, because millions of runs are summed where they are. Every statement is exact at every instant. Those without
-- `_from_runs` return nothing where days are divided by another time zone than :zone; the others then count every day anew,
-- as far as runs are stored, and take older days as they were counted then.
-- A run belongs to the day of its creation, at the earliest to `sealed_before`. The bounds on `created_at` are for the
-- index, and wide, because a day may begin with an hour that comes twice.
-- `steps` counts durations in steps of 5 %, so that days can be merged: one number with eight decimal digits for each
-- step, the lowest at the end. Sums and differences of such numbers are those of the histograms. duration-steps.ts takes
-- quantiles from it; the middle of a step is at most 2.5 % off.
-- Tests: tests/store/trends.test.ts, duration-steps.test.ts, org-days.test.ts, purged-days.test.ts. Bench: tests/bench/trends.mjs.

-- name: repository_days
-- Each day of each repository for itself.
with requested as materialized (
  select id from unnest(:repo_ids::int[]) id where (select zone from rollup_zone) = :zone
),
dirty as materialized (
  select distinct repo_id, day from dirty_day
  where repo_id = any(array(select id from requested)) and day between :from_day::date and :to_day::date
),
live_runs as (
  select d.repo_id, d.day, w.conclusion, w.duration_ms, w.queue_wait_ms
  from dirty d join workflow_runs w on w.repo_id = d.repo_id
    and w.created_at >= case when d.day > (select sealed_before from rollup_zone)
      then greatest(d.day::timestamp at time zone :zone - interval '3 hours', (select kept_from from rollup_zone))
      else (select kept_from from rollup_zone) end
    and w.created_at < (d.day + 1)::timestamp at time zone :zone + interval '3 hours'
    and greatest((w.created_at at time zone :zone)::date, (select sealed_before from rollup_zone)) = d.day
)
select repo_id, day::text as period, total::float8, success::float8, (failure + timed_out + startup_failure)::float8 as failure,
  cancelled::float8, duration_n::float8, duration_sum::float8, queue_n::float8, queue_sum::float8, p95_ms::float8,
  case when :with_steps::boolean then steps end::text as steps
from repo_day r
where r.repo_id = any(array(select id from requested)) and r.day between :from_day::date and :to_day::date
  and not exists (select from dirty d where d.repo_id = r.repo_id and d.day = r.day)
union all
select repo_id, day::text, count(*)::float8, count(*) filter (where conclusion = 'success')::float8,
  count(*) filter (where conclusion in ('failure', 'timed_out', 'startup_failure'))::float8,
  count(*) filter (where conclusion = 'cancelled')::float8,
  count(*) filter (where duration_ms > 0)::float8,
  coalesce(sum(duration_ms) filter (where duration_ms > 0), 0)::float8,
  count(queue_wait_ms)::float8, coalesce(sum(queue_wait_ms), 0)::float8,
  round(percentile_cont(0.95) within group (order by duration_ms) filter (where duration_ms > 0))::float8,
  (sum(('1e' || 8 * floor(ln(duration_ms) / ln(1.05)))::numeric) filter (where :with_steps::boolean and duration_ms > 0))::text
from live_runs group by repo_id, day
order by period;

-- name: repository_days_from_runs
with live_runs as (
  select w.repo_id, greatest((w.created_at at time zone :zone)::date, (select sealed_before from rollup_zone)) as day,
    w.conclusion, w.duration_ms, w.queue_wait_ms
  from workflow_runs w where w.repo_id = any(:repo_ids::int[])
    and w.created_at >= case when :from_day::date > (select sealed_before from rollup_zone)
      then greatest(:from_day::date::timestamp at time zone :zone - interval '3 hours',
        (select kept_from from rollup_zone))
      else (select kept_from from rollup_zone) end
    and w.created_at < (:to_day::date + 1)::timestamp at time zone :zone + interval '3 hours'
    and greatest((w.created_at at time zone :zone)::date, (select sealed_before from rollup_zone))
      between :from_day::date and :to_day::date
)
select repo_id, day::text as period, total::float8, success::float8, (failure + timed_out + startup_failure)::float8 as failure,
  cancelled::float8, duration_n::float8, duration_sum::float8, queue_n::float8, queue_sum::float8, p95_ms::float8,
  case when :with_steps::boolean then steps end::text as steps
from repo_day
where repo_id = any(:repo_ids::int[]) and day between :from_day::date and :to_day::date
  and day < (select sealed_before from rollup_zone)
union all
select repo_id, day::text, count(*)::float8, count(*) filter (where conclusion = 'success')::float8,
  count(*) filter (where conclusion in ('failure', 'timed_out', 'startup_failure'))::float8,
  count(*) filter (where conclusion = 'cancelled')::float8,
  count(*) filter (where duration_ms > 0)::float8,
  coalesce(sum(duration_ms) filter (where duration_ms > 0), 0)::float8,
  count(queue_wait_ms)::float8, coalesce(sum(queue_wait_ms), 0)::float8,
  round(percentile_cont(0.95) within group (order by duration_ms) filter (where duration_ms > 0))::float8,
  (sum(('1e' || 8 * floor(ln(duration_ms) / ln(1.05)))::numeric) filter (where :with_steps::boolean and duration_ms > 0))::text
from live_runs group by repo_id, day
order by period;

-- name: periods
-- Where it is less to read, the days of the whole owner, less those of its members that were not requested; otherwise
-- there is no `member`. Days that are behind are taken off and counted from their runs. Sums are floats, because they
-- add up faster than large integers, and exactly below 2^53. :period is 'day' or 'quarter'.
with requested as materialized (
  select id from unnest(:repo_ids::int[]) id where (select zone from rollup_zone) = :zone
),
dirty as materialized (
  select distinct repo_id, day from dirty_day
  where repo_id = any(array(select id from requested)) and day between :from_day::date and :to_day::date
),
live_runs as (
  select d.day, w.conclusion, w.duration_ms, w.queue_wait_ms
  from dirty d join workflow_runs w on w.repo_id = d.repo_id
    and w.created_at >= case when d.day > (select sealed_before from rollup_zone)
      then greatest(d.day::timestamp at time zone :zone - interval '3 hours', (select kept_from from rollup_zone))
      else (select kept_from from rollup_zone) end
    and w.created_at < (d.day + 1)::timestamp at time zone :zone + interval '3 hours'
    and greatest((w.created_at at time zone :zone)::date, (select sealed_before from rollup_zone)) = d.day
),
sibling as materialized (
  select repo_id, owner_key, repo_id in (select id from requested) as requested from org_member
  where owner_key = (select owner_key from org_member where repo_id = any(array(select id from requested)) limit 1)
),
member as materialized (
  select * from sibling where (
    select count(*) filter (where not requested) * (:to_day::date - :from_day::date + 1) + (select count(*) from dirty)
      < count(*) filter (where requested) * (:to_day::date - :from_day::date + 1) from sibling)
),
parts as (
  select day, total, success, failure + timed_out + startup_failure as failure, cancelled,
    duration_n, duration_sum, queue_n, queue_sum, steps
  from org_day
  where owner_key = (select owner_key from member limit 1) and day between :from_day::date and :to_day::date
  union all
  select day, -total, -success, -(failure + timed_out + startup_failure), -cancelled,
    -duration_n, -duration_sum, -queue_n, -queue_sum, -steps
  from repo_day
  where repo_id = any(array(select repo_id from member where not requested))
    and day between :from_day::date and :to_day::date
  union all
  select day, total, success, failure + timed_out + startup_failure, cancelled,
    duration_n, duration_sum, queue_n, queue_sum, steps
  from repo_day
  where repo_id = any(array(select id from requested except select repo_id from member))
    and day between :from_day::date and :to_day::date
  union all
  select day, -total, -success, -(failure + timed_out + startup_failure), -cancelled,
    -duration_n, -duration_sum, -queue_n, -queue_sum, -steps
  from dirty join repo_day using (repo_id, day)
  union all
  select day, count(*)::int, count(*) filter (where conclusion = 'success')::int,
    count(*) filter (where conclusion in ('failure', 'timed_out', 'startup_failure'))::int,
    count(*) filter (where conclusion = 'cancelled')::int,
    count(*) filter (where duration_ms > 0)::int, coalesce(sum(duration_ms) filter (where duration_ms > 0), 0)::bigint,
    count(queue_wait_ms)::int, coalesce(sum(queue_wait_ms), 0)::bigint,
    sum(('1e' || 8 * floor(ln(duration_ms) / ln(1.05)))::numeric) filter (where duration_ms > 0)
  from live_runs group by day
)
select period::text, total, success, failure, cancelled, duration_n, duration_sum, queue_n, queue_sum, steps::text
from (
  select case :period::text when 'day' then day else date_trunc(:period, day::timestamp)::date end as period,
    sum(total::float8) as total, sum(success::float8) as success, sum(failure::float8) as failure,
    sum(cancelled::float8) as cancelled, sum(duration_n::float8) as duration_n,
    sum(duration_sum::float8) as duration_sum, sum(queue_n::float8) as queue_n, sum(queue_sum::float8) as queue_sum,
    sum(steps) as steps
  from parts group by 1 having sum(total::float8) > 0
) counts
order by period;

-- name: periods_from_runs
with live_runs as (
  select greatest((w.created_at at time zone :zone)::date, (select sealed_before from rollup_zone)) as day,
    w.conclusion, w.duration_ms, w.queue_wait_ms
  from workflow_runs w where w.repo_id = any(:repo_ids::int[])
    and w.created_at >= case when :from_day::date > (select sealed_before from rollup_zone)
      then greatest(:from_day::date::timestamp at time zone :zone - interval '3 hours',
        (select kept_from from rollup_zone))
      else (select kept_from from rollup_zone) end
    and w.created_at < (:to_day::date + 1)::timestamp at time zone :zone + interval '3 hours'
    and greatest((w.created_at at time zone :zone)::date, (select sealed_before from rollup_zone))
      between :from_day::date and :to_day::date
),
parts as (
  select day, total, success, failure + timed_out + startup_failure as failure, cancelled,
    duration_n, duration_sum, queue_n, queue_sum, steps
  from repo_day
  where repo_id = any(:repo_ids::int[]) and day between :from_day::date and :to_day::date
    and day < (select sealed_before from rollup_zone)
  union all
  select day, count(*)::int, count(*) filter (where conclusion = 'success')::int,
    count(*) filter (where conclusion in ('failure', 'timed_out', 'startup_failure'))::int,
    count(*) filter (where conclusion = 'cancelled')::int,
    count(*) filter (where duration_ms > 0)::int, coalesce(sum(duration_ms) filter (where duration_ms > 0), 0)::bigint,
    count(queue_wait_ms)::int, coalesce(sum(queue_wait_ms), 0)::bigint,
    sum(('1e' || 8 * floor(ln(duration_ms) / ln(1.05)))::numeric) filter (where duration_ms > 0)
  from live_runs group by day
)
select period::text, total, success, failure, cancelled, duration_n, duration_sum, queue_n, queue_sum, steps::text
from (
  select case :period::text when 'day' then day else date_trunc(:period, day::timestamp)::date end as period,
    sum(total::float8) as total, sum(success::float8) as success, sum(failure::float8) as failure,
    sum(cancelled::float8) as cancelled, sum(duration_n::float8) as duration_n,
    sum(duration_sum::float8) as duration_sum, sum(queue_n::float8) as queue_n, sum(queue_sum::float8) as queue_sum,
    sum(steps) as steps
  from parts group by 1 having sum(total::float8) > 0
) counts
order by period;

-- name: coverage
-- Of a repository that was created later than its reading reaches back, everything is known.
select round(date_part('epoch', min(c.synced_through)) * 1000) as synced_through,
  round(date_part('epoch', min(least(known.first_run_at,
    (select min(w.created_at) from workflow_runs w where w.repo_id = requested.id)))) * 1000) as first_run_at,
  round(date_part('epoch', min(reached)) * 1000) as some_known_from,
  round(date_part('epoch', max(reached) filter (
    where known.codehost_created_at is null or known.codehost_created_at < reached)) * 1000) as all_known_from,
  coalesce(bool_or(c.synced_through is null or c.resume is not null), true) as partial
from unnest(:repo_ids::int[]) as requested (id)
left join repos known on known.id = requested.id
left join sync_cursors c on c.repo_id = requested.id and c.kind = 'runs'
cross join lateral (
  -- A backfill that waits for a forward pass to end has come as far as before.
  select least(c.backfilled_to, case when pass->>'kind' = 'backfill' and c.backfilled_to is not null
    then to_timestamp((pass->>'readDownTo')::float8 / 1000) end) as reached
  from (select case when c.resume->>'kind' = 'backfill' then c.resume else c.resume->'afterwards' end as pass) backfill
) reading;
