import { readStatements } from '../platform/sql-file.ts';

/** The statements that store runs, webhook deliveries and jobs. */
export const intakeStatements = readStatements('intake', [
  'insert_accounts',
  'upsert_runs',
  'insert_deliveries',
  'delete_run',
  'upsert_jobs',
  'delete_other_jobs',
  'upsert_job_readings',
  'jobs_of_attempts',
]);
