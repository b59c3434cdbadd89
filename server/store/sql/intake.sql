-- Stores what was read and received: runs and webhook deliveries by the functions of run-intake.sql, jobs,
-- and the accounts that they name.
--
-- SQL, because rows come by the thousand: as arrays or JSON, one parameter for all of them. :stored_at and its like are
-- epoch milliseconds.
-- Tests: tests/store/ingest.test.ts, deliveries.test.ts, race.test.ts, tests/facts/job-repository.test.ts.
-- Bench: tests/bench/ingest.mjs, webhooks.mjs.

-- name: insert_accounts
insert into accounts (id, login, avatar_url, is_bot)
select * from unnest(:ids::bigint[], :logins::text[], :avatar_urls::text[], :are_bots::boolean[])
on conflict do nothing;

-- name: upsert_runs
select inserted, changed from upsert_runs(:repo_ids::int[], :seen_ms::float8, :run_ids::bigint[], :run_attempts::int[],
  :workflow_ids::bigint[], :workflow_names::text[], :run_numbers::int[], :run_events::text[], :statuses::text[],
  :conclusions::text[], :head_branches::text[], :head_shas::text[], :actor_ids::bigint[],
  :triggering_actor_ids::bigint[], :created_ms::float8[], :started_ms::float8[], :updated_ms::float8[],
  :html_urls::text[]);

-- name: insert_deliveries
select insert_deliveries(:delivery_ids::text[], :events::text[], :actions::text[], :repo_keys::text[],
  :repo_ids::int[], :seen_ms::float8, :run_ids::bigint[], :run_attempts::int[], :workflow_ids::bigint[],
  :workflow_names::text[], :run_numbers::int[], :run_events::text[], :statuses::text[], :conclusions::text[],
  :head_branches::text[], :head_shas::text[], :actor_ids::bigint[], :triggering_actor_ids::bigint[],
  :created_ms::float8[], :started_ms::float8[], :updated_ms::float8[], :html_urls::text[]) as fresh;

-- name: delete_run
with runs as (
  delete from workflow_runs where id = :run_id::bigint and repo_id = :repo_id::int returning created_at
),
attempts as (delete from workflow_run_attempts where id = :run_id::bigint and repo_id = :repo_id::int),
jobs as (delete from workflow_jobs where run_id = :run_id::bigint),
readings as (delete from job_readings where run_id = :run_id::bigint),
costs as (delete from attempt_costs where run_id = :run_id::bigint)
insert into dirty_day (repo_id, day)
select :repo_id::int, greatest((created_at at time zone (select zone from rollup_zone))::date,
  (select sealed_before from rollup_zone))
from runs;

-- name: upsert_jobs
-- A job goes on: how far it is decides, whatever the order in which messages arrive. A job as checks describe it has
-- only times (`detail`); what they lack stays where a fuller message about the job came before.
insert into workflow_jobs as stored (id, repo_id, run_id, run_attempt, name, workflow_name, status, conclusion,
  created_at, started_at, completed_at, runner_name, runner_group, labels, html_url, steps, stored_at, detail)
select (j ->> 'id')::bigint, (j ->> 'repoId')::int, (j ->> 'runId')::bigint, (j ->> 'attempt')::int, j ->> 'name',
  j ->> 'workflowName', j ->> 'status', j ->> 'conclusion', to_timestamp((j ->> 'createdAt')::float8 / 1000),
  to_timestamp((j ->> 'startedAt')::float8 / 1000), to_timestamp((j ->> 'completedAt')::float8 / 1000),
  j ->> 'runnerName', j ->> 'runnerGroup', j -> 'labels', j ->> 'htmlUrl', j -> 'steps',
  to_timestamp(:stored_at::float8 / 1000), j ->> 'detail'
from jsonb_array_elements(:jobs::jsonb) j
on conflict (id) do update set
  repo_id = excluded.repo_id, run_id = excluded.run_id, run_attempt = excluded.run_attempt, name = excluded.name,
  workflow_name = excluded.workflow_name, status = excluded.status, conclusion = excluded.conclusion,
  created_at = case when excluded.detail = 'times' and stored.runner_name is not null
    then stored.created_at else excluded.created_at end,
  started_at = excluded.started_at, completed_at = excluded.completed_at,
  runner_name = case when excluded.detail = 'times' and stored.runner_name is not null
    then stored.runner_name else excluded.runner_name end,
  runner_group = case when excluded.detail = 'times' and stored.runner_name is not null
    then stored.runner_group else excluded.runner_group end,
  labels = case when excluded.detail = 'times' and stored.runner_name is not null
    then stored.labels else excluded.labels end,
  html_url = excluded.html_url, steps = excluded.steps, stored_at = excluded.stored_at,
  detail = case when excluded.detail = 'times' and stored.runner_name is not null
    then stored.detail else excluded.detail end
