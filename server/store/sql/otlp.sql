-- Takes spans that are to be sent, and reads the facts they are made of.
--
-- SQL, because rows are taken past those that others have, and because facts of hundreds of attempts come in one answer
-- each. Lists are JSON, one parameter for all of them; instants are epoch milliseconds. Which attempts are noted stands
-- in schema.sql, and what became of them in otlp-outcomes.sql.
-- Tests: tests/otlp/outbox.test.ts, export.test.ts.

-- name: otlp_claim
-- The rows that are due longest: those of backfills that run, or all others; none where the destination is left alone.
-- A lease that would end minutes later than any given now was given by a clock that was set back; clocks of processes
-- may differ by less.
with due as materialized (
  select destination_id, run_id, run_attempt, part from otlp_outbox o
  where destination_id = :destination_id::int and parked_at is null
    and exists (
      select from otlp_destinations d
      where d.id = :destination_id::int and d.enabled and d.state = 'active'
        and not otlp_is_paused(d.next_try_at, to_timestamp(:now::float8 / 1000)))
    and case when :is_backfill::boolean
      then exists (select from otlp_backfills b where b.id = o.backfill_id and b.state = 'running')
      else backfill_id is null end
    and due_at <= to_timestamp(:now::float8 / 1000)
    and (locked_until is null or locked_until <= to_timestamp(:now::float8 / 1000)
      or locked_until > to_timestamp(:leased_until::float8 / 1000) + interval '5 minutes')
    and (part = 'attempt' or exists (
      select from otlp_sent s where s.destination_id = o.destination_id and s.run_id = o.run_id
        and s.run_attempt = o.run_attempt and s.part = 'attempt'))
  order by due_at, run_id, run_attempt, part limit :limit::int for update skip locked
)
update otlp_outbox o set locked_until = to_timestamp(:leased_until::float8 / 1000)
from due
where o.destination_id = due.destination_id and o.run_id = due.run_id and o.run_attempt = due.run_attempt
  and o.part = due.part
returning o.run_id::float8 as "runId", o.run_attempt as attempt, o.part,
  date_part('epoch', o.created_at) * 1000 as "createdAt", date_part('epoch', o.due_at) * 1000 as "dueAt",
  o.backfill_id as "backfillId", :leased_until::float8 as "leasedUntil";

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
-- Of the attempts of which all jobs are known. A list may still show jobs of which the events were lost: those that events
-- alone brought are known once the row is older than :events_until, null where no list is awaited.
select named."runId"::float8 as "runId", named.attempt, (
    select coalesce(jsonb_agg(to_jsonb(job) order by job.id), '[]')
    from (
      select id::float8, run_id::float8 as "runId", run_attempt as attempt, name, workflow_name as "workflowName",
        status, conclusion, round(date_part('epoch', created_at) * 1000) as "createdAt",
        round(date_part('epoch', started_at) * 1000) as "startedAt",
        round(date_part('epoch', completed_at) * 1000) as "completedAt", runner_name as "runnerName",
        runner_group as "runnerGroup", labels, html_url as "htmlUrl", steps, detail
      from workflow_jobs where run_id = named."runId" and run_attempt = named.attempt
    ) job
  ) as jobs
from jsonb_to_recordset(:rows::jsonb) named ("runId" bigint, attempt int, "createdAt" float8, "backfillId" int)
where otlp_knows_jobs(named."runId", named.attempt)
  and (:events_until::float8 is null or named."createdAt" <= :events_until or named."backfillId" is not null or exists (
    select from job_readings reading where reading.run_id = named."runId" and reading.run_attempt = named.attempt));

-- name: otlp_without_jobs
-- Attempts of which jobs are to be sent that were not listed yet, whatever events brought of them: sooner where all that
-- these brought have ended.
select repos.codehost_repo_id::float8 as "repoId", repos.owner, repos.name as repo, noted.run_id::float8 as "runId",
  noted.run_attempt as attempt
from (
  select o.run_id, o.run_attempt, max(o.created_at) as at
  from otlp_outbox o
  join otlp_destinations d on d.id = o.destination_id and d.enabled and (d.options ->> 'fetch_jobs')::boolean
  where o.part = 'jobs' and o.parked_at is null
    and o.created_at <= to_timestamp((case when coalesce((
      select bool_and(job.status = 'completed') from workflow_jobs job
      where job.run_id = o.run_id and job.run_attempt = o.run_attempt), false)
      then :ended_until else :until end)::float8 / 1000)
    and not exists (
      select from job_readings reading where reading.run_id = o.run_id and reading.run_attempt = o.run_attempt)
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
