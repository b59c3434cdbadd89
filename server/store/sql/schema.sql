-- What entities cannot express of their tables: what is rejected, notified and recorded (triggers with their functions),
-- how tables are stored, and the rows that every database begins with. Applied by migrations.
-- Tests: tests/store/migrated.test.ts, audit.test.ts, identity.test.ts, notices.test.ts, permissions.test.ts,
-- versions.test.ts, tests/otlp/outbox.test.ts.

-- name: baseline
-- The audit log is append-only; each entry carries the hash of the one before it, so that a changed or removed entry
-- shows. Entries get their number under the lock, so that the order of numbers is the order of the chain.
create or replace function audit_log_hash(entry audit_log)
 returns bytea
 language sql
 stable
as $$
    select sha256(convert_to(jsonb_build_array(
      entry.id, (extract(epoch from entry.at) * 1000000)::bigint, entry.category, entry.action, entry.actor_id,
      entry.actor_login, entry.target_type, entry.target, entry.before, entry.after, entry.request_id, entry.note,
      encode(entry.previous_hash, 'hex'))::text, 'UTF8'))
  $$;

create or replace function audit_log_chain()
 returns trigger
 language plpgsql
as $$
    declare
      last record;
    begin
      perform pg_advisory_xact_lock(7246116);
      select id, hash into last from audit_log order by id desc limit 1;
      new.id := coalesce(last.id, 0) + 1;
      new.previous_hash := last.hash;
      new.hash := audit_log_hash(new);
      return new;
    end
  $$;

create or replace trigger audit_log_chain before insert on audit_log
  for each row execute function audit_log_chain();

create or replace function audit_log_refuse()
 returns trigger
 language plpgsql
as $$
    begin
      raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
    end
  $$;

create or replace trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_log_refuse();

-- The lock makes writers wait for each other: two at once could each add one half of a chain.
create or replace function identity_links_refuse_chain()
 returns trigger
 language plpgsql
as $$
    begin
      perform pg_advisory_xact_lock(7246115);
      if exists (select from identity_links l join identity_links p on p.alias_key = l.primary_key
                 where new.alias_key in (l.alias_key, p.alias_key)) then
        raise exception 'The primary of an identity link is never an alias itself.'
          using errcode = 'check_violation', constraint = 'identity_links_no_chain', table = 'identity_links';
      end if;
      return null;
    end
  $$;

create or replace trigger identity_links_no_chain after insert or update on identity_links
  for each row execute function identity_links_refuse_chain();

-- Sent with the change itself, whichever statement makes it: other processes drop what they cached of it.
create or replace function notify_processes()
 returns trigger
 language plpgsql
as $$
    begin
      perform pg_notify('delivery_notices', tg_argv[0]);
      return null;
    end $$;

create or replace trigger sessions_ended after update of revoked_at on sessions
  for each statement execute function notify_processes('sessions');

-- Counters of the last minutes may be lost in a crash, and a request need not wait for the disk.
alter table rate_limits set unlogged;

insert into rollup_zone (zone, rebuild_through) values ('UTC', 0);