where excluded.status = 'completed' and stored.status <> 'completed'
  or stored.status <> 'completed' and (
    coalesce(array_position('{waiting,pending,queued,in_progress}'::text[], excluded.status), 0),
    coalesce(excluded.started_at, '-infinity'), jsonb_array_length(excluded.steps), coalesce(excluded.runner_name, '')
  ) > (
    coalesce(array_position('{waiting,pending,queued,in_progress}'::text[], stored.status), 0),
    coalesce(stored.started_at, '-infinity'), jsonb_array_length(stored.steps), coalesce(stored.runner_name, ''))
  or stored.status = 'completed' and excluded.status = 'completed' and (
    excluded.detail = 'full' and stored.detail = 'times'
    or excluded.detail = stored.detail and jsonb_array_length(excluded.steps) > jsonb_array_length(stored.steps));

-- name: delete_other_jobs
-- Jobs of these attempts that the platform does not list.
delete from workflow_jobs job
using jsonb_to_recordset(:readings::jsonb) reading (run_id bigint, run_attempt int, ids bigint[])
where job.run_id = reading.run_id and job.run_attempt = reading.run_attempt and job.id <> all (reading.ids);

-- name: upsert_job_readings
insert into job_readings as stored (run_id, run_attempt, repo_id, detail, jobs, read_at)
select run_id, run_attempt, :repo_id::int, detail, cardinality(ids), to_timestamp(:read_at::float8 / 1000)
from jsonb_to_recordset(:readings::jsonb) reading (run_id bigint, run_attempt int, detail text, ids bigint[])
on conflict (run_id, run_attempt) do update
  set repo_id = excluded.repo_id, detail = excluded.detail, jobs = excluded.jobs, read_at = excluded.read_at
where excluded.detail = 'full' or stored.detail = 'times';

-- name: delete_attempt_costs
delete from attempt_costs cost
using jsonb_to_recordset(:attempts::jsonb) attempt ("runId" bigint, attempt int)
where cost.run_id = attempt."runId" and cost.run_attempt = attempt.attempt;

-- name: insert_attempt_costs
-- Of the attempts of which all jobs are stored: as many as the platform listed. Events alone never suffice, since one that
-- was lost would not be missed.
-- Minutes are those of billedMinutes in server/metrics/cost; jobs that began on one UTC day have one price. Each job of a
-- re-run is a part: whether it was run in it is known by the start of the re-run, which may come after its jobs.
insert into attempt_costs (run_id, run_attempt, part, repo_id, labels, runner_group, started_at, jobs, untimed, idle,
  minutes, has_begun, ended_at, completed_at, stored_at)
with attempt as materialized (
  select "repoId" as repo_id, "runId" as run_id, attempt as run_attempt
  from jsonb_to_recordset(:attempts::jsonb) named ("repoId" int, "runId" bigint, attempt int)
),
job as materialized (
  select run_id, run_attempt, id, labels, runner_group, started_at, completed_at, status, detail, is_taken,
    case when status <> 'completed' then null when not is_taken then 0
      when completed_at >= started_at then ceil(extract(epoch from completed_at - started_at) / 60) end as minutes
  from attempt join (
    select *, conclusion is distinct from 'skipped'
      and (runner_name is not null or jsonb_array_length(steps) > 0) as is_taken
    from workflow_jobs) stored using (run_id, run_attempt)
),
known as (
  select attempt.*, coalesce(of_attempt.has_begun, false) as has_begun, of_attempt.ended_at
  from attempt
  left join (
    select run_id, run_attempt, count(*) as jobs, bool_and(detail = 'full') as is_full,
      bool_or(is_taken and started_at is not null) as has_begun,
      case when count(completed_at) = count(*) then max(completed_at) end as ended_at
    from job group by run_id, run_attempt
  ) of_attempt using (run_id, run_attempt)
  join job_readings reading using (run_id, run_attempt)
  where coalesce(of_attempt.is_full, true) and reading.jobs = coalesce(of_attempt.jobs, 0)
)
select run_id, run_attempt,
  row_number() over (partition by run_id, run_attempt order by min(job.started_at), min(job.id)) - 1,
  known.repo_id, job.labels, job.runner_group, min(job.started_at), count(job.id),
  count(job.id) filter (where minutes is null), count(*) filter (where minutes = 0), coalesce(sum(minutes), 0),
  case when run_attempt > 1 then coalesce(bool_or(is_taken and job.started_at is not null), false)
    else known.has_begun end,
  known.ended_at, case when run_attempt > 1 then max(job.completed_at) end, to_timestamp(:stored_at::float8 / 1000)
