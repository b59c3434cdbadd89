-- Keeps the rollups up to date: `repo_day`, the runs of a repository by day, and `org_day`, the sums of an owner.
--
-- SQL, because thousands of days are counted from their runs where they are, in one statement each. `dirty_day` lists
-- the days whose runs changed; `org_day` is at every instant the sum of the `repo_day` of the owner's `org_member`s,
-- whatever those are: whoever changes one of the three changes the sum with it, holding the lock of the recomputers.
-- Readers need not trust that the members are the right ones: they subtract what they may not show and add what is
-- missing. The sums are merged in the same way here twice and in retention.sql. What `steps` is, trends.sql says.
-- Tests: tests/store/org-days.test.ts, trends.test.ts, purged-days.test.ts, race.test.ts, killed-upkeep.test.ts.

-- name: set_statement_timeout
select set_config('statement_timeout', :milliseconds, true);

-- name: mark_every_day
-- After a change of the zone the first day behind the sealed ones is longer or shorter, so that every run counts once.
with marked as (
  insert into dirty_day (repo_id, day)
  select repo_id, greatest((created_at at time zone :zone)::date, (select sealed_before from rollup_zone))
  from workflow_runs where created_at >= (select kept_from from rollup_zone)
  union
  select repo_id, day from repo_day where day >= (select sealed_before from rollup_zone)
  returning id
)
update rollup_zone set rebuild_through = coalesce((select max(id) from marked), 0);

-- name: is_rebuilding
select exists (select from dirty_day where id <= (select rebuild_through from rollup_zone)) as pending;

-- name: take_dirty_days
delete from dirty_day where id in (select id from dirty_day order by id limit :batch) returning repo_id, day::text;

