import { readStatements } from '../platform/sql-file.ts';

/** Callers, requests, leases and jobs. */
export const serviceStatements = readStatements('service', [
  'find_caller_by_session',
  'find_caller_by_account',
  'accept_request',
  'count_requests',
  'merge_requests',
  'acquire_lease',
  'renew_lease',
  'fence_lease',
  'abort_orphaned_runs',
  'job_histories',
]);
