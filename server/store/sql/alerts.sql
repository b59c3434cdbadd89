-- What rules found and what is to be sent of it: aggregates of arrays, days without values, and rows inserted from
-- other tables on a condition, which typed queries do not express.
-- Tests: tests/store/alert-days.test.ts, tests/alerts (evaluate, daily-digest, leadership-digest), tests/store/race.test.ts.

-- name: rule_statuses
-- What had too small a sample hides nothing that could be judged. The email of a week counts as its rule's firing.
select rule_id as "ruleId", round(date_part('epoch', max(last_fired_at)) * 1000) as "lastFiredAt",
  round(date_part('epoch', max(last_evaluated_at)) * 1000) as "lastEvaluatedAt",
  (array_agg(last_value order by judged desc, last_value desc nulls last))[1] as "lastValue",
  (array_agg(last_sample order by judged desc, last_value desc nulls last))[1] as "lastSample",
  (array_agg(incomplete order by last_evaluated_at desc))[1] as incomplete
from (
  select rule_id, last_fired_at, last_evaluated_at, last_value, last_sample, judged, incomplete from alert_rule_state
  where :repo_ids::int[] is null or repo_id = any (:repo_ids)
  union all
  select rule_id, finished_at, finished_at, null, null, false, null
  from digest_sends where kind = 'leadership' and status = 'sent'
) evaluation
where rule_id = any (:rule_ids::int[]) group by rule_id;

-- name: rule_days
with days as (
  select (to_timestamp(:now::float8 / 1000) at time zone 'UTC')::date - age as day from generate_series(0, 29) age
),
known as (
  select rule_id, day, max(highest) as highest from alert_rule_days join days using (day)
  where rule_id = any (:rule_ids::int[]) and (:repo_ids::int[] is null or repo_id = any (:repo_ids))
  group by rule_id, day
)
select rule_id as "ruleId", array_agg(highest order by day) as highest
from unnest(:rule_ids::int[]) rule_id cross join days left join known using (rule_id, day) group by rule_id;

-- name: put_rule_state
-- A rule that was deleted, switched off or muted meanwhile stores nothing; any other stays so until all is recorded.
insert into alert_rule_state as stored
  (rule_id, repo_id, last_evaluated_at, last_value, last_sample, breaching, judged, incomplete)
select id, :repo_id::int, to_timestamp(:now::float8 / 1000), :value::float8, :sample::int, :breaching::boolean,
  :judged::boolean, :incomplete::text
from alert_rules
where id = :rule_id::int and enabled and (muted_until is null or muted_until <= to_timestamp(:now::float8 / 1000))
for share
on conflict (rule_id, repo_id) do update set
  last_evaluated_at = excluded.last_evaluated_at, last_value = excluded.last_value,
  last_sample = excluded.last_sample, breaching = excluded.breaching, judged = excluded.judged,
  incomplete = excluded.incomplete
where not :newest_only::boolean or stored.last_evaluated_at <= excluded.last_evaluated_at
returning rule_id;

-- name: put_due
insert into alert_due (repo_id, since)
select id, clock_timestamp() from (select distinct unnest(:repo_ids::int[]) as id) repos
where exists (select from alert_rules where enabled)
on conflict (repo_id) do update set since = excluded.since;

-- name: due_repositories
-- The instant is a text, because milliseconds would not tell two changes apart.
select repos.id, repos.owner, repos.name as repo, repos.default_branch as "defaultBranch", alert_due.since::text
from alert_due join repos on repos.id = alert_due.repo_id order by alert_due.since limit :limit;

-- name: claim_daily_digests
with waiting as (
  select destination, count(*)::int as events from alert_events
  where delivery_status = 'batched' and digest_id is null and destination is not null group by 1
),
made as (
  insert into digest_sends (kind, slot, destination, status, events, started_at)
  select 'daily', :slot, destination, 'claimed', events, to_timestamp(:now::float8 / 1000) from waiting
  order by destination
  returning id, destination
)
update alert_events e set digest_id = made.id from made
where e.delivery_status = 'batched' and e.digest_id is null and e.destination = made.destination;

-- name: claim_weekly_digest
with before as materialized (
  select status from digest_sends where kind = 'leadership' and rule_id = :rule_id::int and slot = :week
)
insert into digest_sends as d (kind, slot, rule_id, destination, status, attempts, events, started_at)
select 'leadership', :week, id, destination, 'claimed', 1, 0, to_timestamp(:now::float8 / 1000) from alert_rules
where id = :rule_id::int and enabled and (muted_until is null or muted_until <= to_timestamp(:now::float8 / 1000))
  and destination is not null
on conflict (rule_id, slot) where kind = 'leadership' do update set
  status = 'claimed', attempts = d.attempts + 1, destination = excluded.destination, finished_at = null
where d.status in ('claimed', 'failed') and d.attempts < :max_attempts::int
returning id::float8 as id, destination, coalesce((select status from before) = 'claimed', false) as "isUnsure";

-- name: miss_weekly_digests
insert into digest_sends (kind, slot, rule_id, destination, status, events, started_at, finished_at)
select 'leadership', :week, id, destination, 'missed', 0, to_timestamp(:now::float8 / 1000),
  to_timestamp(:now::float8 / 1000)
from alert_rules where id = any (:rule_ids::int[]) and destination is not null
on conflict (rule_id, slot) where kind = 'leadership' do nothing
returning rule_id as "ruleId";
