-- Which scopes have changed, recorded in the transaction that changes them, by whichever statement; of a repository by
-- the platform's id. Rows are only added, so that no transaction waits for another, until `merge_changes` replaces
-- several of a scope by a new one.
--
-- SQL, because triggers see every change, that of a cascade included. Applied by migrations; statements of service.sql
-- read the versions.
-- Tests: tests/store/versions.test.ts, tests/store/migrated.test.ts.

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
