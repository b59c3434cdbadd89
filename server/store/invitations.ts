import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import type { ChangedBy } from './audit.ts';
import type { Database, Queries } from './database.ts';
import type { EditableGroup, Group } from './entities/user.ts';
import { addGroups, auditUser } from './user-groups.ts';

/** A login that has not signed in, and the groups that it gets when it does. */
export interface Invited {
  login: string;
  groups: EditableGroup[];
  invitedBy: string;
  invitedAt: Instant;
}

/** After so long an invitation ends: whoever has the login by then may be somebody else. */
const invitedMs = 30 * dayMs;

export const invitations = (database: Database) => ({
  /** Everybody who is invited, by login. */
  list: (now: Instant): Promise<Invited[]> => findInvited(database, now),
});

/** Deletes invitations that have ended; answers how many groups they were to. */
export async function forgetEnded({ db }: Queries, now: Instant): Promise<number> {
  const ended = db.deleteFrom('invitations').where('invitedAt', '<=', now - invitedMs);
  return Number((await ended.executeTakeFirstOrThrow()).numDeletedRows);
}

/** Who of these logins is invited, or everybody who is. */
export async function findInvited({ db }: Queries, now: Instant, loginKeys?: readonly string[]): Promise<Invited[]> {
  const rows = await db
    .selectFrom('invitations')
    .select(['loginKey', 'login', 'group', 'invitedBy', 'invitedAt'])
    .where('invitedAt', '>', now - invitedMs)
    .$if(loginKeys !== undefined, (query) =>
      query.where('loginKey', '=', ({ fn, val }) => fn.any(val(loginKeys as readonly string[]))),
    )
    .orderBy('loginKey')
    .orderBy('group')
    .execute();
  return [...Map.groupBy(rows, ({ loginKey }) => loginKey).values()].flatMap((given) => {
    const newest = given.toSorted((one, other) => other.invitedAt - one.invitedAt)[0];
    if (!newest) return [];
    const { login, invitedBy, invitedAt } = newest;
    return [{ login, groups: given.map(({ group }) => group), invitedBy, invitedAt }];
  });
}

/** Invites a login to groups, as it was written last; an invitation that it has already begins anew. */
export async function invite(
  { db }: Queries,
  login: string,
  groups: readonly EditableGroup[],
  by: ChangedBy,
): Promise<void> {
  await db
    .insertInto('invitations')
    .values(
      groups.map((group) => ({
        loginKey: login.toLowerCase(),
        group,
        login,
        invitedBy: by.actor.login,
        invitedAt: by.now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['loginKey', 'group']).doUpdateSet({ login, invitedBy: by.actor.login, invitedAt: by.now }),
    )
    .execute();
}

/** Takes the invitation of a login to these groups back. */
export async function withdraw({ db }: Queries, login: string, groups: readonly EditableGroup[]): Promise<void> {
  await db.deleteFrom('invitations').where('loginKey', '=', login.toLowerCase()).where('group', 'in', groups).execute();
}

/**
 * Uses up the invitation of a login that somebody signs in with, who has the groups `before`. Only who is new gets what
 * it gives: an account that was here under another name is not who was invited.
 */
export async function acceptInvitation(
  queries: Queries,
  { id, login, isNew, before }: { id: number; login: string; isNew: boolean; before: readonly Group[] },
  by: ChangedBy,
): Promise<void> {
  await forgetEnded(queries, by.now);
  const accepted = await queries.db
    .deleteFrom('invitations')
    .where('loginKey', '=', login.toLowerCase())
    .returning(['group', 'invitedBy'])
    .execute();
  if (accepted.length === 0) return;
  const invited = accepted.map(({ group }) => group).sort();
  const inviters = [...new Set(accepted.map(({ invitedBy }) => invitedBy))].sort().join(', ');
  const note = `invited by ${inviters}`;
  if (!isNew) {
    await auditUser(queries, login, { action: 'user.invitation_withdrawn', before: invited, after: [], note }, by);
    return;
  }
  await addGroups(queries, id, invited, inviters, by.now);
  const after = [...new Set([...before, ...invited])].sort();
  await auditUser(queries, login, { action: 'user.invitation_accepted', before, after, note }, by);
}
