import { Migration } from '@mikro-orm/migrations';

/**
 * Drops the sums of jobs known from events alone, as far as their jobs are still stored and can still be listed: that
 * is done for runs of 90 days, of which a week is left for the lists to be read in.
 */
export const dropUnlisted = (since = `now() - interval '83 days'`): string => `
  delete from attempt_costs cost
  where exists (select from workflow_jobs job where job.run_id = cost.run_id and job.run_attempt = cost.run_attempt)
    and not exists (
      select from job_readings reading where reading.run_id = cost.run_id and reading.run_attempt = cost.run_attempt)
    and not exists (
      select from workflow_runs run where run.id = cost.run_id and run.created_at < ${since})`;

/** An attempt of which no list of its jobs was read may lack some: it is listed like any other of which nothing is known. */
export class Migration20261130083000_listed_jobs extends Migration {
  override name = 'Migration20261130083000_listed_jobs';

  override up(): void | Promise<void> {
    this.addSql(dropUnlisted());
  }
}
