-- Takes spans that are to be sent, reads the facts they are made of, and notes what became of them.
--
-- SQL, because rows are taken past those that others have, because facts of hundreds of attempts come in one answer
-- each, and because what was sent is deleted and noted in one statement. Lists are JSON, one parameter for all of
-- them; instants are epoch milliseconds. Which attempts are noted stands in schema.sql.
-- Tests: tests/otlp/outbox.test.ts, export.test.ts.

-- name: otlp_claim
-- The rows that are due longest: those of backfills that run, or all others. A lease that would end minutes later than any given now was given by a clock that was set back; clocks of processes may differ by less.
with due as materialized (
  select destination_id, run_id, run_attempt, part from otlp_outbox o
  where destination_id = :destination_id::int and parked_at is null
    and case when :is_backfill::boolean
      then exists (select from otlp_backfills b where b.id = o.backfill_id and b.state = 'running')
      else backfill_id is null end
    and due_at <= to_timestamp(:now::float8 / 1000)
    and (locked_until is null or locked_until <= to_timestamp(:now::float8 / 1000)
      or locked_until > to_timestamp((:now::float8 + :lease_ms::float8) / 1000) + interval '5 minutes')
    and (part = 'attempt' or exists (
      select from otlp_sent s where s.destination_id = o.destination_id and s.run_id = o.run_id
        and s.run_attempt = o.run_attempt and s.part = 'attempt'))
  order by due_at, run_id, run_attempt, part limit :limit::int for update skip locked
)
update otlp_outbox o set locked_until = to_timestamp((:now::float8 + :lease_ms::float8) / 1000), tries = o.tries + 1
from due
where o.destination_id = due.destination_id and o.run_id = due.run_id and o.run_attempt = due.run_attempt
  and o.part = due.part
returning o.run_id::float8 as "runId", o.run_attempt as attempt, o.part,
  date_part('epoch', o.created_at) * 1000 as "createdAt", date_part('epoch', o.due_at) * 1000 as "dueAt";

-- name: otlp_attempts
select run.id::float8 as "runId", run.run_attempt as attempt, repos.codehost_repo_id::float8 as "repoId", repos.owner,
  repos.name as repo, run.workflow_id::float8 as "workflowId", run.workflow_name as "workflowName",
  run.run_number as "runNumber", run.event, run.conclusion, run.head_branch as "headBranch", run.head_sha as "headSha",
  account.login as actor, round(date_part('epoch', run.created_at) * 1000) as "createdAt",
  round(date_part('epoch', run.run_started_at) * 1000) as "startedAt",
  round(date_part('epoch', run.completed_at) * 1000) as "completedAt"
from jsonb_to_recordset(:attempts::jsonb) named ("runId" bigint, attempt int)
cross join lateral (
  select id, run_attempt, repo_id, workflow_id, workflow_name, run_number, event, status, conclusion, head_branch,
    head_sha, coalesce(triggering_actor_id, actor_id) as actor_id, created_at, run_started_at, completed_at
  from workflow_runs where id = named."runId" and run_attempt = named.attempt
  union all
  select id, run_attempt, repo_id, workflow_id, workflow_name, run_number, event, status, conclusion, head_branch,
    head_sha, coalesce(triggering_actor_id, actor_id), created_at, run_started_at, completed_at
  from workflow_run_attempts where id = named."runId" and run_attempt = named.attempt
  limit 1
) run
join repos on repos.id = run.repo_id
left join accounts account on account.id = run.actor_id
where run.status = 'completed' and run.completed_at is not null;

