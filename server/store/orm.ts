import type { Log } from '../platform/log.ts';
import { answers } from './answers.ts';
import { auditLog } from './audit.ts';
import { type ConnectionOptions, connect } from './connection.ts';
import { cursors } from './cursors.ts';
import { type Database, databaseOf } from './database.ts';
import { forgetExpired } from './expiry.ts';
import { factShelf } from './facts/fact-shelf.ts';
import { filedIssues } from './filed-issues.ts';
import { identity } from './identity.ts';
import { jobRuns } from './job-runs.ts';
import { leases } from './leases.ts';
import { memberships } from './memberships.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { permissions } from './permissions.ts';
import { rateLimits } from './rate-limits.ts';
import { repositories } from './repositories.ts';
import { rollups } from './rollups.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { trends } from './trends.ts';
import { users } from './users.ts';
import { workflowJobs } from './workflow-jobs.ts';
import { workflowRuns } from './workflow-runs.ts';

export interface StoreOptions extends ConnectionOptions {
  /** Bring the database to this version's shape first; otherwise it must already have it. */
  migrate: boolean;
}

export type Store = ReturnType<typeof storeOf>;

/**
 * Opens the database and what can be asked of it. Instants are epoch milliseconds.
 * @throws DatabaseRefused when it is in use by another process, or was changed by a newer version.
 */
export async function openStore({ migrate: mayMigrate, ...options }: StoreOptions): Promise<Store> {
  const connection = await connect(options);
  try {
    await (mayMigrate ? migrate : requireMigrated)(connection.orm);
    const store = storeOf(databaseOf(connection.orm), options.log, connection.close);
    // Whoever held a lease on the embedded database is gone: it has one process, and that is this one.
    if (connection.embedded) await store.leases.reclaimAll();
    return store;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Everything the rooms above may ask of a database that is ready. */
export function storeOf(database: Database, log: Log, close: () => Promise<void>) {
  const rolled = rollups(database);
  const known = repositories(database);
  return {
    repositories: known,
    cursors: cursors(database),
    runs: workflowRuns(database, rolled),
    jobs: workflowJobs(database, known.known),
    facts: factShelf(database, known.known),
    answers: answers(database),
    identity: identity(database),
    rollups: rolled,
    trends: trends(database, rolled),
    sessions: sessions(database),
    users: users(database),
    memberships: memberships(database),
    permissions: permissions(database),
    audit: auditLog(database),
    settings: settings(database),
    leases: leases(database, log),
    jobRuns: jobRuns(database),
    rateLimits: rateLimits(database),
    filedIssues: filedIssues(database),
    forgetExpired: forgetExpired(database),
    close,
  };
}
