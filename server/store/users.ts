import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { ChangedBy } from './audit.ts';
import { callers } from './callers.ts';
import { containing, type Database, type Queries, type Tables } from './database.ts';
import type { Group } from './entities/user.ts';
import { acceptInvitation } from './invitations.ts';
import { lock } from './locks.ts';
import { addGroups, auditUser, findAdmins, findGrouped, removeGroups } from './user-groups.ts';

/** A user as the platform described them at their sign-in. */
export interface Profile {
  id: number;
  login: string;
  name: string | null;
  avatarUrl: string;
}

export type User = Omit<Selectable<Tables['users']>, 'loginKey'> & { groups: Group[] };

export interface UserQuery {
  /** Part of a login or a name, in any case. */
  text: string | null;
  /** One group, or `none` for people who wait for access. */
  group: Group | 'none' | null;
  limit: number;
  offset: number;
}

/** Groups that a person gets by themselves at a sign-in. */
export interface Entitlement {
  /** Becomes an administrator if there is none. */
  mayBootstrap: boolean;
  /** Given to whoever signs in for the first time. */
  defaultGroup: Group | null;
}

/** A replacement is of these groups, where it names them; others are left as they are. */
export interface GroupsEdit extends ChangedBy {
  before?: readonly Group[] | undefined;
}

/** The result of replacing groups; `user` is as it is afterwards. */
export type GroupsReplaced =
  | { outcome: 'unknown_user' | 'last_admin' | 'outdated' }
  | { outcome: 'done'; changed: boolean; user: User };

export const users = (database: Database) => ({
  ...callers(database),
  /** Stores a sign-in, and adds the groups that come with it or, of somebody new, that the login was invited to. */
  signedIn: (profile: Profile, entitlement: Entitlement, requestId: string, now: Instant): Promise<void> =>
    database.transaction(async (queries) => {
      await lock(queries, 'administrators');
      const isNew = await upsert(queries, profile, now);
      const hasAdmins = (await findAdmins(queries)).length > 0;
      const isFirstAdmin = !hasAdmins && entitlement.mayBootstrap;
      const group = isFirstAdmin ? 'admin' : isNew ? entitlement.defaultGroup : null;
      const action = isFirstAdmin ? 'user.bootstrap_admin' : 'user.default_group';
      const by = { actor: { id: null, login: 'system' }, requestId, now };
      if (group !== null && (await addGroups(queries, profile.id, [group], 'system', now)))
        await auditUser(queries, profile.login, { action, before: null, after: [group] }, by);
      await acceptInvitation(queries, { ...profile, isNew, before: group === null ? [] : [group] }, by);
    }),
  /** Users, the one who was here last first. */
  list: (query: UserQuery): Promise<{ users: User[]; total: number }> => list(database, query),
  /** The user with this id of the platform. */
  find: (codehostId: number): Promise<User | null> => find(database, codehostId),
  /** The user who last signed in under this login. */
  async findByLogin(login: string): Promise<User | null> {
    const user = await database.db
      .selectFrom('users as u')
      .select(columns)
      .select(groups)
      .where('u.loginKey', '=', login.toLowerCase())
      .orderBy('u.lastSeenAt', 'desc')
      .limit(1)
      .executeTakeFirst();
    return user ?? null;
  },
  /** Logins of administrators, by name. */
  admins: async (): Promise<string[]> => (await findAdmins(database)).map(({ login }) => login),
  /** Accounts that are in any group. */
  inGroups: (): Promise<{ accountId: number }[]> => findGrouped(database),
  /**
   * Takes all groups from somebody who is gone, also from the last administrator: nobody would be kept in by them, and
   * the next could never be appointed. Answers whether there was one.
   */
  removeAllGroups: (codehostId: number, note: string, by: ChangedBy): Promise<boolean> =>
    database.transaction(async (queries) => {
      await lock(queries, 'administrators');
      const user = await find(queries, codehostId);
      if (!user || user.groups.length === 0) return false;
      await removeGroups(queries, codehostId, user.groups);
      const change = { action: 'user.groups_replaced', before: user.groups, after: [], note };
      await auditUser(queries, user.login, change, by);
      return true;
    }),
  /** Replaces all groups of a user. Nobody can take away the last administrator, however many try at once. */
  replaceGroups: (codehostId: number, wanted: readonly Group[], by: GroupsEdit): Promise<GroupsReplaced> =>
    database.transaction(async (queries) => {
      await lock(queries, 'administrators');
      const user = await find(queries, codehostId);
      if (!user) return { outcome: 'unknown_user' };
      const after = sorted(wanted);
      if (after.join() === user.groups.join()) return { outcome: 'done', changed: false, user };
      if (by.before && sorted(by.before).join() !== user.groups.join()) return { outcome: 'outdated' };
      const isLastAdmin = user.groups.includes('admin') && (await findAdmins(queries)).length === 1;
      if (isLastAdmin && !after.includes('admin')) return { outcome: 'last_admin' };
      await removeGroups(
        queries,
        codehostId,
        user.groups.filter((group) => !after.includes(group)),
      );
      await addGroups(queries, codehostId, after, by.actor.login, by.now);
      await auditUser(queries, user.login, { action: 'user.groups_replaced', before: user.groups, after }, by);
      return { outcome: 'done', changed: true, user: { ...user, groups: after } };
    }),
});

