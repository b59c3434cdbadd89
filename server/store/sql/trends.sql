-- Counts of runs by day or quarter, from rollups and, where these are behind, from the runs.
--
-- SQL, because millions of runs are summed where they are. Every statement is exact at every instant. Those without
-- `_from_runs` return nothing where days are divided by another time zone than :zone; the others then count every day anew,
-- as far as runs are stored, and take older days as they were counted then.
-- A run belongs to the day of its creation, at the earliest to `sealed_before`. The bounds on `created_at` are for the
-- index, and wide, because a day may begin with an hour that comes twice.
-- Durations are counted in steps of 5 %, so that days can be merged; the middle of a step is at most 2.5 % off.
-- `hist_b` and `hist_n` are those steps and how many runs lie in each, from which duration-steps.ts takes quantiles.
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
),
live_steps as (
  select repo_id, day, array_agg(b order by b) as hist_b, array_agg(n order by b) as hist_n
  from (
    select repo_id, day, floor(ln(duration_ms) / ln(1.05))::smallint as b, count(*)::int as n
    from live_runs where :with_steps::boolean and duration_ms > 0 group by 1, 2, 3
  ) one
  group by 1, 2
)
select repo_id, day::text as period, total::float8, success::float8, (failure + timed_out + startup_failure)::float8 as failure,
  cancelled::float8, duration_n::float8, duration_sum::float8, queue_n::float8, queue_sum::float8, p95_ms::float8,
  case when :with_steps::boolean then hist_b end as hist_b, case when :with_steps::boolean then hist_n end as hist_n
from repo_day r
where r.repo_id = any(array(select id from requested)) and r.day between :from_day::date and :to_day::date
  and not exists (select from dirty d where d.repo_id = r.repo_id and d.day = r.day)
union all
select c.*, hist_b, hist_n
from (
  select repo_id, day::text as period, count(*)::float8, count(*) filter (where conclusion = 'success')::float8,
    count(*) filter (where conclusion in ('failure', 'timed_out', 'startup_failure'))::float8,
    count(*) filter (where conclusion = 'cancelled')::float8,
    count(*) filter (where duration_ms > 0)::float8,
    coalesce(sum(duration_ms) filter (where duration_ms > 0), 0)::float8,
    count(queue_wait_ms)::float8, coalesce(sum(queue_wait_ms), 0)::float8,
    round(percentile_cont(0.95) within group (order by duration_ms) filter (where duration_ms > 0))::float8
  from live_runs group by repo_id, day
) c left join live_steps s on s.repo_id = c.repo_id and s.day = c.period::date
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
),
live_steps as (
  select repo_id, day, array_agg(b order by b) as hist_b, array_agg(n order by b) as hist_n
  from (
    select repo_id, day, floor(ln(duration_ms) / ln(1.05))::smallint as b, count(*)::int as n
    from live_runs where :with_steps::boolean and duration_ms > 0 group by 1, 2, 3
  ) one
  group by 1, 2
)
select repo_id, day::text as period, total::float8, success::float8, (failure + timed_out + startup_failure)::float8 as failure,
  cancelled::float8, duration_n::float8, duration_sum::float8, queue_n::float8, queue_sum::float8, p95_ms::float8,
  case when :with_steps::boolean then hist_b end as hist_b, case when :with_steps::boolean then hist_n end as hist_n
from repo_day
where repo_id = any(:repo_ids::int[]) and day between :from_day::date and :to_day::date
  and day < (select sealed_before from rollup_zone)
union all
select c.*, hist_b, hist_n
from (
  select repo_id, day::text as period, count(*)::float8, count(*) filter (where conclusion = 'success')::float8,
    count(*) filter (where conclusion in ('failure', 'timed_out', 'startup_failure'))::float8,
    count(*) filter (where conclusion = 'cancelled')::float8,
    count(*) filter (where duration_ms > 0)::float8,
    coalesce(sum(duration_ms) filter (where duration_ms > 0), 0)::float8,
    count(queue_wait_ms)::float8, coalesce(sum(queue_wait_ms), 0)::float8,
    round(percentile_cont(0.95) within group (order by duration_ms) filter (where duration_ms > 0))::float8
  from live_runs group by repo_id, day
) c left join live_steps s on s.repo_id = c.repo_id and s.day = c.period::date
order by period;

