import type { Instant } from '../metrics/facts.ts';
import { type AuditEntry, appendAudit, type ChangedBy } from './audit.ts';
import { callers } from './callers.ts';
import type { Database, Queries } from './database.ts';
import { changeAdmins } from './locks.ts';

/** An account that signed in, as the platform described it then. */
export interface Profile {
  id: number;
  login: string;
  name: string | null;
  avatarUrl: string;
}

export interface User extends Profile {
  groups: string[];
  firstSeenAt: Instant;
  lastSeenAt: Instant;
  lastDeniedAt: Instant | null;
  lastDeniedCode: string | null;
}

export interface UserQuery {
  /** Part of a login or a name, in any case. */
  text: string | null;
  /** One group, or `none` for people who wait for access. */
  group: string | null;
  limit: number;
  offset: number;
}

/** Groups that a person gets by themselves at a sign-in. */
export interface Entitlement {
  /** Becomes an administrator if there is none. */
  mayBootstrap: boolean;
  /** Given to whoever signs in for the first time. */
  defaultGroup: string | null;
}

/** What came of it; `user` is as it is afterwards. */
export type GroupsReplaced =
  | { outcome: 'unknown_user' | 'last_admin' }
  | { outcome: 'done'; changed: boolean; user: User };

export const users = (database: Database) => ({
  ...callers(database),
  /** Notes a sign-in, and gives the groups that come with it. */
  signedIn: (profile: Profile, entitlement: Entitlement, requestId: string, now: Instant): Promise<void> =>
    database.transaction(async (queries) => {
      await queries.query(`select ${changeAdmins}`);
      const isNew = await keep(queries, profile, now);
      const hasAdmins = (await adminsOf(queries)).length > 0;
      const isFirstAdmin = !hasAdmins && entitlement.mayBootstrap;
      const given = isFirstAdmin ? 'admin' : isNew ? entitlement.defaultGroup : null;
      if (given === null) return;
      const added = await addGroup(queries, profile.id, given, now);
      const action = isFirstAdmin ? 'user.bootstrap_admin' : 'user.default_group';
      const actor = { id: null, login: 'system' };
      if (added) await appendAudit(queries, { ...about(profile.login, action), actor, after: [given], requestId }, now);
    }),
  async list({ text, group, limit, offset }: UserQuery): Promise<{ users: User[]; total: number }> {
    const parameters = [text === null ? null : `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`, group];
    const [count] = await database.query<{ total: number }>(`select count(*)::int as total ${matching}`, parameters);
    const found = await database.query<User>(`${columns} ${matching} ${order}`, [...parameters, limit, offset]);
    return { users: found, total: count?.total ?? 0 };
  },
  async find(id: string): Promise<User | null> {
    const [user] = await database.query<User>(`${columns} from users u where u.codehost_id = $1`, [id]);
    return user ?? null;
  },
  /** The account that last signed in under this login. */
  async findByLogin(login: string): Promise<User | null> {
    const where = 'from users u where u.login_key = $1 order by u.last_seen_at desc limit 1';
    const [user] = await database.query<User>(`${columns} ${where}`, [login.toLowerCase()]);
    return user ?? null;
  },
  /** Logins of administrators, by name. */
  admins: (): Promise<string[]> => adminsOf(database),
  /** Replaces all groups of a user. Nobody can take away the last administrator, however many try at once. */
  replaceGroups: (
    id: string,
    wanted: readonly string[],
    { actor, requestId, now }: ChangedBy,
  ): Promise<GroupsReplaced> =>
    database.transaction(async (queries) => {
      await queries.query(`select ${changeAdmins}`);
      const [user] = await queries.query<User>(`${columns} from users u where u.codehost_id = $1`, [id]);
      if (!user) return { outcome: 'unknown_user' };
      const after = [...new Set(wanted)].sort();
      if (JSON.stringify(after) === JSON.stringify(user.groups)) return { outcome: 'done', changed: false, user };
      const isLastAdmin = user.groups.includes('admin') && (await adminsOf(queries)).length === 1;
      if (isLastAdmin && !after.includes('admin')) return { outcome: 'last_admin' };
      await queries.query(remove, [id, after]);
      await queries.query(insert, [id, after, actor.login, now]);
      const entry = about(user.login, 'user.groups_replaced');
      await appendAudit(queries, { ...entry, actor, before: user.groups, after, requestId }, now);
      return { outcome: 'done', changed: true, user: { ...user, groups: after } };
    }),
});

const about = (login: string, action: string): Omit<AuditEntry, 'actor' | 'requestId'> => ({
  ...{ category: 'access', action, targetType: 'user', target: login },
  ...{ before: null, after: null, note: null },
});

async function keep({ query }: Queries, { id, login, name, avatarUrl }: Profile, now: Instant): Promise<boolean> {
  const [row] = await query<{ isNew: boolean }>(upsert, [id, login, login.toLowerCase(), name, avatarUrl, now]);
  return row?.isNew ?? false;
}

const adminsOf = async ({ query }: Queries) => (await query<{ login: string }>(admins)).map(({ login }) => login);

async function addGroup({ query }: Queries, id: number, group: string, now: Instant): Promise<boolean> {
  return (await query(`${insert} returning codehost_id`, [id, [group], 'system', now])).length > 0;
}

const upsert = `
  insert into users (codehost_id, login, login_key, name, avatar_url, first_seen_at, last_seen_at)
  values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), to_timestamp($6::float8 / 1000))
  on conflict (codehost_id) do update set login = excluded.login, login_key = excluded.login_key,
    name = excluded.name, avatar_url = excluded.avatar_url, last_seen_at = excluded.last_seen_at
  returning xmax = 0 as "isNew"`;

const admins = `
  select u.login from user_groups g join users u using (codehost_id) where g.group_name = 'admin' order by u.login_key`;

const insert = `
  insert into user_groups (codehost_id, group_name, granted_by, granted_at)
  select $1::bigint, name, $3::text, to_timestamp($4::float8 / 1000) from unnest($2::text[]) name
  on conflict do nothing`;

const remove = 'delete from user_groups where codehost_id = $1 and group_name <> all($2::text[])';

const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const columns = `
  select u.codehost_id::float8 as id, u.login, u.name, u.avatar_url as "avatarUrl",
    array(select g.group_name from user_groups g where g.codehost_id = u.codehost_id order by g.group_name) as groups,
    ${millis('u.first_seen_at')} as "firstSeenAt", ${millis('u.last_seen_at')} as "lastSeenAt",
    ${millis('u.last_denied_at')} as "lastDeniedAt", u.last_denied_code as "lastDeniedCode"`;

const matching = `
  from users u
  where ($1::text is null or u.login_key like $1 or lower(u.name) like $1)
    and ($2::text is null
      or ($2 = 'none' and not exists (select from user_groups g where g.codehost_id = u.codehost_id))
      or exists (select from user_groups g where g.codehost_id = u.codehost_id and g.group_name = $2))`;

const order = 'order by u.last_seen_at desc, u.login_key limit $3 offset $4';
