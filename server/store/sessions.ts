import type { Instant } from '../metrics/kernel/facts.ts';
import { appendAudit } from './audit.ts';
import type { Database, Queries } from './database.ts';
import { Session } from './entities/session.ts';
import { listedSessions } from './listed-sessions.ts';
import { notify } from './notices.ts';

export interface NewSession {
  /** The hash of the session's id; the id itself lies in the cookie only. */
  idHash: Buffer;
  /** The hash of the platform token it carries. */
  tokenHash: Buffer;
  userId: number;
  login: string;
  createdAt: Instant;
  expiresAt: Instant;
  userAgentShort: string;
}

/** A session as its owner sees it in the list of theirs. */
export type LiveSession = Pick<NewSession, 'idHash' | 'createdAt' | 'expiresAt' | 'userAgentShort'> & {
  lastSeenAt: Instant;
};

export interface TokenRejection {
  /** The request whose answer showed it. */
  requestId: string | null;
  isAudited: boolean;
  now: Instant;
}

/** The precision of `lastSeenAt`: a session in use writes no more often than this. */
const seenEveryMs = 300_000;

export function sessions(database: Database) {
  return {
    ...listedSessions(database),
    async create({
      idHash,
      tokenHash,
      userId,
      login,
      createdAt,
      expiresAt,
      userAgentShort,
    }: NewSession): Promise<void> {
      await database.entities().insert(Session, {
        idHash,
        tokenHash,
        codehostId: userId,
        login,
        createdAt: createdAt,
        expiresAt: expiresAt,
        lastSeenAt: createdAt,
        userAgentShort,
      });
    },
    /** The session, if it lives: neither expired nor revoked. */
    async find(idHash: Buffer, now: Instant): Promise<{ userId: number; login: string; expiresAt: Instant } | null> {
      const em = database.entities();
      const row = await em.findOne(Session, { idHash, revokedAt: null, expiresAt: { $gt: now } });
      if (!row) return null;
      if (row.lastSeenAt < now - seenEveryMs) await em.nativeUpdate(Session, { idHash }, { lastSeenAt: now });
      return { userId: row.codehostId, login: row.login, expiresAt: row.expiresAt };
    },
    /** Sessions of an account that live, the newest first, at most `limit`. */
    async ofUser(userId: number, limit: number, now: Instant): Promise<LiveSession[]> {
      const orderBy = { createdAt: 'desc', idHash: 'asc' } as const;
      const rows = await database.entities().find(Session, alive(userId, now), { orderBy, limit });
      return rows.map((row) => ({
        idHash: Buffer.from(row.idHash),
        createdAt: row.createdAt,
        expiresAt: row.expiresAt,
        lastSeenAt: row.lastSeenAt,
        userAgentShort: row.userAgentShort,
      }));
    },
    /** Whether a living session carries this token of the platform. */
    async carriesToken(tokenHash: Buffer, now: Instant): Promise<boolean> {
      const alive = { tokenHash, revokedAt: null, expiresAt: { $gt: now } };
      return (await database.entities().count(Session, alive)) > 0;
    },
    /**
     * Ends a session for good, with an entry of the audit log where that is wanted: both or neither. Ending it again
     * changes nothing; answers whether it lived.
     */
    revoke: (idHash: Buffer, reason: string, now: Instant, audit?: SessionAudit): Promise<boolean> =>
      database.transaction(async (queries) => {
        const ended = await queries.db
          .updateTable('sessions')
          .set(revocation(reason, now))
          .where('idHash', '=', idHash)
          .where('revokedAt', 'is', null)
          .returning('login')
          .executeTakeFirst();
        if (ended && audit) await auditSessionEnd(queries, { login: ended.login, reason, ...audit }, now);
        return ended !== undefined;
      }),
    /** Ends every session that carries a token, each with an entry of the audit log if wanted, and notifies all processes. */
    rejectToken: (tokenHash: Buffer, reason: string, { requestId, isAudited, now }: TokenRejection): Promise<void> =>
      database.transaction(async (queries) => {
        const ended = await queries.db
          .updateTable('sessions')
          .set(revocation(reason, now))
          .where('tokenHash', '=', tokenHash)
          .where('revokedAt', 'is', null)
          .where('expiresAt', '>', now)
          .returning('login')
          .execute();
        for (const { login } of isAudited ? ended : [])
          await auditSessionEnd(queries, { login, reason, requestId }, now);
        await notify(queries, 'tokens', tokenHash.toString('hex'));
      }),
    /** Ends one session of an account. Answers whether it is theirs and lived. */
    async revokeOwn(userId: number, idHash: Buffer, reason: string, now: Instant): Promise<boolean> {
      const where = { ...alive(userId, now), idHash };
      return (await database.entities().nativeUpdate(Session, where, revocation(reason, now))) > 0;
    },
    /** Ends every session of an account but one, or all without one. Answers how many lived. */
    revokeOthers(userId: number, current: Buffer | null, reason: string, now: Instant): Promise<number> {
      const where = { ...alive(userId, now), ...(current && { idHash: { $ne: current } }) };
      return database.entities().nativeUpdate(Session, where, revocation(reason, now));
    },
  };
}

export interface SessionAudit {
  /** The request by which it ended. */
  requestId: string | null;
}

interface SessionEnd extends SessionAudit {
  login: string;
  reason: string;
}

function auditSessionEnd(queries: Queries, { login, reason, requestId }: SessionEnd, now: Instant): Promise<void> {
  const entry = {
    category: 'access' as const,
    action: 'session.revoked',
    actor: { id: null, login: 'system' },
    targetType: 'user',
    target: login,
    before: null,
    after: null,
    requestId,
    note: reason,
  };
  return appendAudit(queries, entry, now);
}

const alive = (codehostId: number, now: Instant) => ({
  codehostId,
  revokedAt: null,
  expiresAt: { $gt: now },
});

const revocation = (reason: string, now: Instant) => ({ revokedAt: now, revokeReason: reason });
