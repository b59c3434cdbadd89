import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';

/** What one query says of somebody who asks: who they are, and what their groups are granted right now. */
export interface Caller {
  id: number;
  login: string;
  name: string | null;
  avatarUrl: string;
  groups: string[];
  /** Keys of features, also such as this version does not know. */
  flags: string[];
}

/** How exactly the last visit and the last refusal are kept: they are written no more often than this. */
const notedEveryMs = 300_000;

export const callers = (database: Database) => ({
  /** The caller of a session that lives: neither expired nor revoked, of an account that is known. */
  async bySession(idHash: Buffer, now: Instant): Promise<Caller | null> {
    const [row] = await database.query<Row>(bySession, [idHash, now]);
    if (row && isLongAgo(row, now)) await database.query(seenSession, [idHash, now]);
    return row ? noted(database, row, now) : null;
  },
  /** The caller who sent a token; null for an account that has never signed in here. */
  async byAccount(id: number, now: Instant): Promise<Caller | null> {
    const [row] = await database.query<Row>(byAccount, [id]);
    return row ? noted(database, row, now) : null;
  },
  /** Remembers that an account was refused, so that an administrator sees who waits for what. */
  async denied(id: number, code: string, now: Instant): Promise<void> {
    await database.query(deny, [id, code, now, notedEveryMs]);
  },
});

interface Row extends Caller {
  lastSeenAt: Instant;
}

const isLongAgo = ({ lastSeenAt }: Row, now: Instant) => lastSeenAt < now - notedEveryMs;

async function noted(database: Database, row: Row, now: Instant): Promise<Caller> {
  const { lastSeenAt: _, ...caller } = row;
  if (isLongAgo(row, now)) await database.query(seen, [caller.id, now]);
  return caller;
}

const seenSession = 'update sessions set last_seen_at = to_timestamp($2::float8 / 1000) where id_hash = $1';

const columns = `
  select u.codehost_id::float8 as id, u.login, u.name, u.avatar_url as "avatarUrl",
    (extract(epoch from u.last_seen_at) * 1000)::float8 as "lastSeenAt",
    array(select g.group_name from user_groups g where g.codehost_id = u.codehost_id order by g.group_name) as groups,
    array(select distinct p.flag from group_permissions p join user_groups g using (group_name)
          where g.codehost_id = u.codehost_id and p.granted) as flags`;

const bySession = `${columns}
  from sessions s join users u using (codehost_id)
  where s.id_hash = $1 and s.revoked_at is null and s.expires_at > to_timestamp($2::float8 / 1000)`;

const byAccount = `${columns} from users u where u.codehost_id = $1`;

const seen = 'update users set last_seen_at = to_timestamp($2::float8 / 1000) where codehost_id = $1';

const deny = `
  update users set last_denied_at = to_timestamp($3::float8 / 1000), last_denied_code = $2
  where codehost_id = $1 and (last_denied_at is null or last_denied_code <> $2
    or last_denied_at < to_timestamp(($3::float8 - $4::float8) / 1000))`;
