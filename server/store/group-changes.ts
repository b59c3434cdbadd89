import type { ChangedBy } from './audit.ts';
import type { Database, Queries } from './database.ts';
import { editableGroups, type Group } from './entities/user.ts';
import { findInvited, forgetEnded, invite, withdraw } from './invitations.ts';
import { lock } from './locks.ts';
import { addGroups, auditUser, findAdmins, removeGroups } from './user-groups.ts';

/** Groups that people are added to or taken out of, by the platform's id or by login. */
export interface GroupChange {
  change: 'add' | 'remove';
  accountIds: readonly number[];
  logins: readonly string[];
  groups: readonly Group[];
}

/** Logins by what came of it; nothing was changed where it was refused. */
export type GroupsChanged =
  | { outcome: 'last_admin' }
  /** Logins that never signed in: they cannot become administrators, or there is nothing to take back. */
  | { outcome: 'unknown_users'; logins: string[] }
  | { outcome: 'unknown_accounts'; accountIds: number[] }
  /** Logins that several accounts had when they were last here, after one of them was renamed. */
  | { outcome: 'ambiguous_logins'; logins: { login: string; accountIds: number[] }[] }
  | { outcome: 'done'; changed: string[]; invited: string[]; withdrawn: string[]; unchanged: string[] };

type Effect = 'changed' | 'invited' | 'withdrawn' | 'unchanged';

export const groupChanges = (database: Database) => ({
  /**
   * Adds people to groups or takes them out, all or none of them. Who never signed in is invited, or the invitation is
   * taken back; nobody is invited to be an administrator.
   */
  change: ({ change, accountIds, logins, groups }: GroupChange, by: ChangedBy): Promise<GroupsChanged> =>
    database.transaction(async (queries) => {
      await lock(queries, 'administrators');
      const keys = [...new Map(logins.map((login) => [login.toLowerCase(), login]))];
      const loginKeys = keys.map(([key]) => key);
      const users = await findUsers(queries, accountIds, loginKeys);
      const unmet = accountIds.filter((id) => !users.some(({ codehostId }) => codehostId === id));
      if (unmet.length > 0) return { outcome: 'unknown_accounts', accountIds: unmet };
      const holders = Map.groupBy(users, ({ loginKey }) => loginKey);
      const ambiguous = keys.flatMap(([key, login]) => {
        const ids = (holders.get(key) ?? []).map(({ codehostId }) => codehostId);
        return ids.length > 1 ? [{ login, accountIds: ids }] : [];
      });
      if (ambiguous.length > 0) return { outcome: 'ambiguous_logins', logins: ambiguous };
      const strangers = keys.filter(([key]) => !holders.has(key)).map(([, login]) => login);
      await forgetEnded(queries, by.now);
      const invitations = await findInvited(
        queries,
        by.now,
        strangers.map((login) => login.toLowerCase()),
      );
      const invited = new Map(invitations.map((one) => [one.login.toLowerCase(), one]));
      const isInvited = (login: string) => invited.has(login.toLowerCase());
      const unknown = strangers.filter((login) => (change === 'add' ? groups.includes('admin') : !isInvited(login)));
      if (unknown.length > 0) return { outcome: 'unknown_users', logins: unknown };
      if (change === 'remove' && groups.includes('admin') && (await leavesNobody(queries, users)))
        return { outcome: 'last_admin' };
      const done: [Effect, string][] = [];
      for (const user of users) {
        const after = changedGroups(change, user.groups, groups);
        done.push([await changeUser(queries, { user, after }, by), user.login]);
      }
      for (const login of strangers) {
        const { login: known, groups: before } = invited.get(login.toLowerCase()) ?? { login, groups: [] };
        const name = change === 'add' ? login : known;
        const after = changedGroups(change, before, groups);
        done.push([await changeInvitation(queries, { change, login: name, before, after }, by), name]);
      }
      const loginsOf = (wanted: Effect) => done.flatMap(([effect, login]) => (effect === wanted ? [login] : []));
      return {
        outcome: 'done',
        changed: loginsOf('changed'),
        invited: loginsOf('invited'),
        withdrawn: loginsOf('withdrawn'),
        unchanged: loginsOf('unchanged'),
      };
    }),
});

interface Member {
  codehostId: number;
  login: string;
  loginKey: string;
  groups: Group[];
}

/** Users with these ids or logins in lower case, which several accounts may have; who was here last comes last. */
const findUsers = ({ db }: Queries, ids: readonly number[], loginKeys: readonly string[]): Promise<Member[]> =>
  db
    .selectFrom('users as u')
    .select(['u.codehostId', 'u.login', 'u.loginKey'])
    .select((eb) =>
      eb
        .fn<Group[]>('array', [
          eb
            .selectFrom('user_groups as g')
            .select('g.group')
            .whereRef('g.codehostId', '=', 'u.codehostId')
            .orderBy('g.group'),
        ])
        .as('groups'),
    )
    .where(({ eb, fn, or, val }) =>
      or([eb('u.loginKey', '=', fn.any(val(loginKeys))), eb('u.codehostId', '=', fn.any(val(ids)))]),
    )
    .orderBy('u.lastSeenAt')
    .execute();

/** Whether no administrator is left without these. */
async function leavesNobody(queries: Queries, leaving: readonly Member[]): Promise<boolean> {
  const ids = leaving.map(({ codehostId }) => codehostId);
  const administrators = await findAdmins(queries);
  return administrators.length > 0 && administrators.every(({ codehostId }) => ids.includes(codehostId));
}

function changedGroups(change: GroupChange['change'], before: readonly Group[], groups: readonly Group[]): Group[] {
  return change === 'add'
    ? [...new Set([...before, ...groups])].sort()
    : before.filter((group) => !groups.includes(group));
}

async function changeUser(
  queries: Queries,
  { user: { codehostId, login, groups: before }, after }: { user: Member; after: readonly Group[] },
  by: ChangedBy,
): Promise<Effect> {
  if (before.join() === after.join()) return 'unchanged';
  const gone = before.filter((group) => !after.includes(group));
  await removeGroups(queries, codehostId, gone);
  await addGroups(queries, codehostId, after, by.actor.login, by.now);
  await auditUser(queries, login, { action: 'user.groups_replaced', before, after }, by);
  return 'changed';
}

interface InvitationChange {
  change: GroupChange['change'];
  login: string;
  before: readonly Group[];
  after: readonly Group[];
}

/** Who is invited again is invited to all their groups from now on: an invitation ends as a whole. */
async function changeInvitation(
  queries: Queries,
  { change, login, before, after }: InvitationChange,
  by: ChangedBy,
): Promise<Effect> {
  if (change === 'add') {
    await invite(
      queries,
      login,
      editableGroups.filter((group) => after.includes(group)),
      by,
    );
    await auditUser(queries, login, { action: 'user.invited', before, after }, by);
    return 'invited';
  }
  const gone = editableGroups.filter((group) => before.includes(group) && !after.includes(group));
  if (gone.length === 0) return 'unchanged';
  await withdraw(queries, login, gone);
  await auditUser(queries, login, { action: 'user.invitation_withdrawn', before, after }, by);
  return 'withdrawn';
}
