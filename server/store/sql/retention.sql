-- Deletes what is stored no longer; facts are deleted by facts.sql. Statements named like a table delete one batch of
-- its rows and return how many these were.
--
-- SQL, because rows are found by the indexes of their repositories and deleted where they are, together with what other
-- tables refer to them. Days outlive their runs: what they counted stays. :now is in epoch milliseconds.
-- Tests: tests/store/purge.test.ts, purged-days.test.ts, killed-upkeep.test.ts.

-- name: seal_days
-- Moves the day up from which runs are stored; not while a day before has runs to be counted. A zone that begins its
-- days earlier than the one before waits a day longer, so that no run counts twice.
with wanted as materialized (
  select day, day::timestamp at time zone zone as instant,
    exists (select from dirty_day where dirty_day.day < wanted.day) as behind
  from (
    select (to_timestamp(:now::float8 / 1000) at time zone zone)::date - :run_days::int as day, zone from rollup_zone
  ) wanted
),
moved as (
  update rollup_zone set kept_from = instant, sealed_before = day from wanted
  where not behind and sealed_before < day and kept_from < instant
)
select behind from wanted;

-- name: workflow_runs
-- When the first run was created stays known. Repositories are locked in the order in which others lock several.
with outdated as materialized (
  select one.* from repos known cross join lateral (
    select repo_id, id, created_at from workflow_runs
    where repo_id = known.id and created_at < (select kept_from from rollup_zone) limit :batch) one
  limit :batch
),
deleted as (
  delete from workflow_runs w using outdated o
  where w.repo_id = o.repo_id and w.id = o.id and w.created_at = o.created_at
),
earlier as materialized (
  select repo_id, min(created_at) as at from outdated group by repo_id
  having min(created_at) < coalesce((select first_run_at from repos where id = repo_id), 'infinity')
),
locked as materialized (
  select id from repos where id in (select repo_id from earlier) order by id for no key update
),
recorded as (
  update repos set first_run_at = at from earlier join locked on locked.id = repo_id where repos.id = repo_id
)
select count(*)::int as rows from outdated;

-- name: workflow_run_attempts
with outdated as materialized (
  select one.* from repos known cross join lateral (
    select repo_id, id, run_attempt, created_at from workflow_run_attempts
    where repo_id = known.id and created_at < (select kept_from from rollup_zone) limit :batch) one
  limit :batch
),
deleted as (
  delete from workflow_run_attempts a using outdated o
  where a.repo_id = o.repo_id and a.id = o.id and a.run_attempt = o.run_attempt and a.created_at = o.created_at
)
select count(*)::int as rows from outdated;

