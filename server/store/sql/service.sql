-- What the service notes of its own callers and jobs: who sends a request and how many of theirs were accepted lately,
-- which process may do a job at present, and what became of jobs.
-- SQL, because every request asks for its caller, and typed queries take 0.4 ms of the processor longer; because a
-- request is counted and accepted in one statement; and because a lease ends by the database's clock as of the
-- statement, which all processes share.
-- Tests: tests/store/users.test.ts, session-limit.test.ts, service.test.ts, leases.test.ts, tests/access, tests/jobs.

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