-- name: recompute_days
-- A sealed day has no runs to be counted from any more.
with requested as not materialized (
  select * from unnest(:repo_ids::int[], :days::date[]) one (repo_id, day)
  where day >= (select sealed_before from rollup_zone)
),
runs as materialized (
  select d.repo_id, d.day, w.conclusion, w.duration_ms, w.queue_wait_ms
  from requested d join workflow_runs w on w.repo_id = d.repo_id
    and w.created_at >= case when d.day > (select sealed_before from rollup_zone)
      then greatest(d.day::timestamp at time zone (select zone from rollup_zone) - interval '3 hours',
        (select kept_from from rollup_zone))
      else (select kept_from from rollup_zone) end
    and w.created_at < (d.day + 1)::timestamp at time zone (select zone from rollup_zone) + interval '3 hours'
    and greatest((w.created_at at time zone (select zone from rollup_zone))::date,
      (select sealed_before from rollup_zone)) = d.day
),
recomputed as materialized (
  select repo_id, day, count(*)::int as total,
    count(*) filter (where conclusion = 'success')::int as success,
    count(*) filter (where conclusion = 'failure')::int as failure,
    count(*) filter (where conclusion = 'cancelled')::int as cancelled,
    count(*) filter (where conclusion = 'skipped')::int as skipped,
    count(*) filter (where conclusion = 'timed_out')::int as timed_out,
    count(*) filter (where conclusion = 'action_required')::int as action_required,
    count(*) filter (where conclusion = 'neutral')::int as neutral,
    count(*) filter (where conclusion = 'stale')::int as stale,
    count(*) filter (where conclusion = 'startup_failure')::int as startup_failure,
    count(*) filter (where duration_ms > 0)::int as duration_n,
    coalesce(sum(duration_ms) filter (where duration_ms > 0), 0)::bigint as duration_sum,
    count(queue_wait_ms)::int as queue_n, coalesce(sum(queue_wait_ms), 0)::bigint as queue_sum,
    round(percentile_cont(0.95) within group (order by duration_ms) filter (where duration_ms > 0))::bigint as p95_ms,
    coalesce(sum(('1e' || 8 * floor(ln(duration_ms) / ln(1.05)))::numeric) filter (where duration_ms > 0), 0) as steps
  from runs group by 1, 2
),
previous as materialized (select r.* from requested join repo_day r using (repo_id, day)),
deleted as (
  delete from repo_day r using previous p where r.repo_id = p.repo_id and r.day = p.day
    and not exists (select from recomputed c where c.repo_id = p.repo_id and c.day = p.day)
),
upserted as (
  insert into repo_day (repo_id, day,
    total, success, failure, cancelled, skipped, timed_out, action_required, neutral, stale, startup_failure,
    duration_n, duration_sum, queue_n, queue_sum, p95_ms, steps)
  select repo_id, day,
    total, success, failure, cancelled, skipped, timed_out, action_required, neutral, stale, startup_failure,
    duration_n, duration_sum, queue_n, queue_sum, p95_ms, steps
  from recomputed
  on conflict (repo_id, day) do update set
    total = excluded.total, success = excluded.success, failure = excluded.failure, cancelled = excluded.cancelled,
    skipped = excluded.skipped, timed_out = excluded.timed_out, action_required = excluded.action_required,
    neutral = excluded.neutral, stale = excluded.stale, startup_failure = excluded.startup_failure,
    duration_n = excluded.duration_n, duration_sum = excluded.duration_sum, queue_n = excluded.queue_n,
    queue_sum = excluded.queue_sum, p95_ms = excluded.p95_ms, steps = excluded.steps
),
parts as materialized (
  select m.owner_key, 1 as sign, r.day,
    r.total, r.success, r.failure, r.cancelled, r.skipped, r.timed_out, r.action_required, r.neutral, r.stale,
    r.startup_failure, r.duration_n, r.duration_sum, r.queue_n, r.queue_sum, r.steps
  from recomputed r join org_member m using (repo_id)
  union all
  select m.owner_key, -1, r.day,
    r.total, r.success, r.failure, r.cancelled, r.skipped, r.timed_out, r.action_required, r.neutral, r.stale,
    r.startup_failure, r.duration_n, r.duration_sum, r.queue_n, r.queue_sum, r.steps
  from previous r join org_member m using (repo_id)
),
summands as materialized (
  select * from parts
  union all
  select o.owner_key, 1, o.day,
    o.total, o.success, o.failure, o.cancelled, o.skipped, o.timed_out, o.action_required, o.neutral, o.stale,
    o.startup_failure, o.duration_n, o.duration_sum, o.queue_n, o.queue_sum, o.steps
  from org_day o join (select distinct owner_key, day from parts) changed using (owner_key, day)
),
sums as materialized (
  select owner_key, day,
    sum(sign * total) as total, sum(sign * success) as success, sum(sign * failure) as failure,
    sum(sign * cancelled) as cancelled, sum(sign * skipped) as skipped, sum(sign * timed_out) as timed_out,
    sum(sign * action_required) as action_required, sum(sign * neutral) as neutral, sum(sign * stale) as stale,
    sum(sign * startup_failure) as startup_failure, sum(sign * duration_n) as duration_n,
    sum(sign * duration_sum) as duration_sum, sum(sign * queue_n) as queue_n, sum(sign * queue_sum) as queue_sum,
    sum(sign * steps) as steps
  from summands group by 1, 2
),
emptied as (
  delete from org_day o using sums s where o.owner_key = s.owner_key and o.day = s.day and s.total = 0
),
merged as (
  insert into org_day (owner_key, day,
    total, success, failure, cancelled, skipped, timed_out, action_required, neutral, stale, startup_failure,
    duration_n, duration_sum, queue_n, queue_sum, steps)
  select owner_key, day,
    total, success, failure, cancelled, skipped, timed_out, action_required, neutral, stale, startup_failure,
    duration_n, duration_sum, queue_n, queue_sum, steps
  from sums where total > 0
  on conflict (owner_key, day) do update set
    total = excluded.total, success = excluded.success, failure = excluded.failure, cancelled = excluded.cancelled,
    skipped = excluded.skipped, timed_out = excluded.timed_out, action_required = excluded.action_required,
    neutral = excluded.neutral, stale = excluded.stale, startup_failure = excluded.startup_failure,
    duration_n = excluded.duration_n, duration_sum = excluded.duration_sum, queue_n = excluded.queue_n,
    queue_sum = excluded.queue_sum, steps = excluded.steps
)
select;

