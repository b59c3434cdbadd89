import { actionAdvisories } from './action-advisories.ts';
import { attemptDownloads } from './attempt-downloads.ts';
import { attemptLogs } from './attempt-logs.ts';
import type { Database } from './database.ts';
import { exposedRuns } from './exposed-runs.ts';
import { exposedUses } from './exposed-uses.ts';
import { sampledLogs } from './sampled-logs.ts';

/** What shows whether runs used something that was compromised. */
export const exposure = (database: Database) => ({
  ...exposedRuns(database),
  ...exposedUses(database),
  ...attemptLogs(database),
  ...attemptDownloads(database),
  ...sampledLogs(database),
  ...actionAdvisories(database),
});
