import type { Insertable } from 'kysely';
import type { UsedRef } from '../scan/action-uses.ts';
import type { Database, Queries, Tables } from './database.ts';

/** What the workflow files of a repository use, as they were read. */
export interface RepositoryUses {
  treeId: string | null;
  ruleVersion: number;
  unreadFiles: number;
  uses: (UsedRef & { workflows: number })[];
}

/** What is known of the workflow files that were read last. */
export interface KnownTree {
  repoId: number;
  treeId: string | null;
  ruleVersion: number;
}

/** Which actions, reusable workflows and images are used. One process at a time writes it. */
export const actionUses = (database: Database) => ({
  /** By the database's id of the repository. */
  async trees(): Promise<Map<number, KnownTree>> {
    const rows = await database.db.selectFrom('workflow_trees').select(['repoId', 'treeId', 'ruleVersion']).execute();
    return new Map(rows.map((row) => [row.repoId, row]));
  },
  /** Stores that repositories use on a day what they used when they were read last. */
  repeatUses: (repoIds: readonly number[], day: string): Promise<void> =>
    database.transaction((queries) => repeatUses(queries, repoIds, day)),
  /** Stores what a repository uses on a day, in the place of what was stored of that day. */
  putUses: (repoId: number, read: RepositoryUses, day: string): Promise<void> =>
    database.transaction((queries) => putUses(queries, repoId, read, day)),
});

async function repeatUses({ db }: Queries, repoIds: readonly number[], day: string): Promise<void> {
  await db
    .insertInto('use_days')
    .columns(['repoId', 'day', 'refId', 'path', 'kind', 'workflows'])
    .expression((from) =>
      from
        .selectFrom('workflow_trees')
        .innerJoin('use_days', (join) =>
          join.onRef('use_days.repoId', '=', 'workflow_trees.repoId').onRef('use_days.day', '=', 'workflow_trees.day'),
        )
        .select(({ cast, val }) => [
          'use_days.repoId',
          cast<string>(val(day), 'date').as('day'),
          'use_days.refId',
          'use_days.path',
          'use_days.kind',
          'use_days.workflows',
        ])
        .where(({ eb, fn, val }) => eb('workflow_trees.repoId', '=', fn.any(val(repoIds))))
        .where('workflow_trees.day', '<', day),
    )
    .execute();
  await db
    .updateTable('workflow_trees')
    .set({ day })
    .where(({ eb, fn, val }) => eb('repoId', '=', fn.any(val(repoIds))))
    .where('day', '<', day)
    .execute();
}

async function putUses(queries: Queries, repoId: number, read: RepositoryUses, day: string): Promise<void> {
  const { db } = queries;
  const { uses, treeId, ruleVersion, unreadFiles } = read;
  const ids = await knownRefs(queries, uses);
  await db.deleteFrom('use_days').where('repoId', '=', repoId).where('day', '=', day).execute();
  const rows = uses.map(({ path, kind, workflows, ...ref }) => {
    return { repoId, day, refId: ids.get(toKey(ref)) as number, path, kind, workflows };
  });
  if (rows.length > 0) await db.insertInto('use_days').values(rows).execute();
  const tree: Insertable<Tables['workflow_trees']> = { repoId, treeId, ruleVersion, day, unreadFiles };
  await db
    .insertInto('workflow_trees')
    .values(tree)
    .onConflict((conflict) => conflict.column('repoId').doUpdateSet(tree))
    .execute();
}

const toKey = ({ actionKey, ref }: Pick<UsedRef, 'actionKey' | 'ref'>): string => `${actionKey} ${ref}`;

/** The ids of refs, which are stored where they were not. */
async function knownRefs(
  { db }: Queries,
  refs: readonly Pick<UsedRef, 'actionKey' | 'ref'>[],
): Promise<Map<string, number>> {
  if (refs.length === 0) return new Map();
  const wanted = refs.map(({ actionKey, ref }) => ({ actionKey, ref, codehostId: null, isBranch: null }));
  await db
    .insertInto('action_refs')
    .values(wanted)
    .onConflict((conflict) => conflict.columns(['actionKey', 'ref']).doNothing())
    .execute();
  const keys = [...new Set(wanted.map(({ actionKey }) => actionKey))];
  const rows = await db
    .selectFrom('action_refs')
    .select(['id', 'actionKey', 'ref'])
    .where(({ eb, fn, val }) => eb('actionKey', '=', fn.any(val(keys))))
    .execute();
  return new Map(rows.map((row) => [toKey(row), row.id]));
}
