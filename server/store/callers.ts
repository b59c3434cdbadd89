import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database } from './database.ts';
import type { Group } from './entities/user.ts';
import { serviceStatements } from './statements.ts';

/** Who sends a request, and what their groups are granted right now. */
export interface Caller {
  id: number;
  login: string;
  name: string | null;
  avatarUrl: string;
  groups: Group[];
  /** Keys of features, also such as this version does not know. */
  flags: string[];
}

/** The last visit and the last denial are written no more often than this. */
const seenEveryMs = 300_000;

export const callers = (database: Database) => ({
  /** The caller of a session that is live: neither expired nor revoked, of a user that is known. */
  async bySession(idHash: Buffer, now: Instant): Promise<Caller | null> {
    const [row] = await database.prepared<Row>(serviceStatements.find_caller_by_session, { id_hash: idHash, now });
    if (row && isOutdated(row, now))
      await database.db.updateTable('sessions').set({ lastSeenAt: now }).where('idHash', '=', idHash).execute();
    return row ? seen(database, row, now) : null;
  },
  /** The caller who sent a token; null for an account that has never signed in here. */
  async byAccount(codehostId: number, now: Instant): Promise<Caller | null> {
    const [row] = await database.prepared<Row>(serviceStatements.find_caller_by_account, { codehost_id: codehostId });
    return row ? seen(database, row, now) : null;
  },
  /** Remembers that a user was denied something, so that an administrator sees who waits for what. */
  async denied(codehostId: number, code: string, now: Instant): Promise<void> {
    await database.db
      .updateTable('users')
      .set({ lastDeniedAt: now, lastDeniedCode: code })
      .where('codehostId', '=', codehostId)
      .where(({ eb, or }) =>
        or([
          eb('lastDeniedAt', 'is', null),
          eb('lastDeniedCode', '!=', code),
          eb('lastDeniedAt', '<', now - seenEveryMs),
        ]),
      )
      .execute();
  },
});

interface Row extends Caller {
  lastSeenAt: Instant;
}

const isOutdated = ({ lastSeenAt }: Row, now: Instant) => lastSeenAt < now - seenEveryMs;

async function seen({ db }: Database, row: Row, now: Instant): Promise<Caller> {
  const { lastSeenAt: _, ...caller } = row;
  if (isOutdated(row, now))
    await db.updateTable('users').set({ lastSeenAt: now }).where('codehostId', '=', caller.id).execute();
  return caller;
}
