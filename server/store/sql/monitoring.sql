-- What `/metrics` shows of what is stored.
--
-- SQL, because one statement gathers counts of many tables, so that a scrape waits for the database once, and because
-- the sizes of tables and the queue's own tables are no entities.
-- Each row is one value: the metric family, or a name that no family has, with the labels.
-- Tests: tests/store/monitoring.test.ts.

-- name: service_metrics
with moment as (select to_timestamp(:now::float8 / 1000) as now)
select 'das_access_tokens' as family, jsonb_build_object('kind', kind, 'state', state) as labels,
  count(*)::float8 as value
from (
  select kind, case
    when revoked_at is not null then 'revoked'
    when expires_at <= now then 'expired'
    when broken_at is not null then 'broken'
    when expires_at <= now + interval '7 days' then 'expiring'
    else 'live' end as state
  from access_tokens, moment
) tokens group by kind, state
union all
select 'das_database_size_bytes', '{}', pg_database_size(current_database())::float8
union all
-- A table that was never analyzed has no estimate. Parts of a table are counted with it.
select 'das_database_rows', jsonb_build_object('relation', relation),
  sum(reltuples) filter (where reltuples >= 0)::float8
from unnest(:relations::text[]) relation
join pg_class on pg_class.oid = relation::regclass
  or pg_class.oid in (select inhrelid from pg_inherits where inhparent = relation::regclass)
group by relation
union all
select 'das_job_runs', jsonb_build_object('job', job, 'status', status), count(*)::float8
from job_runs where status <> 'running' group by job, status
union all
select 'das_job_last_success_timestamp_seconds', jsonb_build_object('job', job), (
  select date_part('epoch', finished_at) from job_runs
  where job_runs.job = requested.job and status = 'done' order by started_at desc limit 1)
from unnest(:jobs::text[]) requested (job)
union all
select 'das_job_last_duration_seconds', jsonb_build_object('job', job), (
  select date_part('epoch', finished_at - started_at) from job_runs
  where job_runs.job = requested.job and status in ('done', 'partial', 'failed') order by started_at desc limit 1)
from unnest(:jobs::text[]) requested (job)
union all
-- As `job_histories` has them.
select 'job_first_started', jsonb_build_object('job', job), (
  select date_part('epoch', started_at) from job_runs where job_runs.job = requested.job order by started_at limit 1)
from unnest(:jobs::text[]) requested (job)
union all
select 'job_last_ended', jsonb_build_object('job', job), (
  select date_part('epoch', finished_at) from job_runs
  where job_runs.job = requested.job and status in ('done', 'partial') and trigger <> 'manual'
  order by started_at desc limit 1)
from unnest(:jobs::text[]) requested (job)
union all
select 'das_alert_events', jsonb_build_object('channel', channel), count(*)::float8
from alert_events where not is_test group by channel
union all
select 'das_alert_deliveries', jsonb_build_object('channel', channel, 'status', delivery_status), count(*)::float8
from alert_events where not is_test and delivery_status in ('sent', 'failed') group by channel, delivery_status
union all
select 'das_otlp_spans', jsonb_build_object('destination', id::text, 'outcome', outcome), spans::float8
from otlp_destinations cross join lateral (values ('accepted', accepted), ('rejected', rejected)) counted (outcome, spans)
union all
select 'das_otlp_outbox_rows', jsonb_build_object('destination', d.id::text), count(o.run_id)::float8
from otlp_destinations d left join otlp_outbox o on o.destination_id = d.id and o.parked_at is null
group by d.id
union all
-- What a destination that is off or a backfill has to be sent waits on purpose.
select 'das_otlp_oldest_due_age_seconds', jsonb_build_object('destination', d.id::text), coalesce(
  date_part('epoch', now - (
    select min(due_at) from otlp_outbox o
    where o.destination_id = d.id and d.enabled and o.parked_at is null and o.backfill_id is null and due_at <= now)), 0)
from otlp_destinations d, moment
union all
select 'das_mail_up', '{}', case when last_error_at > coalesce(last_success_at, '-infinity') then 0 else 1 end::float8
from mail_status where coalesce(last_success_at, last_error_at) is not null
union all
select 'ai_tokens_of_day', '{}', coalesce((
  select prompt_tokens + completion_tokens + reserved from ai_usage_daily, moment
  where day = (now at time zone 'UTC')::date), 0)::float8
union all
-- What rows of their own no longer show.
select name, labels, value from counters
union all
select 'queue_exists', '{}', (to_regclass('queue.job') is not null)::int::float8;

-- name: queue_metrics
-- An item is as old as the time since it could be done: one that is tried again later waits on purpose.
select name as queue, case when state = 'active' then 'active' else 'waiting' end as state, count(*)::float8 as items,
  coalesce(date_part('epoch', now() - min(greatest(created_on, start_after)) filter (where start_after <= now())), 0)
    as "oldestSeconds"
from queue.job where state in ('created', 'retry', 'active') and name = any(:queues::text[])
group by 1, 2;

-- name: exported_values
select owner_key as owner, name_key as repo, family, labels, value, n,
  round(date_part('epoch', as_of) * 1000) as "asOf"
from exported_values join repos on repos.id = exported_values.repo_id
where tracked and not (:is_public::boolean and (private or unreachable_since is not null))
order by owner_key, name_key;
