import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { SessionRow } from './entities/session.ts';

export interface NewSession {
  /** The hash of the session's id; the id itself lies in the cookie only. */
  idHash: Buffer;
  userId: number;
  login: string;
  createdAt: Instant;
  expiresAt: Instant;
  userAgentShort: string;
}

/** How exactly `lastSeenAt` is kept: a session in use writes no more often than this. */
const seenEveryMs = 300_000;

export function sessions(database: Database) {
  return {
    async create({ idHash, userId, login, createdAt, expiresAt, userAgentShort }: NewSession): Promise<void> {
      await database.entities().insert(SessionRow, {
        idHash,
        codehostId: userId,
        login,
        createdAt: new Date(createdAt),
        expiresAt: new Date(expiresAt),
        lastSeenAt: new Date(createdAt),
        userAgentShort,
      });
    },
    /** The session, if it lives: neither expired nor revoked. */
    async find(idHash: Buffer, now: Instant): Promise<{ userId: number; login: string; expiresAt: Instant } | null> {
      const em = database.entities();
      const row = await em.findOne(SessionRow, { idHash, revokedAt: null, expiresAt: { $gt: new Date(now) } });
      if (!row) return null;
      if (row.lastSeenAt.getTime() < now - seenEveryMs)
        await em.nativeUpdate(SessionRow, { idHash }, { lastSeenAt: new Date(now) });
      return { userId: row.codehostId, login: row.login, expiresAt: row.expiresAt.getTime() };
    },
    /** Ends a session for good. Ending it again changes nothing. */
    async revoke(idHash: Buffer, reason: string, now: Instant): Promise<void> {
      await database.entities().nativeUpdate(SessionRow, { idHash, revokedAt: null }, revocation(reason, now));
    },
    /** Ends every session of an account. Answers how many lived. */
    revokeAll: (userId: number, reason: string, now: Instant): Promise<number> =>
      database.entities().nativeUpdate(SessionRow, { codehostId: userId, revokedAt: null }, revocation(reason, now)),
  };
}

const revocation = (reason: string, now: Instant) => ({ revokedAt: new Date(now), revokeReason: reason });
