import type { Instant } from '../metrics/facts.ts';
import { appendAudit, type ChangedBy } from './audit.ts';
import type { Database } from './database.ts';
import { SessionRow } from './entities/session.ts';
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

/** Which sessions an administrator ends: one, or all of an account. */
export type EndedSessions = { idHash: Buffer } | { login: string };

export const listedSessions = (database: Database) => ({
  /** Sessions of everybody that live, who was here last first. */
  async list(
    { text, limit, offset }: SessionQuery,
    now: Instant,
  ): Promise<{ sessions: ListedSession[]; total: number }> {
    const parameters = [now, text === null ? null : `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`];
    const [count] = await database.query<{ total: number }>(`select count(*)::int as total ${matching}`, parameters);
    const sessions = await database.query<ListedSession>(select, [...parameters, limit, offset]);
    return { sessions, total: count?.total ?? 0 };
  },
  /** The accounts that are signed in. */
  async accounts(now: Instant): Promise<{ id: number; login: string }[]> {
    const living = { revokedAt: null, expiresAt: { $gt: new Date(now) } };
    const rows = await database.entities().find(SessionRow, living, { fields: ['codehostId', 'login'] });
    return [...new Map(rows.map(({ codehostId: id, login }) => [id, { id, login }])).values()];
  },
  /** Ends them, with one entry of the audit log for each account. Answers how many lived. */
  endListed: (which: EndedSessions, { actor, requestId, now }: ChangedBy): Promise<number> =>
    database.transaction(async (queries) => {
      const idHash = 'idHash' in which ? which.idHash : null;
      const login = 'login' in which ? which.login.toLowerCase() : null;
      const ended = await queries.query<{ login: string; count: number }>(end, [now, idHash, login]);
      for (const { login, count } of ended) {
        const about = { category: 'access' as const, action: 'session.revoked', targetType: 'user', target: login };
        const change = { before: null, after: { ended: count }, note: 'ended_by_administrator' };
        await appendAudit(queries, { ...about, ...change, actor, requestId }, now);
      }
      return ended.reduce((sum, { count }) => sum + count, 0);
    }),
});

const login = 'coalesce(u.login, s.login)';
const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const live = `
  from sessions s left join users u using (codehost_id)
  where s.revoked_at is null and s.expires_at > to_timestamp($1::float8 / 1000)`;

const matching = `${live} and ($2::text is null or lower(${login}) like $2)`;

const select = `
  select s.id_hash as "idHash", s.codehost_id::float8 as "userId", ${login} as login,
    ${millis('s.created_at')} as "createdAt", ${millis('s.last_seen_at')} as "lastSeenAt",
    ${millis('s.expires_at')} as "expiresAt", s.user_agent_short as "userAgentShort"
  ${matching} order by s.last_seen_at desc, s.created_at desc, s.id_hash limit $3 offset $4`;

const end = `
  with chosen as (
    select s.id_hash, ${login} as login ${live}
      and ($2::bytea is null or s.id_hash = $2) and ($3::text is null or lower(${login}) = $3)
  ), ended as (
    update sessions set revoked_at = to_timestamp($1::float8 / 1000), revoke_reason = 'ended_by_administrator'
    from chosen where sessions.id_hash = chosen.id_hash and sessions.revoked_at is null
    returning chosen.login
  )
  select login, count(*)::int as count from ended group by login order by login`;
