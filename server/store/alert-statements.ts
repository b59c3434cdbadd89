import { readStatements } from '../platform/sql-file.ts';

/** The statements of `sql/alerts.sql`. */
export const alertStatements = readStatements('alerts', [
  'rule_statuses',
  'rule_days',
  'put_rule_state',
  'put_due',
  'due_repositories',
  'claim_daily_digests',
  'claim_weekly_digest',
  'miss_weekly_digests',
]);
