import type { Selectable } from 'kysely';
import { appendAudit, type ChangedBy } from './audit.ts';
import type { Database, Queries, Tables } from './database.ts';
import type { EditableGroup, Group } from './entities/user.ts';

/** Whether a group may use a feature, as somebody last set it. */
export type Permission = Selectable<Tables['group_permissions']>;

type Cell = Pick<Permission, 'group' | 'flag' | 'granted'>;

export const permissions = (database: Database) => ({
  /** Every cell that was ever set; what is not there is not granted. */
  all: (): Promise<Permission[]> =>
    database.db.selectFrom('group_permissions').selectAll().orderBy('group').orderBy('flag').execute(),
  /** Keys that at least one of these groups is granted, unknown ones included. */
  async grantedTo(groups: readonly Group[]): Promise<string[]> {
    const granted = await database.db
      .selectFrom('group_permissions')
      .select('flag')
      .distinct()
      .where('granted', '=', true)
      .where('group', '=', ({ fn, val }) => fn.any(val(groups as readonly EditableGroup[])))
      .execute();
    return granted.map(({ flag }) => flag);
  },
  /** Sets one cell. Answers whether that changed anything; only then the audit log gets an entry. */
  set: (cell: Cell, by: ChangedBy): Promise<boolean> =>
    database.transaction(async (queries) => {
      const isChanged = cell.granted ? await grant(queries, cell, by) : await revoke(queries, cell, by);
      if (!isChanged) return false;
      const entry = {
        category: 'access' as const,
        action: cell.granted ? 'permission.granted' : 'permission.revoked',
        actor: by.actor,
        targetType: 'permission',
        target: `${cell.group}/${cell.flag}`,
        before: !cell.granted,
        after: cell.granted,
        requestId: by.requestId,
        note: null,
      };
      await appendAudit(queries, entry, by.now);
      return true;
    }),
});

async function grant({ db }: Queries, { group, flag }: Cell, { actor, now }: ChangedBy): Promise<boolean> {
  const values = { granted: true, updatedBy: actor.login, updatedAt: now };
  const granted = await db
    .insertInto('group_permissions')
    .values({ group, flag, ...values })
    .onConflict((conflict) =>
      conflict.columns(['group', 'flag']).doUpdateSet(values).where('group_permissions.granted', '=', false),
    )
    .returning('flag')
    .executeTakeFirst();
  return granted !== undefined;
}

/** A cell that was never set is not granted, so that revoking it changes nothing. */
async function revoke({ db }: Queries, { group, flag }: Cell, { actor, now }: ChangedBy): Promise<boolean> {
  const revoked = await db
    .updateTable('group_permissions')
    .set({ granted: false, updatedBy: actor.login, updatedAt: now })
    .where('group', '=', group)
    .where('flag', '=', flag)
    .where('granted', '=', true)
    .returning('flag')
    .executeTakeFirst();
  return revoked !== undefined;
}