-- name: attempt_costs
-- Stored before the first run that still is, so that they are of none of those.
with deleted as (
  delete from attempt_costs where (run_id, run_attempt, part) in (
    select run_id, run_attempt, part from attempt_costs
    where stored_at < (select kept_from from rollup_zone) limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: attempt_logs
with deleted as (
  delete from attempt_logs where (run_id, run_attempt) in (
    select run_id, run_attempt from attempt_logs
    where ended_at < (select kept_from from rollup_zone) limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: action_downloads
-- Stored when they were read, which is after their job ended.
with deleted as (
  delete from action_downloads where (job_id, action_key, ref, commit, is_in_step) in (
    select job_id, action_key, ref, commit, is_in_step from action_downloads
    where read_at < (select kept_from from rollup_zone) limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: repo_day
-- Five years old, and of runs that are deleted. The sums of the owners are merged as in rollups.sql.
with outdated as materialized (
  select one.* from repos known cross join lateral (
    select * from repo_day where repo_id = known.id
      and day < least((select sealed_before from rollup_zone),
        ((to_timestamp(:now::float8 / 1000) at time zone (select zone from rollup_zone))::date
          - interval '5 years')::date)
    limit :batch) one
  limit :batch
),
deleted as (delete from repo_day r using outdated o where r.repo_id = o.repo_id and r.day = o.day),
parts as materialized (
  select m.owner_key, -1 as sign, r.day,
    r.total, r.success, r.failure, r.cancelled, r.skipped, r.timed_out, r.action_required, r.neutral, r.stale,
    r.startup_failure, r.duration_n, r.duration_sum, r.queue_n, r.queue_sum, r.steps
  from outdated r join org_member m using (repo_id)
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
select count(*)::int as rows from outdated;

-- name: commit_facts
-- A pull request that loses commits no longer claims that they were read.
with outdated as materialized (
  select one.* from repos known cross join lateral (
    select repo_id, pr_number, sha from commit_facts
    where repo_id = known.id and merged_at < to_timestamp(:now::float8 / 1000) - interval '120 days' limit :batch) one
  limit :batch
),
locked as materialized (
  select id from repos where id in (select repo_id from outdated) order by id for no key update
),
deleted as (
  delete from commit_facts c using outdated o join locked on locked.id = o.repo_id
  where c.repo_id = o.repo_id and c.pr_number = o.pr_number and c.sha = o.sha
),
reset as (
  update pr_facts p set commits_synced_at = null, commits_truncated = false
  from (select distinct repo_id, pr_number from outdated join locked on locked.id = repo_id) o
  where p.repo_id = o.repo_id and p.number = o.pr_number
)
select count(*)::int as rows from outdated;

-- name: repositories_with_old_facts
-- Those that claim too much, and those where a killed purge, or a first reading that never ended, left something.
select repos.id as repo_id from repos
left join fact_sync_state state on state.repo_id = repos.id and state.kind = :kind::text
where (state.floor < to_timestamp(:floor::float8 / 1000) or case :kind::text
  when 'pull_requests' then exists (
    select from pr_facts
    where repo_id = repos.id and coalesce(merged_at, closed_at) < to_timestamp(:floor::float8 / 1000))
  when 'commits' then exists (
    select from branch_commits
    where repo_id = repos.id and committed_at < to_timestamp(:floor::float8 / 1000))
  when 'issues' then exists (
    select from issue_facts
    where repo_id = repos.id and coalesce(closed_at, 'infinity') < to_timestamp(:floor::float8 / 1000))
  when 'deployments' then exists (
    select from deployment_facts
    where repo_id = repos.id and created_at < to_timestamp(:floor::float8 / 1000))
  when 'releases' then exists (
    select from release_facts
    where repo_id = repos.id and published_at < to_timestamp(:floor::float8 / 1000))
  end)
order by repo_id;

-- name: job_readings
with deleted as (
  delete from job_readings where (run_id, run_attempt) in (
    select run_id, run_attempt from job_readings, (select to_timestamp(:now::float8 / 1000) as now) moment
    where read_at < now - interval '120 days' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: workflow_jobs
with deleted as (
  delete from workflow_jobs where (id) in (
    select id from workflow_jobs, (select to_timestamp(:now::float8 / 1000) as now) moment
    where stored_at < now - interval '120 days' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: webhook_deliveries
with deleted as (
  delete from webhook_deliveries where (delivery_id) in (
    select delivery_id from webhook_deliveries, (select to_timestamp(:now::float8 / 1000) as now) moment
    where received_at < now - interval '60 days' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: merge_queue_notices
-- What timelines say replaces them within 48 hours; which head was removed is looked up as long as queues are read.
with deleted as (
  delete from merge_queue_notices where (repo_id, number, kind, at) in (
    select repo_id, number, kind, at from merge_queue_notices,
      (select to_timestamp(:now::float8 / 1000) as now) moment
    where at < now - interval '92 days' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: pr_marks
-- By full months, so that none loses a part; 400 days are read.
with deleted as (
  delete from pr_marks where (repo_id, number) in (
    select repo_id, number from pr_marks, (select to_timestamp(:now::float8 / 1000) as now) moment
    where created_month < to_char(now - interval '400 days', 'YYYY-MM') limit :batch)
  returning repo_id, number
),
links as (
  delete from pr_links link using deleted where link.repo_id = deleted.repo_id and link.number = deleted.number
)
select count(*)::int as rows from deleted;

-- name: ai_comparisons
-- Each is computed anew every week while it is asked for.
with deleted as (
  delete from ai_comparisons where (cells_key, class, agent) in (
    select cells_key, class, agent from ai_comparisons,
      (select to_timestamp(:now::float8 / 1000) as now) moment
    where computed_at < now - interval '40 days' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: job_runs
with deleted as (
  delete from job_runs where (id) in (
    select id from job_runs, (select to_timestamp(:now::float8 / 1000) as now) moment
    where coalesce(finished_at, started_at) < now - interval '60 days' limit :batch)
  returning job, status
),
kept as (
  insert into counters (name, labels_key, labels, value)
  select 'das_job_runs', json_build_array(json_build_array('job', job), json_build_array('status', status))::text,
    jsonb_build_object('job', job, 'status', status), count(*)
  from deleted where status <> 'running' group by job, status
  on conflict (name, labels_key) do update set value = counters.value + excluded.value
)
select count(*)::int as rows from deleted;

-- name: alert_rule_days
with deleted as (
  delete from alert_rule_days where (rule_id, day, repo_id) in (
    select rule_id, day, repo_id from alert_rule_days, (select to_timestamp(:now::float8 / 1000) as now) moment
    where day < (now at time zone 'UTC')::date - 40 limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: alert_events
with deleted as (
  delete from alert_events where (id) in (
    select id from alert_events, (select to_timestamp(:now::float8 / 1000) as now) moment
    where fired_at < now - interval '400 days' limit :batch)
  returning channel, delivery_status, is_test
),
kept_events as (
  insert into counters (name, labels_key, labels, value)
  select 'das_alert_events', json_build_array(json_build_array('channel', channel))::text,
    jsonb_build_object('channel', channel), count(*)
  from deleted where not is_test group by channel
  on conflict (name, labels_key) do update set value = counters.value + excluded.value
),
kept_deliveries as (
  insert into counters (name, labels_key, labels, value)
  select 'das_alert_deliveries',
    json_build_array(json_build_array('channel', channel), json_build_array('status', delivery_status))::text,
    jsonb_build_object('channel', channel, 'status', delivery_status), count(*)
  from deleted where not is_test and delivery_status in ('sent', 'failed') group by channel, delivery_status
  on conflict (name, labels_key) do update set value = counters.value + excluded.value
)
select count(*)::int as rows from deleted;

-- name: digest_sends
with deleted as (
  delete from digest_sends where (id) in (
    select id from digest_sends, (select to_timestamp(:now::float8 / 1000) as now) moment
    where started_at < now - interval '400 days' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: ref_ledger
with deleted as (
  delete from ref_ledger where (ref_id, observed_from) in (
    select ref_id, observed_from from ref_ledger, (select to_timestamp(:now::float8 / 1000) as now) moment
    where observed_to < now - interval '5 years' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: use_days
with deleted as (
  delete from use_days where (repo_id, day, ref_id, path, through) in (
    select repo_id, day, ref_id, path, through from use_days, (select to_timestamp(:now::float8 / 1000) as now) moment
    where day < (now - interval '5 years')::date limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: action_releases
with deleted as (
  delete from action_releases where (action_key, tag, commit) in (
    select action_key, tag, commit from action_releases, (select to_timestamp(:now::float8 / 1000) as now) moment
    where seen_at < now - interval '5 years' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: advised_refs
with deleted as (
  delete from advised_refs where (ref_id, advisory_id, observed_from) in (
    select ref_id, advisory_id, observed_from from advised_refs,
      (select to_timestamp(:now::float8 / 1000) as now) moment
    where observed_to < now - interval '5 years' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: advisory_readings
with deleted as (
  delete from advisory_readings where at in (
    select at from advisory_readings, (select to_timestamp(:now::float8 / 1000) as now) moment
    where at < now - interval '5 years' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: action_refs
-- Those of which nothing is stored any more.
with deleted as (
  delete from action_refs where id in (
    select id from action_refs
    where not exists (select from ref_ledger where ref_ledger.ref_id = action_refs.id)
      and not exists (select from use_days where use_days.ref_id = action_refs.id)
      and not exists (select from advised_refs where advised_refs.ref_id = action_refs.id)
    limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: action_files
-- Those that no ref leads to.
with deleted as (
  delete from action_files where (commit, path) in (
    select commit, path from action_files
    where not exists (select from ref_ledger where ref_ledger.commit = action_files.commit)
      and not exists (select from action_refs where action_refs.ref = action_files.commit)
    limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: sessions
with deleted as (
  delete from sessions where (id_hash) in (
    select id_hash from sessions, (select to_timestamp(:now::float8 / 1000) as now) moment
    where least(revoked_at, expires_at) < now - interval '30 days' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: access_tokens
with deleted as (
  delete from access_tokens where (id) in (
    select id from access_tokens, (select to_timestamp(:now::float8 / 1000) as now) moment
    where least(revoked_at, expires_at) < now - interval '30 days' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: shares
-- What is said about an expired one stands in the audit log.
with deleted as (
  delete from shares where (id) in (
    select id from shares, (select to_timestamp(:now::float8 / 1000) as now) moment
    where least(revoked_at, expires_at) < now - interval '7 days' limit :batch)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: otlp_sent
-- Of runs that are stored no longer, or older. Nobody is waited for: what somebody has is deleted another night.
with outdated as materialized (
  select destination_id, run_id, run_attempt, part from otlp_sent
  where at < (select kept_from from rollup_zone) limit :batch for update skip locked
),
deleted as (
  delete from otlp_sent s using outdated o
  where s.destination_id = o.destination_id and s.run_id = o.run_id and s.run_attempt = o.run_attempt and s.part = o.part
  returning 1
)
select count(*)::int as rows from deleted;