-- name: otlp_jobs
-- Of the attempts of which all jobs are known: as many as were read, or as events brought, once those have ended.
select named."runId"::float8 as "runId", named.attempt, stored.jobs
from jsonb_to_recordset(:attempts::jsonb) named ("runId" bigint, attempt int)
left join job_readings reading on reading.run_id = named."runId" and reading.run_attempt = named.attempt
cross join lateral (
  select count(*) as count, coalesce(bool_and(job.status = 'completed'), false) as is_over,
    coalesce(jsonb_agg(to_jsonb(job) order by job.id), '[]') as jobs
  from (
    select id::float8, run_id::float8 as "runId", run_attempt as attempt, name, workflow_name as "workflowName", status,
      conclusion, round(date_part('epoch', created_at) * 1000) as "createdAt",
      round(date_part('epoch', started_at) * 1000) as "startedAt",
      round(date_part('epoch', completed_at) * 1000) as "completedAt", runner_name as "runnerName",
      runner_group as "runnerGroup", labels, html_url as "htmlUrl", steps, detail
    from workflow_jobs where run_id = named."runId" and run_attempt = named.attempt
  ) job
) stored
where case when reading.run_id is null then stored.is_over else stored.count = reading.jobs end;

-- name: otlp_without_jobs
-- Attempts of which jobs are to be sent, and neither a reading nor events brought all of them.
select repos.codehost_repo_id::float8 as "repoId", repos.owner, repos.name as repo, noted.run_id::float8 as "runId",
  noted.run_attempt as attempt
from (
  select o.run_id, o.run_attempt, max(o.created_at) as at
  from otlp_outbox o
  join otlp_destinations d on d.id = o.destination_id and d.enabled and (d.options ->> 'fetch_jobs')::boolean
  where o.part = 'jobs' and o.parked_at is null and o.created_at <= to_timestamp(:until::float8 / 1000)
    and not exists (
      select from job_readings reading where reading.run_id = o.run_id and reading.run_attempt = o.run_attempt)
    and not coalesce((
      select bool_and(job.status = 'completed') from workflow_jobs job
      where job.run_id = o.run_id and job.run_attempt = o.run_attempt), false)
  group by o.run_id, o.run_attempt
) noted
cross join lateral (
  select repo_id from workflow_runs where id = noted.run_id and run_attempt = noted.run_attempt
  union all
  select repo_id from workflow_run_attempts where id = noted.run_id and run_attempt = noted.run_attempt
  limit 1
) run
join repos on repos.id = run.repo_id
order by noted.at desc, noted.run_id desc, noted.run_attempt desc limit :limit::int;

-- name: otlp_accept
-- What is repeated after an unknown outcome is noted once.
with sent as materialized (
  select * from jsonb_to_recordset(:rows::jsonb) sent ("runId" bigint, attempt int, part text, spans int, "carriedOver" int)
),
deleted as (
  delete from otlp_outbox o using sent
  where o.destination_id = :destination_id::int and o.run_id = sent."runId" and o.run_attempt = sent.attempt
    and o.part = sent.part
  returning o.backfill_id
),
rejected as (
  update otlp_backfills set rejected = rejected + :rejected::bigint
  where id in (select backfill_id from deleted) and :rejected::bigint > 0
),
noted as (
  insert into otlp_sent (destination_id, run_id, run_attempt, part, at, spans, batch)
  select :destination_id::int, "runId", attempt, part, to_timestamp(:now::float8 / 1000), spans, :batch::bigint from sent
  on conflict (destination_id, run_id, run_attempt, part) do update set at = excluded.at, batch = excluded.batch
  returning run_id, run_attempt, part, spans, xmax = 0 as is_first
),
counted as (
  select coalesce(sum(noted.spans), 0) as spans, coalesce(sum(sent."carriedOver"), 0) as carried_over
  from noted join sent on sent."runId" = noted.run_id and sent.attempt = noted.run_attempt and sent.part = noted.part
  where is_first
)
update otlp_destinations set accepted = accepted + greatest(0, counted.spans - :rejected::bigint),
  carried_over = otlp_destinations.carried_over + counted.carried_over,
  rejected = rejected + :rejected::bigint, failures = 0, next_try_at = null,
  last_success_at = to_timestamp(:now::float8 / 1000), last_error = coalesce(:message::text, last_error)
