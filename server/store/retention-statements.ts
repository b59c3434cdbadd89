import { readStatements } from '../platform/sql-file.ts';

/** The statements that delete what is stored no longer. */
export const retentionStatements = readStatements('retention', [
  'seal_days',
  'workflow_runs',
  'workflow_run_attempts',
  'repo_day',
  'commit_facts',
  'repositories_with_old_facts',
  'job_readings',
  'workflow_jobs',
  'webhook_deliveries',
  'job_runs',
  'alert_rule_days',
  'alert_events',
  'digest_sends',
  'sessions',
]);
