import { Migration } from '@mikro-orm/migrations';

/** The re-runs of which all jobs are stored, with their jobs. */
const storedReruns = `
  with job as (
    select *, case when status <> 'completed' then null when not is_taken then 0
        when completed_at >= started_at then ceil(extract(epoch from completed_at - started_at) / 60) end as minutes
    from (
      select *, conclusion is distinct from 'skipped' and (conclusion is distinct from 'cancelled'
        or runner_name is not null or jsonb_array_length(steps) > 0) as is_taken
      from workflow_jobs where run_attempt > 1) stored
  ),
  of_attempt as (
    select run_id, run_attempt, min(repo_id) as repo_id, count(*) as jobs, bool_and(detail = 'full') as is_full,
      bool_and(status = 'completed') as is_over,
      case when count(completed_at) = count(*) then max(completed_at) end as ended_at
    from job group by run_id, run_attempt
  ),
  known as (
    select run_id, run_attempt, coalesce(reading.repo_id, of_attempt.repo_id) as repo_id, ended_at
    from of_attempt left join job_readings reading using (run_id, run_attempt)
    where case when reading.run_id is null then is_full and is_over else is_full and reading.jobs = of_attempt.jobs end
  )`;

/** Sums the stored jobs of re-runs one by one, as who stores jobs from now on does. */
export const splitReruns = [
  `${storedReruns}
  delete from attempt_costs cost using known
  where cost.run_id = known.run_id and cost.run_attempt = known.run_attempt`,
  `${storedReruns}
  insert into attempt_costs (run_id, run_attempt, part, repo_id, labels, runner_group, started_at, jobs, untimed, idle,
    minutes, has_begun, ended_at, completed_at, stored_at)
  select run_id, run_attempt,
    row_number() over (partition by run_id, run_attempt order by job.started_at, job.id) - 1, known.repo_id,
    job.labels, job.runner_group, job.started_at, 1, (minutes is null)::int, coalesce(minutes = 0, false)::int,
    coalesce(minutes, 0), is_taken and job.started_at is not null, known.ended_at, job.completed_at, now()
  from known join repos on repos.id = known.repo_id join job using (run_id, run_attempt)`,
];

/**
 * A re-run has a part for each job, so that those that it only lists can be left out. Of re-runs whose jobs were deleted
 * the sums stay as they are.
 */
export class Migration20261130055800_rerun_job_costs extends Migration {
  override name = 'Migration20261130055800_rerun_job_costs';

  override up(): void | Promise<void> {
    this.addSql(`alter table "attempt_costs" add "completed_at" timestamptz null;`);
    for (const statement of splitReruns) this.addSql(statement);
  }
}
