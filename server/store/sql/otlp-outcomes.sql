-- Notes what became of spans that were taken to be sent.
--
-- SQL, because what was sent is deleted and noted in one statement. Whoever changes several rows of the outbox has
-- locked their destination in a statement before (`lockDestination` in server/store/locks.ts), so that nobody waits in
-- a circle. Lists are JSON, one parameter for all of them; instants are epoch milliseconds.
-- A row belongs to whoever took it for as long as `locked_until` is what it was given.
-- Tests: tests/otlp/outbox.test.ts, export.test.ts, locks.test.ts.

-- name: otlp_accept
-- `rejected` spans were not taken, and nobody says which: the first ones count as these. What is repeated after an
-- unknown outcome, or because somebody asked for it, counts as taken as far as it had not been, and is not counted as
-- rejected again. A destination that had to be left alone meanwhile stays so.
with sent as materialized (
  select *, spans - greatest(0, least(spans, :rejected::bigint - coalesce(sum(spans) over (
      order by "runId", attempt, part rows between unbounded preceding and 1 preceding), 0))) as taken
  from jsonb_to_recordset(:rows::jsonb) sent ("runId" bigint, attempt int, part text, spans int, "carriedOver" int)
),
counted as (
  select coalesce(sum(greatest(0, sent.taken - coalesce(known.spans, 0))), 0) as spans,
    coalesce(sum(sent."carriedOver") filter (where known.run_id is null), 0) as carried_over,
    coalesce(sum(sent.spans - sent.taken) filter (where known.run_id is null), 0) as rejected
  from sent
  left join otlp_sent known on known.destination_id = :destination_id::int and known.run_id = sent."runId"
    and known.run_attempt = sent.attempt and known.part = sent.part
),
deleted as (
  delete from otlp_outbox o using sent
  where o.destination_id = :destination_id::int and o.run_id = sent."runId" and o.run_attempt = sent.attempt
    and o.part = sent.part
  returning o.backfill_id, sent.spans - sent.taken as rejected
),
rejected as (
  update otlp_backfills b set rejected = b.rejected + own.rejected
  from (select backfill_id, sum(rejected) as rejected from deleted group by backfill_id) own
  where b.id = own.backfill_id and own.rejected > 0
),
noted as (
  insert into otlp_sent as known (destination_id, run_id, run_attempt, part, at, spans, batch)
  select d.id, "runId", attempt, part, to_timestamp(:now::float8 / 1000), taken, :batch::bigint
  from sent join otlp_destinations d on d.id = :destination_id::int
  on conflict (destination_id, run_id, run_attempt, part) do update
    set at = excluded.at, batch = excluded.batch, spans = greatest(known.spans, excluded.spans)
)
update otlp_destinations set accepted = accepted + counted.spans, carried_over = otlp_destinations.carried_over
    + counted.carried_over, rejected = otlp_destinations.rejected + counted.rejected,
  last_success_at = to_timestamp(:now::float8 / 1000),
  last_error = coalesce(:message::text, case when failures = 0 or otlp_is_paused(next_try_at, moment.now)
    then last_error end),
  failures = case when otlp_is_paused(next_try_at, moment.now) then failures else 0 end,
  next_try_at = case when otlp_is_paused(next_try_at, moment.now) then next_try_at end
from counted, (select to_timestamp(:now::float8 / 1000) as now) moment
where id = :destination_id::int;

-- name: otlp_pause
-- As long as the receiver says, else 1, 2, 4 … 300 s, `jitter` times. Requests that fail side by side are one failure:
-- whether there is a pause is asked of the row that is updated, which a statement that waited for it sees as it is then.
update otlp_destinations set last_error = :error::text,
  failures = case when otlp_is_paused(next_try_at, pause.now) then failures else failures + 1 end,
  next_try_at = case when otlp_is_paused(next_try_at, pause.now) then greatest(next_try_at, pause.until) else
    coalesce(pause.until, pause.now + least(2 ^ least(failures, 30), 300) * :jitter::float8 * interval '1 second') end
from (
  select now, now + :retry_after_ms::float8 * interval '1 millisecond' as until
  from (select to_timestamp(:now::float8 / 1000) as now) moment
) pause
where id = :destination_id::int;