from counted
where id = :destination_id::int;

-- name: otlp_postpone
-- Jobs that are not known yet: asked for again in longer and longer pauses.
update otlp_outbox o set locked_until = null, due_at = to_timestamp(named."dueAt" / 1000)
from jsonb_to_recordset(:rows::jsonb) named ("runId" bigint, attempt int, part text, "dueAt" float8)
where o.destination_id = :destination_id::int and o.run_id = named."runId" and o.run_attempt = named.attempt
  and o.part = named.part;

-- name: otlp_release
update otlp_outbox o set locked_until = null
from jsonb_to_recordset(:rows::jsonb) named ("runId" bigint, attempt int, part text)
where o.destination_id = :destination_id::int and o.run_id = named."runId" and o.run_attempt = named.attempt
  and o.part = named.part;

-- name: otlp_forget
-- Of runs that are stored no longer, with their jobs, or jobs that did not turn up in time.
delete from otlp_outbox o
using jsonb_to_recordset(:rows::jsonb) named ("runId" bigint, attempt int, part text)
where o.destination_id = :destination_id::int and o.run_id = named."runId" and o.run_attempt = named.attempt
  and (o.part = named.part or named.part = 'attempt');

-- name: otlp_park
-- The jobs of an attempt that is not taken wait with it.
with parked as (
  update otlp_outbox o set parked_at = to_timestamp(:now::float8 / 1000), locked_until = null, error = :message::text
  where o.destination_id = :destination_id::int and o.run_id = :run_id::bigint and o.run_attempt = :attempt::int
    and (o.part = :part::text or :part::text = 'attempt') and o.parked_at is null
  returning o.part, o.backfill_id
),
rejected as (
  update otlp_backfills set rejected = rejected + :spans::int
  where id in (select backfill_id from parked where part = :part::text)
)
update otlp_destinations set parked = parked + (select count(*) from parked), last_error = :message::text
where id = :destination_id::int;

-- name: otlp_resend
-- What a receiver did not take, and what was parked, is sent once more, also where it had rejected everything.
with again as (
  update otlp_sent set batch = null where destination_id = :destination_id::int and batch is not null
  returning run_id, run_attempt, part
),
noted as (
  insert into otlp_outbox (destination_id, run_id, run_attempt, part, created_at, due_at, tries)
  select :destination_id::int, run_id, run_attempt, part, to_timestamp(:now::float8 / 1000),
    to_timestamp(:now::float8 / 1000), 0
  from again on conflict do nothing
  returning 1
),
unparked as (
  update otlp_outbox set parked_at = null, error = null, backfill_id = null, due_at = to_timestamp(:now::float8 / 1000)
  where destination_id = :destination_id::int and parked_at is not null
  returning 1
),
counted as (
  update otlp_destinations set parked = 0, state = 'active', next_try_at = null, failures = 0
  where id = :destination_id::int
)
select ((select count(*) from noted) + (select count(*) from unparked))::int as rows;

-- name: otlp_drop
-- Rows that waited too long, and the oldest beyond what a destination may have; a backfill has few at a time.
with outdated as materialized (
  select destination_id, run_id, run_attempt, part from otlp_outbox
  where destination_id = :destination_id::int and created_at < to_timestamp(:before::float8 / 1000)
    and backfill_id is null
  limit :batch::int
),
deleted as (
  delete from otlp_outbox o using outdated d
  where o.destination_id = d.destination_id and o.run_id = d.run_id and o.run_attempt = d.run_attempt
    and o.part = d.part
  returning o.part, o.parked_at
),
counted as (
  update otlp_destinations
  set dropped = dropped + (select count(*) from deleted), parked = parked - (select count(parked_at) from deleted)
  where id = :destination_id::int and exists (select from deleted)
)
select count(*)::int as rows from deleted;
