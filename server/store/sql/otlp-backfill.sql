-- Sends stored attempts to a destination that was added after them.
--
-- SQL, because the next attempts of two tables, the rows of the outbox and the new cursor are one statement: a process
-- that dies in between has done all of it or nothing. Instants are epoch milliseconds.
-- Tests: tests/otlp/backfill.test.ts.

-- name: otlp_backfill_start
-- Nothing where one is running for the destination.
insert into otlp_backfills (destination_id, from_at, to_at, repo_key, again, done, total, rejected, state, due_at,
  started_by, started_at, resumed_at, resumed_done)
select d.id, range.from_at, range.to_at, :repo_key::text, :again::boolean, 0, (
    select count(*)
    from (
      select repo_id, id, run_attempt, workflow_name, event, head_branch, status, completed_at, created_at from workflow_runs
      union all
      select repo_id, id, run_attempt, workflow_name, event, head_branch, status, completed_at, created_at
      from workflow_run_attempts
    ) run
    join repos on repos.id = run.repo_id
    where run.created_at >= range.from_at and run.created_at < range.to_at
      and run.status = 'completed' and run.completed_at is not null
      and (:repo_key::text is null or repos.owner_key || '/' || repos.name_key = :repo_key::text)
      and otlp_takes(d.options, repos, run.workflow_name, run.event, run.head_branch, run.id, run.run_attempt)
  ), 0, 'running', range.now, :started_by::text, range.now, range.now, 0
from otlp_destinations d, (
  select to_timestamp(:from::float8 / 1000) as from_at, to_timestamp(:to::float8 / 1000) as to_at,
    to_timestamp(:now::float8 / 1000) as now
) range
where d.id = :destination_id::int
on conflict do nothing
returning id;

-- name: otlp_backfill_due
-- Those that may go on: what they noted before has been sent.
select b.id, b.destination_id as "destinationId"
from otlp_backfills b join otlp_destinations d on d.id = b.destination_id, (
  select to_timestamp(:now::float8 / 1000) as now
) moment
where b.state = 'running' and d.enabled and d.state = 'active' and not otlp_is_paused(d.next_try_at, now)
  and (b.due_at <= now or b.due_at > now + interval '1 minute')
  and not exists (
    select from otlp_outbox o where o.backfill_id = b.id and o.parked_at is null)
order by b.id;