const sorted = (wanted: readonly Group[]): Group[] => [...new Set(wanted)].sort();

/** What is read of a user beside the groups. */
const columns = [
  'u.codehostId',
  'u.login',
  'u.name',
  'u.avatarUrl',
  'u.firstSeenAt',
  'u.lastSeenAt',
  'u.lastDeniedAt',
  'u.lastDeniedCode',
] as const;

type UserExpression = ExpressionBuilder<Tables & { u: Tables['users'] }, 'u'>;

const selectGroups = (eb: UserExpression) =>
  eb.selectFrom('user_groups as g').select('g.group').whereRef('g.codehostId', '=', 'u.codehostId');

const groups = (eb: UserExpression) => eb.fn<Group[]>('array', [selectGroups(eb).orderBy('g.group')]).as('groups');

async function list({ db }: Queries, { text, group, limit, offset }: UserQuery) {
  const pattern = text === null ? null : containing(text);
  const matching = db
    .selectFrom('users as u')
    .$if(pattern !== null, (query) =>
      query.where(({ eb, fn, or }) =>
        or([eb('u.loginKey', 'like', pattern), eb(fn<string>('lower', ['u.name']), 'like', pattern)]),
      ),
    )
    .$if(group === 'none', (query) => query.where(({ not, exists }) => not(exists(selectGroups))))
    .$if(group !== null && group !== 'none', (query) =>
      query.where((eb) => eb.exists(selectGroups(eb).where('g.group', '=', group as Group))),
    );
  const { total } = await matching.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const found = await matching
    .select(columns)
    .select(groups)
    .orderBy('u.lastSeenAt', 'desc')
    .orderBy('u.loginKey')
    .limit(limit)
    .offset(offset)
    .execute();
  return { users: found, total: Number(total) };
}

async function find({ db }: Queries, codehostId: number): Promise<User | null> {
  const query = db.selectFrom('users as u').select(columns).select(groups).where('u.codehostId', '=', codehostId);
  return (await query.executeTakeFirst()) ?? null;
}

/** Answers whether the user is new. */
async function upsert({ db }: Queries, { id, login, name, avatarUrl }: Profile, now: Instant): Promise<boolean> {
  const described = { login, loginKey: login.toLowerCase(), name, avatarUrl, lastSeenAt: now };
  const { isNew } = await db
    .insertInto('users')
    .values({ codehostId: id, firstSeenAt: now, ...described })
    .onConflict((conflict) => conflict.column('codehostId').doUpdateSet(described))
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  return isNew;
}