-- name: move_members
-- An owner of a single repository needs no sum. A repository that changed its owner joins when it has left.
with wanted as materialized (
  select repo_id, owner_key
  from (select id as repo_id, owner_key, count(*) over (partition by owner_key) as siblings from repos where tracked) t
  where siblings > 1
),
leaving as (
  delete from org_member where repo_id in (
    select repo_id from (select repo_id, owner_key from org_member except select * from wanted) former limit :batch)
  returning repo_id, owner_key
),
joining as (
  insert into org_member (repo_id, owner_key)
  select repo_id, owner_key from wanted w
  where not exists (select from org_member m where m.repo_id = w.repo_id) limit :batch
  returning repo_id, owner_key
),
moving as (select -1 as sign, leaving.* from leaving union all select 1, joining.* from joining),
parts as materialized (
  select m.owner_key, m.sign, r.day,
    r.total, r.success, r.failure, r.cancelled, r.skipped, r.timed_out, r.action_required, r.neutral, r.stale,
    r.startup_failure, r.duration_n, r.duration_sum, r.queue_n, r.queue_sum, r.steps
  from moving m join repo_day r on r.repo_id = m.repo_id
),
summands as materialized (
  select * from parts
  union all
  select o.owner_key, 1, o.day,
    o.total, o.success, o.failure, o.cancelled, o.skipped, o.timed_out, o.action_required, o.neutral, o.stale,
    o.startup_failure, o.duration_n, o.duration_sum, o.queue_n, o.queue_sum, o.steps
  from org_day o join (select distinct owner_key, day from parts) changed using (owner_key, day)
),
sums as materialized (
  select owner_key, day,
    sum(sign * total) as total, sum(sign * success) as success, sum(sign * failure) as failure,
    sum(sign * cancelled) as cancelled, sum(sign * skipped) as skipped, sum(sign * timed_out) as timed_out,
    sum(sign * action_required) as action_required, sum(sign * neutral) as neutral, sum(sign * stale) as stale,
    sum(sign * startup_failure) as startup_failure, sum(sign * duration_n) as duration_n,
    sum(sign * duration_sum) as duration_sum, sum(sign * queue_n) as queue_n, sum(sign * queue_sum) as queue_sum,
    sum(sign * steps) as steps
  from summands group by 1, 2
),
emptied as (
  delete from org_day o using sums s where o.owner_key = s.owner_key and o.day = s.day and s.total = 0
),
merged as (
  insert into org_day (owner_key, day,
    total, success, failure, cancelled, skipped, timed_out, action_required, neutral, stale, startup_failure,
    duration_n, duration_sum, queue_n, queue_sum, steps)
  select owner_key, day,
    total, success, failure, cancelled, skipped, timed_out, action_required, neutral, stale, startup_failure,
    duration_n, duration_sum, queue_n, queue_sum, steps
  from sums where total > 0
  on conflict (owner_key, day) do update set
    total = excluded.total, success = excluded.success, failure = excluded.failure, cancelled = excluded.cancelled,
    skipped = excluded.skipped, timed_out = excluded.timed_out, action_required = excluded.action_required,
    neutral = excluded.neutral, stale = excluded.stale, startup_failure = excluded.startup_failure,
    duration_n = excluded.duration_n, duration_sum = excluded.duration_sum, queue_n = excluded.queue_n,
    queue_sum = excluded.queue_sum, steps = excluded.steps
)
select count(*)::int as moved from moving;