-- What the four editable groups may do until an administrator changes it.
insert into group_permissions (group_name, flag, granted, updated_by, updated_at)
select group_name, flag, true, 'system', now()
from (values
  ('devops', 'dora prLifecycle deployments anomalyDetection performanceTab reliabilityTab runnerUtilization
    teamInsights reviewBottleneck busFactor issueHealth securityScan securityAlerts auditTrail
    orgOverview healthScorecard costAnalytics reports dataSync alerts aiInsights
    codehostIssueFromAnomaly'),
  ('security', 'securityScan securityAlerts auditTrail orgOverview alerts'),
  ('dev', 'dora prLifecycle deployments anomalyDetection performanceTab reliabilityTab teamInsights
    reviewBottleneck busFactor issueHealth securityScan orgOverview reports alerts aiInsights
    codehostIssueFromAnomaly'),
  ('pm', 'dora prLifecycle deployments teamInsights reviewBottleneck busFactor contributorProfile issueHealth
    orgOverview healthScorecard costAnalytics reports alerts aiInsights')
) granted (group_name, flags) cross join lateral regexp_split_to_table(flags, '\s+') flag;

-- name: recorded_changes
-- Which scopes have changed, recorded in the transaction that changes them, by whichever statement; of a repository by
-- the platform's id. Rows are only added, so that no transaction waits for another, until `merge_changes` replaces
-- several of a scope by a new one. Triggers see every change, that of a cascade included; statements of service.sql read
-- the versions.

create or replace function record_change()
 returns trigger
 language plpgsql
as $$
    begin
      insert into changes (scope) values (tg_argv[0]);
      return null;
    end $$;

create or replace function record_changed_facts()
 returns trigger
 language plpgsql
as $$
    begin
      insert into changes (scope)
      select 'repo:' || codehost_repo_id
      from (select distinct repo_id from changed) touched join repos on repos.id = touched.repo_id
      union all select 'facts' from changed having count(*) > 0;
      return null;
    end $$;

create or replace function record_changed_accounts()
 returns trigger
 language plpgsql
as $$
    begin
      insert into changes (scope) select 'accounts' from changed having count(*) > 0;
      return null;
    end $$;

create or replace function record_changed_repositories()
 returns trigger
 language plpgsql
as $$
    begin
      insert into changes (scope)
      select 'repo:' || codehost_repo_id from changed
      union all select 'facts' from changed having count(*) > 0;
      return null;
    end $$;

-- A table that is created anew, as in months, is given its triggers by this function too.
create or replace function record_changes_of(name text, recorder text)
 returns void
 language plpgsql
as $$
    begin
      execute format('create or replace trigger recorded_insert after insert on %I
        referencing new table as changed for each statement execute function %I()', name, recorder);
      execute format('create or replace trigger recorded_update after update on %I
        referencing new table as changed for each statement execute function %I()', name, recorder);
      execute format('create or replace trigger recorded_delete after delete on %I
        referencing old table as changed for each statement execute function %I()', name, recorder);
    end $$;

do $$
declare
  name text;
begin
  foreach name in array array['workflow_runs', 'workflow_run_attempts', 'workflow_jobs', 'job_readings', 'attempt_costs',
    'repo_day', 'org_member', 'sync_cursors', 'fact_sync_state', 'pr_facts', 'commit_facts', 'branch_commits', 'issue_facts',
    'deployment_facts', 'release_facts'] loop
    perform record_changes_of(name, 'record_changed_facts');
  end loop;
end $$;

select record_changes_of('repos', 'record_changed_repositories');
select record_changes_of('accounts', 'record_changed_accounts');

create or replace trigger recorded_change after insert or update or delete on settings
  for each statement execute function record_change('settings');
create or replace trigger recorded_change after insert or update or delete on rollup_zone
  for each statement execute function record_change('settings');
create or replace trigger recorded_change after insert or update or delete on identity_links
  for each statement execute function record_change('links');
create or replace trigger recorded_change after insert or update or delete on distinct_pairs
  for each statement execute function record_change('links');

-- name: otlp_outbox
-- Spans to be sent are noted in the transaction that stores an attempt of a run, by whichever statement. The part
-- `attempt` is of the run alone; the part `jobs` waits until all jobs are known, for seven days at most. What was sent
-- is not noted again. Without an enabled destination a statement that stores runs costs one look more. Whoever stores
-- runs or jobs waits for nobody who sends them: no lock on destinations, and none on rows that others have.

-- Rows are updated when they are taken and when they fail.
alter table otlp_outbox set (fillfactor = 70);

-- Whether a trace is among the share of a destination: by the first 32 bits of its id (server/otlp/ids.ts).
create or replace function otlp_is_sampled(ratio float8, host text, repo_id bigint, run_id bigint, attempt int)
 returns boolean
 language sql
 stable
as $$
    select ratio >= 1 or ('x' || encode(substr(sha256(convert_to(
      concat_ws('|', 'das:trace:v1', host, repo_id, run_id, attempt), 'UTF8')), 1, 4), 'hex'))::bit(32)::bigint
      < ratio * 4294967296
  $$;

-- Whether a destination with these options takes an attempt.
create or replace function otlp_takes(options jsonb, repo repos, workflow_name text, event text, head_branch text,
  run_id bigint, attempt int)
 returns boolean
 language sql
 stable
as $$
    select (options -> 'owners' = '[]' or options -> 'owners' ? repo.owner_key)
      and (options -> 'repos' = '[]' or options -> 'repos' ? (repo.owner_key || '/' || repo.name_key))
      and (options -> 'workflows' = '[]' or exists (
        select from jsonb_array_elements_text(options -> 'workflows') name where lower(name) = lower(workflow_name)))
      and (not (options ->> 'only_default_branch')::boolean
        or head_branch = repo.default_branch and event not in ('pull_request', 'pull_request_target'))
      and otlp_is_sampled((options ->> 'sample_ratio')::float8, options ->> 'host', repo.codehost_repo_id, run_id,
        attempt)
  $$;

-- Whether all jobs of an attempt are stored: as many as were read, or those that events brought, once they have ended.
create or replace function otlp_knows_jobs(run_id bigint, attempt int)
 returns boolean
 language sql
 stable
as $$
    select case when reading.jobs is null then coalesce(stored.are_over, false) else stored.jobs >= reading.jobs end
    from (
      select count(*) as jobs, bool_and(j.status = 'completed') as are_over from workflow_jobs j
      where j.run_id = otlp_knows_jobs.run_id and j.run_attempt = otlp_knows_jobs.attempt
    ) stored
    left join job_readings reading
      on reading.run_id = otlp_knows_jobs.run_id and reading.run_attempt = otlp_knows_jobs.attempt
  $$;

-- Whether a destination is left alone at a moment. A pause that ends later was noted by a clock that was set back.
create or replace function otlp_is_paused(next_try_at timestamptz, moment timestamptz)
 returns boolean
 language sql
 immutable
as $$
    select coalesce(next_try_at > moment and next_try_at <= moment + interval '20 minutes', false)
  $$;

create or replace function otlp_note_attempts()
 returns trigger
 language plpgsql
as $$
    begin
      if not exists (select from otlp_destinations where enabled) then
        return null;
      end if;
      -- What jobs tell of a wait is no news of an attempt, which may have ended before there was a destination.
      if tg_op = 'UPDATE' then
        if not exists (
          select from changed c where not exists (
            select from previous p where p.repo_id = c.repo_id and p.id = c.id and p.run_attempt = c.run_attempt
              and p.job_wait_ms is distinct from c.job_wait_ms)) then
          return null;
        end if;
      end if;
      insert into otlp_outbox (destination_id, run_id, run_attempt, part, created_at, due_at)
      select d.id, c.id, c.run_attempt, part, c.synced_at, c.synced_at + interval '60 seconds'
      from changed c
      join repos r on r.id = c.repo_id
      join otlp_destinations d
        on d.enabled and otlp_takes(d.options, r, c.workflow_name, c.event, c.head_branch, c.id, c.run_attempt)
      cross join unnest(array['attempt', 'jobs']) part
      where c.status = 'completed' and c.completed_at is not null
        and (part = 'attempt' or c.completed_at > c.synced_at - interval '7 days')
        and not exists (
          select from otlp_sent s where s.destination_id = d.id and s.run_id = c.id and s.run_attempt = c.run_attempt
            and s.part = part.part)
      order by 1, 2, 3, 4
      on conflict do nothing;
      return null;
    end $$;

-- Once all jobs of an attempt are read, its part need not wait for its next turn; a row that somebody has does.
create or replace function otlp_note_jobs()
 returns trigger
 language plpgsql
as $$
    begin
      with waiting as materialized (
        select o.destination_id, o.run_id, o.run_attempt, c.read_at
        from changed c join otlp_outbox o on o.run_id = c.run_id and o.run_attempt = c.run_attempt
        where o.part = 'jobs' and o.due_at > c.read_at and o.created_at + interval '60 seconds' < o.due_at
        for update of o skip locked
      )
      update otlp_outbox o set due_at = w.read_at
      from waiting w
      where o.destination_id = w.destination_id and o.run_id = w.run_id and o.run_attempt = w.run_attempt
        and o.part = 'jobs';
      return null;
    end $$;

-- A table that is created anew, as in months, is given its triggers by this function too.
create or replace function otlp_note_attempts_of(name text)
 returns void
 language plpgsql
as $$
    begin
      execute format('create or replace trigger otlp_insert after insert on %I
        referencing new table as changed for each statement execute function otlp_note_attempts()', name);
      execute format('create or replace trigger otlp_update after update on %I
        referencing old table as previous new table as changed
        for each statement execute function otlp_note_attempts()', name);
    end $$;

select otlp_note_attempts_of('workflow_runs');
select otlp_note_attempts_of('workflow_run_attempts');

create or replace trigger otlp_insert after insert on job_readings
  referencing new table as changed for each statement execute function otlp_note_jobs();
create or replace trigger otlp_update after update on job_readings
  referencing new table as changed for each statement execute function otlp_note_jobs();
