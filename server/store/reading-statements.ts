import { readStatements } from '../platform/sql-file.ts';

/** The statements that read facts, and how far repositories have been read. */
export const readingStatements = readStatements('readings', [
  'runs_known_from',
  'run_versions',
  'pull_requests_since',
  'commits_since',
  'issues_since',
  'deployments_since',
  'releases_since',
  'repository_readings',
]);
