import { Migration } from '@mikro-orm/migrations';

/** Sums the jobs that are stored already, as who stores jobs from now on does. */
export const sumStoredJobs = `
  with job as (
    select *, case when status <> 'completed' then null when not is_taken then 0
        when completed_at >= started_at then ceil(extract(epoch from completed_at - started_at) / 60) end as minutes
    from (
      select *, conclusion is distinct from 'skipped' and (conclusion is distinct from 'cancelled'
        or runner_name is not null or jsonb_array_length(steps) > 0) as is_taken
      from workflow_jobs) stored
  ),
  of_attempt as (
    select run_id, run_attempt, min(repo_id) as repo_id, count(*) as jobs, bool_and(detail = 'full') as is_full,
      bool_and(status = 'completed') as is_over, bool_or(is_taken and started_at is not null) as has_begun,
      case when count(completed_at) = count(*) then max(completed_at) end as ended_at
    from job group by run_id, run_attempt
  ),
  known as (
    select run_id, run_attempt, coalesce(reading.repo_id, of_attempt.repo_id) as repo_id,
      coalesce(has_begun, false) as has_begun, ended_at
    from of_attempt full join job_readings reading using (run_id, run_attempt)
    where case when reading.run_id is null then is_full and is_over
      else coalesce(is_full, true) and reading.jobs = coalesce(of_attempt.jobs, 0) end
  )
  insert into attempt_costs (run_id, run_attempt, part, repo_id, labels, runner_group, started_at, jobs, untimed, idle,
    minutes, has_begun, ended_at, stored_at)
  select run_id, run_attempt,
    row_number() over (partition by run_id, run_attempt order by min(job.started_at), min(job.id)) - 1, known.repo_id,
    job.labels, job.runner_group, min(job.started_at), count(job.id), count(job.id) filter (where minutes is null),
    count(*) filter (where minutes = 0), coalesce(sum(minutes), 0), known.has_begun, known.ended_at, now()
  from known join repos on repos.id = known.repo_id left join job using (run_id, run_attempt)
  group by run_id, run_attempt, known.repo_id, known.has_begun, known.ended_at, job.labels, job.runner_group,
    (job.started_at at time zone 'UTC')::date`;

export class Migration20261125012200_attempt_costs extends Migration {
  override name = 'Migration20261125012200_attempt_costs';

  override up(): void {
    this.addSql(
      `create table "attempt_costs" ("run_id" bigint not null, "run_attempt" int not null, "part" smallint not null, "repo_id" int not null, "labels" jsonb null, "runner_group" text null, "started_at" timestamptz null, "jobs" int not null, "untimed" int not null, "idle" int not null, "minutes" int not null, "has_begun" boolean not null, "ended_at" timestamptz null, "stored_at" timestamptz not null, primary key ("run_id", "run_attempt", "part"))`,
    );
    this.addSql(`create index "attempt_costs_by_age" on "attempt_costs" using brin ("stored_at")`);
    this.addSql(`create index "attempt_costs_by_repo" on "attempt_costs" ("repo_id")`);
    this.addSql(
      `alter table "attempt_costs" add constraint "attempt_costs_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade`,
    );
    this.addSql(sumStoredJobs);
  }
}
