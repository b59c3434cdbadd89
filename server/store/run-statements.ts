import { readStatements } from '../platform/sql-file.ts';

/** The statements that read stored runs. */
export const runStatements = readStatements('runs', [
  'page',
  'newest_runs',
  'all_attempts',
  'attempts_by_workflow',
  'superseded_attempts',
  'unfinished_runs',
  'successful_runs',
  'missing_attempts',
  'active_repositories',
]);