-- name: otlp_renew
update otlp_outbox o set locked_until = to_timestamp(:leased_until::float8 / 1000)
from jsonb_to_recordset(:rows::jsonb) named ("runId" bigint, attempt int, part text, "leasedUntil" float8)
where o.destination_id = :destination_id::int and o.run_id = named."runId" and o.run_attempt = named.attempt
  and o.part = named.part and o.locked_until = to_timestamp(named."leasedUntil" / 1000)
returning o.run_id::float8 as "runId", o.run_attempt as attempt, o.part;

-- name: otlp_release
-- Gives rows back, to be taken again when they are due; jobs that were listed meanwhile are.
update otlp_outbox o set locked_until = null,
  due_at = case when otlp_knows_jobs(o.run_id, o.run_attempt) and exists (
      select from job_readings reading where reading.run_id = o.run_id and reading.run_attempt = o.run_attempt)
    then o.due_at else to_timestamp(named."dueAt" / 1000) end
from jsonb_to_recordset(:rows::jsonb) named ("runId" bigint, attempt int, part text, "dueAt" float8, "leasedUntil" float8)
where o.destination_id = :destination_id::int and o.run_id = named."runId" and o.run_attempt = named.attempt
  and o.part = named.part and o.locked_until = to_timestamp(named."leasedUntil" / 1000);

-- name: otlp_give_up
-- Jobs that did not become known in time.
with deleted as (
  delete from otlp_outbox o
  using jsonb_to_recordset(:rows::jsonb) named ("runId" bigint, attempt int, part text, "leasedUntil" float8)
  where o.destination_id = :destination_id::int and o.run_id = named."runId" and o.run_attempt = named.attempt
    and o.part = named.part and o.locked_until = to_timestamp(named."leasedUntil" / 1000)
  returning 1
)
update otlp_destinations set without_jobs = without_jobs + (select count(*) from deleted)
where id = :destination_id::int;

-- name: otlp_forget
-- Of runs that are stored no longer, with their jobs.
delete from otlp_outbox o
using jsonb_to_recordset(:rows::jsonb) named ("runId" bigint, attempt int, part text)
where o.destination_id = :destination_id::int and o.run_id = named."runId" and o.run_attempt = named.attempt
  and (o.part = named.part or named.part = 'attempt');

-- name: otlp_park
-- The jobs of an attempt that is not taken wait with it.
with parked as (
  update otlp_outbox o set parked_at = to_timestamp(:now::float8 / 1000), locked_until = null, error = :message::text
  where o.destination_id = :destination_id::int and o.run_id = :run_id::bigint and o.run_attempt = :attempt::int
    and (o.part = :part::text or :part::text = 'attempt') and exists (
      select from otlp_outbox taken
      where taken.destination_id = o.destination_id and taken.run_id = o.run_id and taken.run_attempt = o.run_attempt
        and taken.part = :part::text and taken.locked_until = to_timestamp(:leased_until::float8 / 1000))
  returning o.part, o.backfill_id
),
rejected as (
  update otlp_backfills set rejected = rejected + :spans::int
  where id in (select backfill_id from parked where part = :part::text)
)
update otlp_destinations set last_error = :message::text
where id = :destination_id::int and exists (select from parked);

-- name: otlp_resend
-- What a receiver did not take, and what was parked, is sent once more, also where it had rejected everything. It waits
-- from now on, so that nothing of it counts as having waited too long.
with again as (
  update otlp_sent set batch = null where destination_id = :destination_id::int and batch is not null
  returning run_id, run_attempt, part
),
noted as (
  insert into otlp_outbox (destination_id, run_id, run_attempt, part, created_at, due_at)
  select :destination_id::int, run_id, run_attempt, part, to_timestamp(:now::float8 / 1000),
    to_timestamp(:now::float8 / 1000)
  from again order by 1, 2, 3, 4 on conflict do nothing
  returning 1
),
unparked as (
  update otlp_outbox set parked_at = null, error = null, backfill_id = null,
    created_at = to_timestamp(:now::float8 / 1000), due_at = to_timestamp(:now::float8 / 1000)
  where destination_id = :destination_id::int and parked_at is not null
  returning 1
),
counted as (
  update otlp_destinations set state = 'active', next_try_at = null, failures = 0, last_error = null
  where id = :destination_id::int
)
select ((select count(*) from noted) + (select count(*) from unparked))::int as rows;

