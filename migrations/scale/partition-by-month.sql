-- Keeps runs and their attempts in a table for each month of their creation (UTC).
--
-- For PostgreSQL from about 100 million runs on. Take a backup, stop the service, run it once with
--   psql --single-transaction --set ON_ERROR_STOP=1 --file migrations/scale/partition-by-month.sql <address>
-- and then once a month with the service running: it adds the months to come, and drops those that the nightly purge
-- has emptied. Without a month of its own a run goes to the table "later", so a forgotten call loses nothing.
-- The first call copies every run and needs their room on the disk twice.

do $$
declare
  whole text;
  definition text;
begin
  foreach whole in array array['workflow_runs', 'workflow_run_attempts'] loop
    continue when (select relkind = 'p' from pg_class where oid = whole::regclass);
    execute format('alter table %I rename to %I', whole, whole || '_before');
    execute format('create table %I (like %I including defaults) partition by range (created_at)', whole, whole || '_before');
    execute format('create table %I partition of %I default', whole || '_later', whole);
    -- A unique key of a partitioned table holds the column that it is partitioned by.
    if whole = 'workflow_runs' then
      alter table workflow_runs add primary key (id, repo_id, created_at);
    else
      alter table workflow_run_attempts add primary key (id, run_attempt, repo_id, created_at);
    end if;
    for definition in
      select regexp_replace(pg_get_indexdef(indexrelid), '^CREATE INDEX .* ON (ONLY )?.*_before USING',
        format('CREATE INDEX ON %I USING', whole))
      from pg_index where indrelid = (whole || '_before')::regclass and not indisprimary
    loop
      execute definition;
    end loop;
  end loop;
end $$;

-- The months that runs have, this one and the next three.
do $$
declare
  whole text;
  month timestamp;
  part text;
begin
  for whole, month in
    select distinct on (w.name, m) w.name, m
    from (values ('workflow_runs'), ('workflow_run_attempts')) w(name),
      lateral (
        select generate_series(date_trunc('month', now() at time zone 'UTC'),
          date_trunc('month', now() at time zone 'UTC') + interval '3 months', interval '1 month') as m
        union select date_trunc('month', created_at at time zone 'UTC') from workflow_runs_later
        union select date_trunc('month', created_at at time zone 'UTC') from workflow_run_attempts_later
      ) months
    order by w.name, m
  loop
    part := whole || to_char(month, '_YYYY_MM');
    continue when to_regclass(part) is not null;
    execute format('create table %I (like %I including defaults)', part, whole);
    execute format('with moved as (delete from %I where created_at >= %L and created_at < %L returning *)
      insert into %I select * from moved', whole || '_later', month at time zone 'UTC',
      (month + interval '1 month') at time zone 'UTC', part);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', whole, part,
      month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
  end loop;
end $$;

-- What was one table until now.
do $$
declare
  whole text;
  month timestamp;
  part text;
begin
  foreach whole in array array['workflow_runs', 'workflow_run_attempts'] loop
    continue when to_regclass(whole || '_before') is null;
    for month in execute format(
      'select distinct date_trunc(''month'', created_at at time zone ''UTC'') from %I order by 1', whole || '_before')
    loop
      part := whole || to_char(month, '_YYYY_MM');
      continue when to_regclass(part) is not null;
      execute format('create table %I partition of %I for values from (%L) to (%L)', part, whole,
        month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
    end loop;
    execute format('insert into %I select * from %I order by created_at', whole, whole || '_before');
    execute format('drop table %I', whole || '_before');
    -- After the copy, which changes no answer.
    perform record_changes_of(whole, 'record_changed_facts');
    perform otlp_note_attempts_of(whole);
  end loop;
end $$;

-- Months that ended before the stored runs begin, once the purge has emptied them.
do $$
declare
  part text;
  is_empty boolean;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid, rollup_zone
    where i.inhparent in ('workflow_runs'::regclass, 'workflow_run_attempts'::regclass) and c.relname ~ '_\d{4}_\d\d$'
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= kept_from at time zone 'UTC'
  loop
    execute format('select not exists (select from %I)', part) into is_empty;
    if is_empty then
      execute format('drop table %I', part);
    end if;
  end loop;
end $$;
