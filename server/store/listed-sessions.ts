import type { ExpressionBuilder } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import { appendAudit, type ChangedBy } from './audit.ts';
import { containing, type Database, type Queries, type Tables } from './database.ts';
import { Session } from './entities/session.ts';
import type { LiveSession } from './sessions.ts';

/** A session of somebody as administrators see it. */
export interface ListedSession extends LiveSession {
  userId: number;
  /** As the account is called now, where that is known. */
  login: string;
}

export interface SessionQuery {
  /** Part of a login, in any case. */
  text: string | null;
  limit: number;
  offset: number;
}

/** Which sessions an administrator ends: one, all of an account, or all of whoever was last seen under a login. */
export type EndedSessions = { idHash: Buffer } | { userId: number } | { login: string };

export const listedSessions = (database: Database) => ({
  /** Sessions of everybody that are live, who was here last first. */
  async list(
    { text, limit, offset }: SessionQuery,
    now: Instant,
  ): Promise<{ sessions: ListedSession[]; total: number }> {
    const pattern = text === null ? null : containing(text);
    const matching = database.db
      .selectFrom('sessions')
      .where('sessions.revokedAt', 'is', null)
      .where('sessions.expiresAt', '>', now)
      .$if(pattern !== null, (query) =>
        query.where((eb) => eb(eb.fn<string>('lower', [selectLogin(eb)]), 'like', pattern)),
      );
    const { total } = await matching.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    const rows = await matching
      .select(['idHash', 'codehostId', 'createdAt', 'lastSeenAt', 'expiresAt', 'userAgentShort'])
      .select((eb) => selectLogin(eb).as('login'))
      .orderBy('lastSeenAt', 'desc')
      .orderBy('createdAt', 'desc')
      .orderBy('idHash')
      .limit(limit)
      .offset(offset)
      .execute();
    return {
      sessions: rows.map(({ idHash, codehostId: userId, ...session }) => ({
        ...session,
        idHash: Buffer.from(idHash),
        userId,
      })),
      total: Number(total),
    };
  },
  /** The accounts that are signed in. */
  async accounts(now: Instant): Promise<{ id: number; login: string }[]> {
    const live = { revokedAt: null, expiresAt: { $gt: now } };
    const rows = await database.entities().find(Session, live, { fields: ['codehostId', 'login'] });
    return [...new Map(rows.map(({ codehostId: id, login }) => [id, { id, login }])).values()];
  },
  /** Ends them, with one entry of the audit log for each account. Answers how many were live. */
  endListed: (which: EndedSessions, { actor, requestId, now }: ChangedBy): Promise<number> =>
    database.transaction(async (queries) => {
      const ended = await end(queries, which, now);
      const byAccount = Map.groupBy(ended, ({ userId }) => userId);
      for (const [userId, sessions] of [...byAccount].sort(([a], [b]) => a - b)) {
        const entry = {
          category: 'access' as const,
          action: 'session.revoked',
          actor,
          targetType: 'user',
          target: sessions[0]?.login ?? String(userId),
          before: null,
          after: { ended: sessions.length, codehost_id: String(userId) },
          requestId,
          note: endedByAdministrator,
        };
        await appendAudit(queries, entry, now);
      }
      return ended.length;
    }),
});

const endedByAdministrator = 'ended_by_administrator';

/** Answers the account of each. */
async function end({ db }: Queries, which: EndedSessions, now: Instant): Promise<{ userId: number; login: string }[]> {
  const update = db
    .updateTable('sessions')
    .set({ revokedAt: now, revokeReason: endedByAdministrator })
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now);
  const chosen = () => {
    if ('idHash' in which) return update.where('idHash', '=', which.idHash);
    if ('userId' in which) return update.where('codehostId', '=', which.userId);
    return update.where((eb) => eb(eb.fn<string>('lower', [selectLogin(eb)]), '=', which.login.toLowerCase()));
  };
  return chosen()
    .returning((eb) => ['codehostId as userId', selectLogin(eb).as('login')])
    .execute();
}

/** As the account is called now, or was at the sign-in. */
const selectLogin = (eb: ExpressionBuilder<Tables, 'sessions'>) =>
  eb.fn.coalesce(
    eb.selectFrom('users').select('users.login').whereRef('users.codehostId', '=', 'sessions.codehostId'),
    'sessions.login',
  );
