import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { SessionRow } from './entities/session.ts';
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

/** How exactly `lastSeenAt` is kept: a session in use writes no more often than this. */
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
      await database.entities().insert(SessionRow, {
        idHash,
        tokenHash,
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
    /** Sessions of an account that live, the newest first, at most `limit`. */
    async ofUser(userId: number, limit: number, now: Instant): Promise<LiveSession[]> {
      const orderBy = { createdAt: 'desc', idHash: 'asc' } as const;
      const rows = await database.entities().find(SessionRow, alive(userId, now), { orderBy, limit });
      return rows.map((row) => ({
        idHash: Buffer.from(row.idHash),
        createdAt: row.createdAt.getTime(),
        expiresAt: row.expiresAt.getTime(),
        lastSeenAt: row.lastSeenAt.getTime(),
        userAgentShort: row.userAgentShort,
      }));
    },
    /** Whether a living session carries this token of the platform. */
    async carriesToken(tokenHash: Buffer, now: Instant): Promise<boolean> {
      const alive = { tokenHash, revokedAt: null, expiresAt: { $gt: new Date(now) } };
      return (await database.entities().count(SessionRow, alive)) > 0;
    },
    /** Ends a session for good. Ending it again changes nothing; answers whether it lived. */
    async revoke(idHash: Buffer, reason: string, now: Instant): Promise<boolean> {
      const where = { idHash, revokedAt: null };
      return (await database.entities().nativeUpdate(SessionRow, where, revocation(reason, now))) > 0;
    },
    /** Ends every session that carries a token, and tells all processes of it. Answers the logins of those that lived. */
    rejectToken: (tokenHash: Buffer, reason: string, now: Instant): Promise<string[]> =>
      database.transaction(async (queries) => {
        const ended = await queries.query<{ login: string }>(revokeToken, [tokenHash, reason, now]);
        await notify(queries, 'tokens', tokenHash.toString('hex'));
        return ended.map(({ login }) => login);
      }),
    /** Ends one session of an account. Answers whether it is theirs and lived. */
    async revokeOwn(userId: number, idHash: Buffer, reason: string, now: Instant): Promise<boolean> {
      const where = { ...alive(userId, now), idHash };
      return (await database.entities().nativeUpdate(SessionRow, where, revocation(reason, now))) > 0;
    },
    /** Ends every session of an account but one, or all without one. Answers how many lived. */
    revokeOthers(userId: number, kept: Buffer | null, reason: string, now: Instant): Promise<number> {
      const where = { ...alive(userId, now), ...(kept && { idHash: { $ne: kept } }) };
      return database.entities().nativeUpdate(SessionRow, where, revocation(reason, now));
    },
  };
}

const revokeToken = `
  update sessions set revoked_at = to_timestamp($3::float8 / 1000), revoke_reason = $2
  where token_hash = $1 and revoked_at is null and expires_at > to_timestamp($3::float8 / 1000) returning login`;

const alive = (codehostId: number, now: Instant) => ({
  codehostId,
  revokedAt: null,
  expiresAt: { $gt: new Date(now) },
});

const revocation = (reason: string, now: Instant) => ({ revokedAt: new Date(now), revokeReason: reason });
