import type { Instant } from '../metrics/kernel/facts.ts';
import { type AuditEntry, appendAudit, type ChangedBy } from './audit.ts';
import type { Queries } from './database.ts';
import type { Group } from './entities/user.ts';

/** Administrators, by name. */
export const findAdmins = ({ db }: Queries): Promise<{ codehostId: number; login: string }[]> =>
  db
    .selectFrom('user_groups as g')
    .innerJoin('users as u', 'u.codehostId', 'g.codehostId')
    .select(['u.codehostId', 'u.login'])
    .where('g.group', '=', 'admin')
    .orderBy('u.loginKey')
    .execute();

/** Accounts that are in any group, by id. */
export async function findGrouped({ db }: Queries): Promise<{ accountId: number }[]> {
  const inGroup = db.selectFrom('user_groups').select('codehostId');
  const users = db.selectFrom('users').select('codehostId').where('codehostId', 'in', inGroup).orderBy('codehostId');
  return (await users.execute()).map(({ codehostId }) => ({ accountId: codehostId }));
}

/** Takes the user out of these groups. */
export async function removeGroups({ db }: Queries, codehostId: number, groups: readonly Group[]): Promise<void> {
  if (groups.length === 0) return;
  await db.deleteFrom('user_groups').where('codehostId', '=', codehostId).where('group', 'in', groups).execute();
}

/** Adds the groups that the user is not in yet. Answers whether there was one. */
export async function addGroups(
  { db }: Queries,
  codehostId: number,
  groups: readonly Group[],
  grantedBy: string,
  grantedAt: Instant,
): Promise<boolean> {
  if (groups.length === 0) return false;
  const added = await db
    .insertInto('user_groups')
    .values(groups.map((group) => ({ codehostId, group, grantedBy, grantedAt })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('group')
    .execute();
  return added.length > 0;
}

/** Adds an entry about what changed for somebody, by login. */
export const auditUser = (
  queries: Queries,
  target: string,
  change: Pick<AuditEntry, 'action' | 'before' | 'after'> & { note?: string },
  { actor, requestId, now }: ChangedBy,
) =>
  appendAudit(
    queries,
    { note: null, ...change, category: 'access', targetType: 'user', target, actor, requestId },
    now,
  );
