import { readStatements } from '../platform/sql-file.ts';

/** The statements about commits of merged pull requests. */
export const commitStatements = readStatements('habits', [
  'working_habits',
  'commit_shas',
  'habit_coverage',
  'insert_commits',
  'merged_commits',
  'commit_coverage',
]);