-- name: otlp_backfill_step
-- The next attempts of one repository, oldest first; the first repository of those left that has the name. Parts that
-- were sent are left out, as are jobs that are not known, and those of an attempt that waits by itself or was parked:
-- they would wait with it. The lock on the runs of the repository keeps away whoever notes the same attempts meanwhile.
-- Nothing is answered where no repository is left.
with moment as (select to_timestamp(:now::float8 / 1000) as now),
backfill as materialized (
  select b.id, b.destination_id, b.from_at, b.to_at, b.again, b.cursor, d.options, (
      select min(repos.id) from repos
      where repos.id >= coalesce((b.cursor ->> 'repo')::int, 0)
        and (b.repo_key is null or repos.owner_key || '/' || repos.name_key = b.repo_key)
    ) as repo_id
  from otlp_backfills b join otlp_destinations d on d.id = b.destination_id
  where b.id = :id::int and b.state = 'running' for update of b
),
locked as materialized (
  select pg_advisory_xact_lock(7246112, repo_id) from backfill where repo_id is not null
),
since as (
  select id, case when (cursor ->> 'repo')::int = repo_id then (cursor ->> 'at')::timestamptz end as at,
    (cursor ->> 'run')::bigint as run_id, (cursor ->> 'attempt')::int as run_attempt
  from backfill
),
attempt as materialized (
  select run.id as run_id, run.run_attempt, run.created_at
  from locked
  cross join backfill b
  join since on since.id = b.id
  join repos on repos.id = b.repo_id
  cross join lateral (
    select id, run_attempt, created_at, workflow_name, event, head_branch, status, completed_at from workflow_runs
    where repo_id = b.repo_id and created_at >= coalesce(since.at, b.from_at) and created_at < b.to_at
    union all
    select id, run_attempt, created_at, workflow_name, event, head_branch, status, completed_at from workflow_run_attempts
    where repo_id = b.repo_id and created_at >= coalesce(since.at, b.from_at) and created_at < b.to_at
  ) run
  where run.status = 'completed' and run.completed_at is not null
    and (since.at is null or (run.created_at, run.id, run.run_attempt) > (since.at, since.run_id, since.run_attempt))
    and otlp_takes(b.options, repos, run.workflow_name, run.event, run.head_branch, run.id, run.run_attempt)
  order by run.created_at, run.id, run.run_attempt limit :limit::int
),
noted_attempts as (
  insert into otlp_outbox (destination_id, run_id, run_attempt, part, created_at, due_at, backfill_id)
  select b.destination_id, a.run_id, a.run_attempt, 'attempt', moment.now, moment.now, b.id
  from backfill b cross join attempt a cross join moment
  where b.again or not exists (
    select from otlp_sent s where s.destination_id = b.destination_id and s.run_id = a.run_id
      and s.run_attempt = a.run_attempt and s.part = 'attempt')
  order by 1, 2, 3
  on conflict do nothing
  returning run_id, run_attempt
),
noted_jobs as (
  insert into otlp_outbox (destination_id, run_id, run_attempt, part, created_at, due_at, backfill_id)
  select b.destination_id, a.run_id, a.run_attempt, 'jobs', moment.now, moment.now, b.id
  from backfill b
  cross join attempt a
  cross join moment
  left join noted_attempts n on n.run_id = a.run_id and n.run_attempt = a.run_attempt
  left join otlp_sent sent on sent.destination_id = b.destination_id and sent.run_id = a.run_id
    and sent.run_attempt = a.run_attempt and sent.part = 'attempt'
  where (n.run_id is not null or sent.run_id is not null)
    and (b.again or not exists (
      select from otlp_sent s where s.destination_id = b.destination_id and s.run_id = a.run_id
        and s.run_attempt = a.run_attempt and s.part = 'jobs'))
    and otlp_knows_jobs(a.run_id, a.run_attempt)
  order by 1, 2, 3
  on conflict do nothing
  returning run_id, run_attempt
),
step as (
  select (select count(*) from attempt)::int as walked,
    (select count(*) from (select * from noted_attempts union select * from noted_jobs) noted)::int as noted,
    (select jsonb_build_object('at', created_at, 'run', run_id, 'attempt', run_attempt) from attempt
     order by created_at desc, run_id desc, run_attempt desc limit 1) as last
)
update otlp_backfills b set done = b.done + step.walked,
  due_at = least(greatest(b.due_at, moment.now), moment.now + interval '1 minute')
    + step.noted * interval '1 second' / :per_second::float8,
  cursor = case when step.walked = :limit::int then step.last || jsonb_build_object('repo', backfill.repo_id)
    else jsonb_build_object('repo', backfill.repo_id + 1) end
from backfill, step, moment
where b.id = backfill.id and backfill.repo_id is not null
returning step.noted;

-- name: otlp_backfill_end
-- Only once no repository is left, which is asked again as it may have been paused and resumed meanwhile, and the last
-- of it has left the outbox.
update otlp_backfills b set state = 'done', finished_at = to_timestamp(:now::float8 / 1000)
where b.id = :id::int and b.state = 'running'
  and not exists (
    select from repos where repos.id >= coalesce((b.cursor ->> 'repo')::int, 0)
      and (b.repo_key is null or repos.owner_key || '/' || repos.name_key = b.repo_key))
  and not exists (select from otlp_outbox o where o.backfill_id = b.id and o.parked_at is null);

-- name: otlp_backfill_list
-- What was noted counts as done once it has left the outbox.
select b.id, b.destination_id as "destinationId", date_part('epoch', b.from_at) * 1000 as "from",
  date_part('epoch', b.to_at) * 1000 as "to", b.repo_key as repo, b.again,
  (b.done - waiting.attempts)::float8 as done, greatest(b.total, b.done)::float8 as total,
  b.rejected::float8 as rejected, b.state, b.started_by as "startedBy",
  date_part('epoch', b.started_at) * 1000 as "startedAt", date_part('epoch', b.finished_at) * 1000 as "finishedAt",
  date_part('epoch', b.resumed_at) * 1000 as "resumedAt", b.resumed_done::float8 as "resumedDone"
from otlp_backfills b
cross join lateral (
  select count(distinct (run_id, run_attempt)) as attempts from otlp_outbox o
  where o.backfill_id = b.id and o.parked_at is null
) waiting
where :id::int is null or b.id = :id::int
order by b.id desc limit :limit::int;

-- name: otlp_backfill_stored
-- Attempts that may be sent, and those of them whose jobs are stored: for 120 days. Each count ends at the limit.
select (select count(*) from (
    select from workflow_runs where status = 'completed'
    union all select from workflow_run_attempts where status = 'completed'
    limit :most::int) stored)::int as attempts,
  (select count(*) from (
    select from attempt_costs
    where part = 0 and stored_at >= to_timestamp(:now::float8 / 1000) - interval '120 days'
    limit :most::int) read)::int as "withJobs";