-- name: periods
-- Where it is less to read, the days of the whole owner, less those of its members that were not requested or are
-- behind; otherwise there is no `member`. Sums are floats, because they add up faster than large integers, and exactly
-- below 2^53. :period is 'day' or 'quarter'.
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
parts as materialized (
  select 1 as sign, day, total, success, failure, timed_out, startup_failure, cancelled,
    duration_n, duration_sum, queue_n, queue_sum, hist_b, hist_n, p95_ms
  from org_day
  where owner_key = (select owner_key from member limit 1) and day between :from_day::date and :to_day::date
  union all
  select -1, day, total, success, failure, timed_out, startup_failure, cancelled,
    duration_n, duration_sum, queue_n, queue_sum, hist_b, hist_n, null
  from repo_day
  where repo_id = any(array(select repo_id from member where not requested))
    and day between :from_day::date and :to_day::date
  union all
  select -1, day, total, success, failure, timed_out, startup_failure, cancelled,
    duration_n, duration_sum, queue_n, queue_sum, hist_b, hist_n, null
  from dirty join repo_day using (repo_id, day)
  where repo_id in (select repo_id from member)
  union all
  select 1, day, total, success, failure, timed_out, startup_failure, cancelled,
    duration_n, duration_sum, queue_n, queue_sum, hist_b, hist_n, null
  from repo_day r
  where r.repo_id = any(array(select id from requested except select repo_id from member))
    and r.day between :from_day::date and :to_day::date
    and not exists (select from dirty d where d.repo_id = r.repo_id and d.day = r.day)
),
live_steps as materialized (
  select day, case when duration_ms > 0 then floor(ln(duration_ms) / ln(1.05))::smallint end as b, count(*) as total,
    count(*) filter (where conclusion = 'success') as success,
    count(*) filter (where conclusion in ('failure', 'timed_out', 'startup_failure')) as failure,
    count(*) filter (where conclusion = 'cancelled') as cancelled,
    count(*) filter (where duration_ms > 0) as duration_n,
    coalesce(sum(duration_ms) filter (where duration_ms > 0), 0) as duration_sum,
    count(queue_wait_ms) as queue_n, coalesce(sum(queue_wait_ms), 0) as queue_sum
  from live_runs group by 1, 2
),
counts as (
  select case :period::text when 'day' then day else date_trunc(:period, day::timestamp)::date end as period,
    sum(total) as total, sum(success) as success, sum(failure) as failure, sum(cancelled) as cancelled,
    sum(duration_n) as duration_n, sum(duration_sum) as duration_sum, sum(queue_n) as queue_n,
    sum(queue_sum) as queue_sum, case when count(*) = 1 then max(p95_ms) end as p95_ms,
    max(hist_b) as hist_b, max(hist_n) as hist_n
  from (
    select day, (sign * total)::float8 as total, (sign * success)::float8 as success,
      (sign * (failure + timed_out + startup_failure))::float8 as failure, (sign * cancelled)::float8 as cancelled,
      (sign * duration_n)::float8 as duration_n, (sign * duration_sum)::float8 as duration_sum,
      (sign * queue_n)::float8 as queue_n, (sign * queue_sum)::float8 as queue_sum, p95_ms,
      case when p95_ms is not null then hist_b end as hist_b, case when p95_ms is not null then hist_n end as hist_n
    from parts
    union all
    select day, total, success, failure, cancelled, duration_n, duration_sum, queue_n, queue_sum, null, null, null
    from live_steps
  ) days
  group by 1 having sum(total) > 0
),
steps as (
  select period, b, sum(n)::int as n
  from (
    select case :period::text when 'day' then day else date_trunc(:period, day::timestamp)::date end as period,
      unnest(hist_b) as b, sign * unnest(hist_n) as n
    from parts
    where case :period::text when 'day' then day else date_trunc(:period, day::timestamp)::date end
      in (select period from counts where p95_ms is null)
    union all
    select case :period::text when 'day' then day else date_trunc(:period, day::timestamp)::date end, b, duration_n
    from live_steps where b is not null
  ) one
  group by 1, 2
),
running as (select period, b, n, sum(n) over (partition by period order by b) as upto from steps),
percentiles as (
  select period, min(b) as b from running join counts using (period)
  where n > 0 and 20 * upto >= 19 * duration_n group by period
),
histograms as (
  select period, array_agg(b order by b) as hist_b, array_agg(n order by b) as hist_n from steps where n > 0 group by 1
)
select period::text, total, success, failure, cancelled, duration_n, duration_sum, queue_n, queue_sum,
  coalesce(p95_ms, round(exp((p.b + 0.5) * ln(1.05)))::bigint)::float8 as p95_ms,
  case when p95_ms is null then h.hist_b else c.hist_b end as hist_b,
  case when p95_ms is null then h.hist_n else c.hist_n end as hist_n
