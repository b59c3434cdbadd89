import type { Instant } from '../metrics/kernel/facts.ts';
import type { ChangedBy } from './audit.ts';
import type { Database, Queries } from './database.ts';
import type { EditableGroup } from './entities/user.ts';
import { addGroups, auditUser } from './user-groups.ts';

/** A login that has not signed in, and the groups that it gets when it does. */
export interface Invited {
  login: string;
  groups: EditableGroup[];
  invitedBy: string;
  invitedAt: Instant;
}

export const invitations = (database: Database) => ({
  /** Everybody who is invited, by login. */
  list: (): Promise<Invited[]> => findInvited(database),
});

/** Who of these logins is invited, or everybody who is. */
export async function findInvited({ db }: Queries, loginKeys?: readonly string[]): Promise<Invited[]> {
  const rows = await db
    .selectFrom('invitations')
    .select(['loginKey', 'login', 'group', 'invitedBy', 'invitedAt'])
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

/** Invites a login to groups, as it was written last. */
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
    .onConflict((conflict) => conflict.columns(['loginKey', 'group']).doNothing())
    .execute();
}

/** Takes the invitation of a login to these groups back. */
export async function withdraw({ db }: Queries, login: string, groups: readonly EditableGroup[]): Promise<void> {
  await db.deleteFrom('invitations').where('loginKey', '=', login.toLowerCase()).where('group', 'in', groups).execute();
}

/** Gives somebody who signs in the groups that their login was invited to; the invitation is used up. */
export async function acceptInvitation(
  queries: Queries,
  { id, login }: { id: number; login: string },
  by: ChangedBy,
): Promise<void> {
  const accepted = await queries.db
    .deleteFrom('invitations')
    .where('loginKey', '=', login.toLowerCase())
    .returning(['group', 'invitedBy'])
    .execute();
  const after = accepted.map(({ group }) => group).sort();
  const invitedBy = accepted[0]?.invitedBy;
  if (invitedBy === undefined) return;
  await addGroups(queries, id, after, invitedBy, by.now);
  await auditUser(queries, login, { action: 'user.invitation_accepted', before: null, after }, by);
}
