-- The service's own state, as against what it knows of repositories: who sends a request and how many of theirs were
-- accepted lately, which process may do a job at present, what became of jobs, what alert rules found and what is to be
-- sent of it.
--
-- SQL, because every request needs its caller, and typed queries take 0.4 ms of the processor longer; because a
-- request is counted and accepted in one statement; because a lease ends by the database's clock as of the statement,
-- which all processes share; because a version is an aggregate of changes; and because rules need aggregates of arrays,
-- days without values, and rows inserted from other tables on a condition, which typed queries do not express.
-- Tests: tests/store/versions.test.ts, users.test.ts, session-limit.test.ts, service.test.ts, leases.test.ts,
-- alert-days.test.ts, race.test.ts, tests/access, tests/jobs, tests/alerts (evaluate, daily-digest, leadership-digest).

-- name: find_caller_by_session
select u.codehost_id::float8 as id, u.login, u.name, u.avatar_url as "avatarUrl",
  date_part('epoch', u.last_seen_at) * 1000 as "lastSeenAt",
  array(select g.group_name from user_groups g where g.codehost_id = u.codehost_id order by g.group_name) as groups,
  array(select distinct p.flag from group_permissions p join user_groups g using (group_name)
        where g.codehost_id = u.codehost_id and p.granted) as flags
from sessions s join users u using (codehost_id)
where s.id_hash = :id_hash and s.revoked_at is null and s.expires_at > to_timestamp(:now::float8 / 1000);

-- name: find_caller_by_account
select u.codehost_id::float8 as id, u.login, u.name, u.avatar_url as "avatarUrl",
  date_part('epoch', u.last_seen_at) * 1000 as "lastSeenAt",
  array(select g.group_name from user_groups g where g.codehost_id = u.codehost_id order by g.group_name) as groups,
  array(select distinct p.flag from group_permissions p join user_groups g using (group_name)
        where g.codehost_id = u.codehost_id and p.granted) as flags
from users u
where u.codehost_id = :codehost_id;

-- name: find_access_token
-- A live access token with its account, which has no user in standalone mode.
select t.id::float8 as id, t.kind, t.account_id::float8 as "accountId", t.name, t.features, t.sealed,
  t.platform_token_hash as "platformTokenHash",
  date_part('epoch', t.expires_at) * 1000 as "expiresAt", date_part('epoch', t.last_used_at) * 1000 as "lastUsedAt",
  t.broken_at is not null as "isBroken", u.codehost_id is not null as "isKnown",
  array(select g.group_name from user_groups g where g.codehost_id = u.codehost_id order by g.group_name) as groups,
  array(select distinct p.flag from group_permissions p join user_groups g using (group_name)
        where g.codehost_id = u.codehost_id and p.granted) as flags
from access_tokens t left join users u on u.codehost_id = t.account_id
where t.id_hash = :id_hash and t.revoked_at is null and t.expires_at > to_timestamp(:now::float8 / 1000);

-- name: outdated_shares
-- Shares that may stay no longer, with links that have expired since. `features` has what a kind of badge requires of its maker. A repository that is not known leaves its badges as they are: they are answered 404.
select s.id::float8 as id,
  case when is_expired then 'expired' when left_by_maker then 'maker_left'
    when is_not_granted then 'feature_revoked' else 'repository_private' end as reason
from shares s cross join lateral (
  select :is_organization::boolean
      and not exists (select from user_groups g where g.codehost_id = s.account_id) as left_by_maker,
    s.kind = 'badge' and :features::jsonb ->> s.page is not null
      and not exists (select from user_groups g where g.codehost_id = s.account_id and g.group_name = 'admin')
      and not exists (select from user_groups g join group_permissions p using (group_name)
                      where g.codehost_id = s.account_id and p.granted and p.flag = :features::jsonb ->> s.page)
      as is_not_granted,
    s.kind = 'link' and s.expires_at <= to_timestamp(:now::float8 / 1000) as is_expired,
    s.kind = 'badge' and s.expires_at is null and exists (
      select from repos r where r.private and r.codehost_repo_id = (s.params ->> 'repository_id')::bigint) as is_private
) why
where s.revoked_at is null
  and (is_expired or (coalesce(s.expires_at, 'infinity') > to_timestamp(:now::float8 / 1000)
    and (left_by_maker or is_not_granted or is_private)))