from counts c left join percentiles p using (period) left join histograms h using (period) order by period;

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
sealed_days as (
  select day, total, success, failure + timed_out + startup_failure as failure, cancelled,
    duration_n, duration_sum, queue_n, queue_sum, hist_b, hist_n
  from repo_day
  where repo_id = any(:repo_ids::int[]) and day between :from_day::date and :to_day::date
    and day < (select sealed_before from rollup_zone)
),
live_steps as materialized (
  select day, case when duration_ms > 0 then floor(ln(duration_ms) / ln(1.05))::smallint end as b, count(*) as total,
    count(*) filter (where conclusion = 'success') as success,
    count(*) filter (where conclusion in ('failure', 'timed_out', 'startup_failure')) as failure,
    count(*) filter (where conclusion = 'cancelled') as cancelled,
    count(*) filter (where duration_ms > 0) as duration_n,
    coalesce(sum(duration_ms) filter (where duration_ms > 0), 0) as duration_sum,
    count(queue_wait_ms) as queue_n, coalesce(sum(queue_wait_ms), 0) as queue_sum
  from live_runs group by 1, 2
),
counts as (
  select case :period::text when 'day' then day else date_trunc(:period, day::timestamp)::date end as period,
    sum(total::float8) as total, sum(success::float8) as success, sum(failure::float8) as failure,
    sum(cancelled::float8) as cancelled, sum(duration_n::float8) as duration_n,
    sum(duration_sum::float8) as duration_sum, sum(queue_n::float8) as queue_n, sum(queue_sum::float8) as queue_sum
  from (
    select day, total, success, failure, cancelled, duration_n, duration_sum, queue_n, queue_sum from sealed_days
    union all
    select day, total, success, failure, cancelled, duration_n, duration_sum, queue_n, queue_sum from live_steps
  ) days
  group by 1 having sum(total) > 0
),
steps as (
  select period, b, sum(n)::int as n
  from (
    select case :period::text when 'day' then day else date_trunc(:period, day::timestamp)::date end as period,
      unnest(hist_b) as b, unnest(hist_n) as n
    from sealed_days
    union all
    select case :period::text when 'day' then day else date_trunc(:period, day::timestamp)::date end, b, duration_n
    from live_steps where b is not null
  ) one
  group by 1, 2
),
running as (select period, b, n, sum(n) over (partition by period order by b) as upto from steps),
percentiles as (
  select period, min(b) as b from running join counts using (period)
  where n > 0 and 20 * upto >= 19 * duration_n group by period
),
histograms as (
  select period, array_agg(b order by b) as hist_b, array_agg(n order by b) as hist_n from steps where n > 0 group by 1
)
select period::text, total, success, failure, cancelled, duration_n, duration_sum, queue_n, queue_sum,
  round(exp((p.b + 0.5) * ln(1.05)))::float8 as p95_ms, hist_b, hist_n
from counts left join percentiles p using (period) left join histograms using (period) order by period;

-- name: coverage
select round(date_part('epoch', min(c.synced_through)) * 1000) as synced_through,
  round(date_part('epoch', min(least(known.first_run_at,
    (select min(w.created_at) from workflow_runs w where w.repo_id = requested.id)))) * 1000) as first_run_at,
  coalesce(bool_or(c.synced_through is null or c.resume is not null), true) as partial
from unnest(:repo_ids::int[]) as requested (id)
left join repos known on known.id = requested.id
left join sync_cursors c on c.repo_id = requested.id and c.kind = 'runs';
