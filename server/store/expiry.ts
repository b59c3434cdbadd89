import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import type { Database } from './database.ts';
import { forgetEnded } from './invitations.ts';

/** Deletes what has expired and may be lost at any time; `purge` deletes what is stored long. Answers how many rows. */
export const forgetExpired =
  (database: Database) =>
  async (now: Instant): Promise<number> => {
    const { db } = database;
    const dayAgo = now - dayMs;
    const deletions = [
      db.deleteFrom('rate_limits').where('updatedAt', '<', dayAgo),
      db.deleteFrom('job_leases').where('expiresAt', '<', dayAgo),
      db.deleteFrom('cached_answers').where('expiresAt', '<', now),
      db.deleteFrom('ai_cache').where('expiresAt', '<', now),
      db.deleteFrom('filed_issues').where('claimedAt', '<', dayAgo),
      db.deleteFrom('advisor_pull_requests').where('claimedAt', '<', dayAgo).where('number', 'is', null),
    ];
    let rows = 0n;
    for (const deletion of deletions) rows += (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
    return Number(rows) + (await forgetEnded(database, now));
  };