order by s.id;

-- name: note_open
update shares set opens_by_day = jsonb_set(
  opens_by_day, array[:day::text], to_jsonb(coalesce((opens_by_day ->> :day::text)::int, 0) + 1))
where id = :id::bigint;

-- name: accept_request
-- Adds a request where there is room within the window, atomically: concurrent requests wait for each other on the row.
insert into rate_limits as counter (key, hits, updated_at)
select :key, array[:now::bigint], to_timestamp(:now::float8 / 1000) where :max::int > 0
on conflict (key) do update set
  hits = array(select hit from unnest(counter.hits) hit where hit > :now::bigint - :window_ms::bigint order by hit)
    || :now::bigint,
  updated_at = excluded.updated_at
where cardinality(
  array(select hit from unnest(counter.hits) hit where hit > :now::bigint - :window_ms::bigint)) < :max::int
returning cardinality(counter.hits) as count, counter.hits[1]::float8 as oldest;

-- name: count_requests
select count(*)::int as count, min(hit)::float8 as oldest
from rate_limits, unnest(hits) hit where key = :key and hit > :now::bigint - :window_ms::bigint;

-- name: merge_requests
-- In the order of keys, so that two processes that count requests of the same sessions do not wait for each other in a
-- circle.
insert into rate_limits as counter (key, hits, updated_at)
select key, hits, to_timestamp(:now::float8 / 1000) from jsonb_to_recordset(:accepted::jsonb) as sent(key text, hits bigint[])
order by key
on conflict (key) do update set
  hits = array(select hit from unnest(counter.hits || excluded.hits) hit where hit > :since::bigint order by hit),
  updated_at = excluded.updated_at
returning key, hits::float8[] as hits;

-- name: acquire_lease
insert into job_leases as held (job, holder, acquired_at, expires_at)
values (:job, :holder, clock_timestamp(), clock_timestamp() + :ttl_ms::int * interval '1 millisecond')
on conflict (job) do update
  set holder = excluded.holder, acquired_at = excluded.acquired_at, expires_at = excluded.expires_at
  where held.expires_at < clock_timestamp() or held.holder = excluded.holder
returning job;

-- name: renew_lease
update job_leases set expires_at = clock_timestamp() + :ttl_ms::int * interval '1 millisecond'
where job = :job and holder = :holder and expires_at >= clock_timestamp()
returning job;

-- name: fence_lease
select job from job_leases where job = :job and holder = :holder and expires_at >= clock_timestamp() for share;

-- name: abort_orphaned_runs
update job_runs r set status = 'aborted', finished_at = to_timestamp(:now::float8 / 1000)
where status = 'running'
  and started_at < to_timestamp(:now::float8 / 1000)
    - case trigger when 'manual' then interval '5 minutes' else interval '30 seconds' end
  and not exists (select from job_leases l
    where l.job in (r.job, 'job:' || r.job) and l.expires_at >= clock_timestamp())
returning id;

-- name: job_histories
-- By the index of the table over jobs and time.
select requested.job,
  (select round(date_part('epoch', started_at) * 1000) from job_runs where job = requested.job
   order by started_at limit 1) as "firstStartedAt",
  (select round(date_part('epoch', finished_at) * 1000) from job_runs
   where job = requested.job and status in ('done', 'partial') and trigger <> 'manual'
   order by started_at desc limit 1) as "lastEndedAt"
from unnest(:jobs::text[]) requested (job);

-- name: rule_statuses
-- What had too small a sample hides nothing that could be judged, and values are of what the rule still watches and was
-- evaluated lately. The email of a week counts as its rule's firing.
select rule_id as "ruleId", round(date_part('epoch', max(last_fired_at)) * 1000) as "lastFiredAt",
  round(date_part('epoch', max(last_evaluated_at)) * 1000) as "lastEvaluatedAt",
  (array_agg(last_value order by judged desc, last_value desc nulls last) filter (where counts))[1] as "lastValue",
  (array_agg(last_sample order by judged desc, last_value desc nulls last) filter (where counts))[1] as "lastSample",
  (array_agg(judged order by judged desc, last_value desc nulls last) filter (where counts))[1] as "lastJudged",
  (array_agg(incomplete order by last_evaluated_at desc) filter (where counts))[1] as incomplete