-- name: otlp_drop
-- Rows that waited too long, and the oldest beyond what a destination may have; a backfill has few at a time. Jobs that
-- nobody knows did not wait for the destination, and may become known until `jobs_before` is later than them.
with outdated as materialized (
  select destination_id, run_id, run_attempt, part,
    part = 'jobs' and parked_at is null and not otlp_knows_jobs(run_id, run_attempt) as is_without_jobs
  from otlp_outbox
  where destination_id = :destination_id::int and created_at < to_timestamp(:before::float8 / 1000)
    and backfill_id is null and (created_at < to_timestamp(:jobs_before::float8 / 1000)
      or part <> 'jobs' or parked_at is not null or otlp_knows_jobs(run_id, run_attempt))
  limit :batch::int
),
deleted as (
  delete from otlp_outbox o using outdated d
  where o.destination_id = d.destination_id and o.run_id = d.run_id and o.run_attempt = d.run_attempt
    and o.part = d.part
  returning d.is_without_jobs
),
counted as (
  update otlp_destinations set dropped = dropped + (select count(*) from deleted where not is_without_jobs),
    without_jobs = without_jobs + (select count(*) from deleted where is_without_jobs)
  where id = :destination_id::int and exists (select from deleted)
)
select count(*)::int as rows from deleted;

-- name: otlp_delete_leftovers
-- What deleted destinations left behind: their numbers are between those that there are, and are not given again, but
-- for that of the environment. Nobody is waited for: what somebody has is deleted another time.
with gap as (
  select id as above, lead(id, 1, 2147483647) over (order by id) as below
  from (select -1 as id union all select id from otlp_destinations) known
),
unsent as materialized (
  select o.* from gap cross join lateral (
    select destination_id, run_id, run_attempt, part from otlp_outbox
    where destination_id > above and destination_id < below limit :batch::int for update skip locked
  ) o limit :batch::int
),
sent as materialized (
  select s.* from gap cross join lateral (
    select destination_id, run_id, run_attempt, part from otlp_sent
    where destination_id > above and destination_id < below limit :batch::int for update skip locked
  ) s limit :batch::int
),
unsent_deleted as (
  delete from otlp_outbox o using unsent u
  where o.destination_id = u.destination_id and o.run_id = u.run_id and o.run_attempt = u.run_attempt and o.part = u.part
  returning 1
),
sent_deleted as (
  delete from otlp_sent s using sent u
  where s.destination_id = u.destination_id and s.run_id = u.run_id and s.run_attempt = u.run_attempt and s.part = u.part
  returning 1
)
select ((select count(*) from unsent_deleted) + (select count(*) from sent_deleted))::int as rows;

-- name: otlp_depth
-- What waits for a destination, but for backfills, counted up to a limit: each count ends there.
with waiting as (
  select part, due_at from otlp_outbox
  where destination_id = :destination_id::int and parked_at is null and backfill_id is null
)
select date_part('epoch', (
    select min(due_at) from waiting where due_at <= to_timestamp(:now::float8 / 1000))) * 1000 as "oldestDueAt",
  (select count(*) from (
    select from waiting where due_at <= to_timestamp(:now::float8 / 1000) limit :most::int) due)::int as due,
  (select count(*) from (
    select from waiting where part = 'jobs' and due_at > to_timestamp(:now::float8 / 1000)
    limit :most::int) later)::int as waiting,
  (select count(*) from (
    select from otlp_outbox where destination_id = :destination_id::int and parked_at is not null
    limit :most::int) aside)::int as parked,
  (select count(*) from (
    select from otlp_sent where destination_id = :destination_id::int and batch is not null
    limit :most::int) in_part)::int as "takenInPart";

-- name: otlp_created_at_rank
-- When the row was noted that has `rank` newer ones; nothing where there are not so many. Rows are looked through only
-- where the table has room for so many: none takes less than 60 bytes.
select date_part('epoch', created_at) * 1000 as "createdAt" from otlp_outbox
where destination_id = :destination_id::int
  and (select pg_relation_size('otlp_outbox')) > :rank::bigint * 60
order by created_at desc offset :rank::bigint limit 1;