from known left join job using (run_id, run_attempt)
group by run_id, run_attempt, known.repo_id, known.has_begun, known.ended_at, job.labels, job.runner_group,
  (job.started_at at time zone 'UTC')::date, case when run_attempt > 1 then job.id end;

-- name: renew_job_waits
-- How long the runs of these attempts waited for a runner, where their jobs tell it; the day is counted anew.
with attempt as materialized (
  select distinct "repoId" as repo_id, "runId" as id, attempt as run_attempt
  from jsonb_to_recordset(:attempts::jsonb) named ("repoId" int, "runId" bigint, attempt int)
),
waited as materialized (
  select r.repo_id, r.id, r.created_at, attempt_job_wait_ms(r.id, r.run_attempt, r.run_started_at) as job_wait_ms
  from attempt a join workflow_runs r on r.id = a.id and r.repo_id + 0 = a.repo_id and r.run_attempt = a.run_attempt
),
runs as (
  update workflow_runs r set job_wait_ms = w.job_wait_ms,
    queue_wait_ms = coalesce(w.job_wait_ms, run_queue_wait_ms(run_attempt, status, r.created_at, run_started_at))
  from waited w
  where r.id = w.id and r.repo_id + 0 = w.repo_id and r.created_at = w.created_at
    and r.job_wait_ms is distinct from w.job_wait_ms
  returning r.repo_id, r.created_at
),
superseded as (
  update workflow_run_attempts r set job_wait_ms = w.job_wait_ms,
    queue_wait_ms = coalesce(w.job_wait_ms, run_queue_wait_ms(r.run_attempt, status, created_at, run_started_at))
  from attempt a
  cross join lateral (
    select attempt_job_wait_ms(s.id, s.run_attempt, s.run_started_at) as job_wait_ms from workflow_run_attempts s
    where s.id = a.id and s.repo_id + 0 = a.repo_id and s.run_attempt = a.run_attempt
  ) w
  where r.id = a.id and r.repo_id + 0 = a.repo_id and r.run_attempt = a.run_attempt
    and r.job_wait_ms is distinct from w.job_wait_ms
)
insert into dirty_day (repo_id, day)
select distinct repo_id, greatest((created_at at time zone (select zone from rollup_zone))::date,
  (select sealed_before from rollup_zone))
from runs;

-- name: jobs_of_attempts
-- Where some of the jobs have been deleted, none is returned: all of them or none.
select run_id::float8 as "runId", run_attempt as attempt, reading.detail, coalesce(stored.jobs, '[]') as jobs
from jsonb_to_recordset(:attempts::jsonb) requested (run_id bigint, run_attempt int)
join job_readings reading using (run_id, run_attempt)
join repos on repos.id = reading.repo_id and repos.codehost_repo_id = :codehost_id::bigint
cross join lateral (
  select count(*) as count, jsonb_agg(to_jsonb(job) order by job.id) as jobs
  from (
    select id::float8, run_id::float8 as "runId", run_attempt as attempt, name, workflow_name as "workflowName", status,
      conclusion, round(date_part('epoch', created_at) * 1000) as "createdAt",
      round(date_part('epoch', started_at) * 1000) as "startedAt",
      round(date_part('epoch', completed_at) * 1000) as "completedAt", runner_name as "runnerName",
      runner_group as "runnerGroup", labels, html_url as "htmlUrl", steps
    from workflow_jobs of_run
    where of_run.run_id = reading.run_id and of_run.run_attempt = reading.run_attempt
  ) job
) stored
where stored.count = reading.jobs;