from (
  select rule_id, last_fired_at, last_evaluated_at, last_value, last_sample, judged, incomplete,
    last_evaluated_at >= to_timestamp(fresh_since / 1000) and exists (
      select from alert_rules join repos on repos.id = repo_id
      where alert_rules.id = rule_id and repos.unreachable_since is null
        and case scope_kind when 'org' then repos.tracked and repos.owner_key = scope_key
          else repos.owner_key || '/' || repos.name_key = scope_key end
    ) as counts
  from alert_rule_state join unnest(:rule_ids::int[], :fresh_since::float8[]) rule (rule_id, fresh_since) using (rule_id)
  where :repo_ids::int[] is null or repo_id = any (:repo_ids)
  union all
  select rule_id, finished_at, finished_at, null, null, false, null, false
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
-- A rule that was deleted, switched off, muted or given other limits or another destination meanwhile stores nothing,
-- nor does one of which a newer evaluation is stored; any other stays so until all is recorded.
insert into alert_rule_state as stored
  (rule_id, repo_id, last_evaluated_at, last_value, last_sample, breaching, judged, incomplete)
select id, :repo_id::int, to_timestamp(:now::float8 / 1000), :value::float8, :sample::int, :breaching::boolean,
  :judged::boolean, :incomplete::text
from alert_rules
where id = :rule_id::int and enabled and (muted_until is null or muted_until <= to_timestamp(:now::float8 / 1000))
  and threshold = :threshold::float8 and window_hours = :window_hours::int
  and min_sample is not distinct from :min_sample::int and destination is not distinct from :destination::text
for share
on conflict (rule_id, repo_id) do update set
  last_evaluated_at = excluded.last_evaluated_at, last_value = excluded.last_value,
  last_sample = excluded.last_sample, breaching = excluded.breaching, judged = excluded.judged,
  incomplete = excluded.incomplete
where stored.last_evaluated_at <= excluded.last_evaluated_at
returning rule_id;

-- name: put_due
insert into alert_due (repo_id, since)
select id, clock_timestamp() from (select distinct unnest(:repo_ids::int[]) as id) repos
where exists (select from alert_rules where enabled)
on conflict (repo_id) do update set since = excluded.since;

-- name: due_repositories
-- The instant is a text, because milliseconds would not distinguish two changes.
select repos.id, repos.owner, repos.name as repo, repos.default_branch as "defaultBranch", alert_due.since::text
from alert_due join repos on repos.id = alert_due.repo_id order by alert_due.since limit :limit;

-- name: claim_daily_digests
-- Of each destination one a day, however often the job goes on with its slot, and none beside one that is not sent yet.
with waiting as (
  select destination, count(*)::int as events from alert_events
  where delivery_status = 'batched' and digest_id is null and destination is not null
    and destination not in (
      select destination from digest_sends where kind = 'daily' and (slot = :slot or status = 'claimed')
    )
  group by 1
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

-- name: skip_message_ids
-- Of everything that ids of sent messages are made of.
select setval(sequence, nextval(sequence) + :skipped::int)
from (
  select pg_get_serial_sequence(name, 'id')::regclass as sequence
  from unnest(array['alert_rules', 'alert_events', 'digest_sends']) name
) numbered;

-- name: versions_of_scopes
-- Of exactly the rows that are there: a change adds one, and a merge that takes it away adds a newer one, so that no set
-- comes back. Their number and the newest are not enough, while others commit around a merge.
select scope, md5(string_agg(id::text, ',' order by id)) as version
from changes where scope = any(:scopes::text[]) group by scope;

-- name: merge_changes
-- Puts one new row in place of several of a scope.
with merged as (
  delete from changes where scope in (select scope from changes group by scope having count(*) > 1) returning scope
),
added as (insert into changes (scope) select distinct scope from merged)
select count(*)::int as rows from merged;
