import type { Insertable } from 'kysely';
import type { FileUses, UsedRef } from '../scan/action-uses.ts';
import type { NestedRef, UnknownUse } from '../scan/used-in-turn.ts';
import { commitPattern } from './action-ledger.ts';
import { type Database, jsonb, type Queries, type Tables } from './database.ts';

/** What the workflow files of a repository use, as they were read. */
export interface RepositoryUses {
  treeId: string | null;
  ruleVersion: number;
  unreadFiles: number;
  uses: (UsedRef & { workflows: number })[];
  unknown: UnknownUse[];
}

/** What a workflow file of a repository uses by itself. */
export interface DirectUse extends UsedRef {
  repoId: number;
  workflows: number;
}

/** What a repository uses in turn, each through one of its direct uses. */
export interface UsesInTurn {
  uses: (NestedRef & { through: string; workflows: number })[];
  unknown: UnknownUse[];
}

/** What the file of an action uses at a commit. */
export interface ReadActionFile {
  commit: string;
  path: string;
  /** null where it cannot be parsed. */
  uses: FileUses | null;
  leadsTo: string;
  /** The platform's id of its repository, where that is private. */
  privateSource: number | null;
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
  /** What tracked repositories use by themselves at present. */
  directUses: (): Promise<DirectUse[]> => directUses(database),
  /** Stores what a repository uses in turn, in the place of what was stored of its newest day. */
  putUsesInTurn: (repoId: number, read: UsesInTurn): Promise<void> =>
    database.transaction((queries) => putUsesInTurn(queries, repoId, read)),
  /** The commits that refs led to when they could be read last, by `owner/repo ref`. */
  commits: (): Promise<Map<string, string>> => commits(database),
  /** Stores which repository has a name, where its refs are pins alone, of which nobody else looks that up. */
  async putRepository(actionKey: string, found: { codehostId: number; isPrivate: boolean }): Promise<void> {
    await database.db
      .updateTable('action_refs')
      .set(found)
      .where('actionKey', '=', actionKey)
      .where('codehostId', 'is', null)
      .where('ref', '~', commitPattern)
      .execute();
  },
  actionFiles: (at: readonly string[], ruleVersion: number): Promise<ReadActionFile[]> =>
    database.db
      .selectFrom('action_files')
      .select(['commit', 'path', 'uses', 'leadsTo', 'privateSource'])
      .where('ruleVersion', '=', ruleVersion)
      .where(({ eb, fn, val }) => eb('commit', '=', fn.any(val(at))))
      .execute(),
  async putActionFile({ commit, path, uses, ...file }: ReadActionFile, ruleVersion: number): Promise<void> {
    const content = { ...file, ruleVersion, uses: uses && (jsonb(uses) as never) };
    await database.db
      .insertInto('action_files')
      .values({ commit, path, ...content })
      .onConflict((conflict) => conflict.columns(['commit', 'path']).doUpdateSet(content))
      .execute();
  },
});

async function repeatUses({ db }: Queries, repoIds: readonly number[], day: string): Promise<void> {
  await db
    .insertInto('use_days')
    .columns(['repoId', 'day', 'refId', 'path', 'through', 'kind', 'workflows', 'privateSources'])
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
          'use_days.through',
          'use_days.kind',
          'use_days.workflows',
          'use_days.privateSources',
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
  const { uses, treeId, ruleVersion, unreadFiles, unknown } = read;
  const ids = await knownRefs(queries, uses);
  await db.deleteFrom('use_days').where('repoId', '=', repoId).where('day', '=', day).execute();
  const rows = uses.map((one) => toRow(one, { repoId, day, through: '', privateSources: [] }, ids));
  if (rows.length > 0) await db.insertInto('use_days').values(rows).execute();
  const tree: Insertable<Tables['workflow_trees']> = {
    repoId,
    treeId,
    ruleVersion,
    day,
    unreadFiles,
    unknownUses: jsonb(unknown) as never,
  };
  await db
    .insertInto('workflow_trees')
    .values(tree)
    .onConflict((conflict) => conflict.column('repoId').doUpdateSet(tree))
    .execute();
}

const toRow = (
  { path, kind, workflows, ...ref }: UsedRef & { workflows: number },
  place: { repoId: number; day: string; through: string; privateSources: number[] },
  ids: ReadonlyMap<string, number>,
): Insertable<Tables['use_days']> => ({ ...place, refId: ids.get(toKey(ref)) as number, path, kind, workflows });

async function directUses({ db }: Queries): Promise<DirectUse[]> {
  return db
    .selectFrom('workflow_trees')
    .innerJoin('repos', 'repos.id', 'workflow_trees.repoId')
    .innerJoin('use_days', (join) =>
      join.onRef('use_days.repoId', '=', 'workflow_trees.repoId').onRef('use_days.day', '=', 'workflow_trees.day'),
    )
    .innerJoin('action_refs', 'action_refs.id', 'use_days.refId')
    .select(['use_days.repoId', 'use_days.path', 'use_days.kind', 'use_days.workflows'])
    .select(['action_refs.actionKey', 'action_refs.ref'])
    .where('repos.tracked', '=', true)
    .where('use_days.through', '=', '')
    .orderBy('use_days.repoId')
    .orderBy('use_days.refId')
    .orderBy('use_days.path')
    .execute();
}

async function putUsesInTurn(queries: Queries, repoId: number, { uses, unknown }: UsesInTurn): Promise<void> {
  const { db } = queries;
  const tree = await db
    .selectFrom('workflow_trees')
    .select(['day', 'unknownUses'])
    .where('repoId', '=', repoId)
    .executeTakeFirst();
  if (!tree) return;
  const { day } = tree;
  const ids = await knownRefs(queries, uses);
  await db
    .deleteFrom('use_days')
    .where('repoId', '=', repoId)
    .where('day', '=', day)
    .where('through', '!=', '')
    .execute();
  const rows = uses.map(({ through, privateSources, ...one }) =>
    toRow(one, { repoId, day, through, privateSources: [...privateSources] }, ids),
  );
  if (rows.length > 0) await db.insertInto('use_days').values(rows).execute();
  const written = tree.unknownUses.filter(({ through }) => through === '');
  await db
    .updateTable('workflow_trees')
    .set({ unknownUses: jsonb([...written, ...unknown]) as never })
    .where('repoId', '=', repoId)
    .execute();
}

async function commits({ db }: Queries): Promise<Map<string, string>> {
  const newest = await db
    .selectFrom('ref_ledger')
    .innerJoin('action_refs', 'action_refs.id', 'ref_ledger.refId')
    .distinctOn('ref_ledger.refId')
    .select(['action_refs.actionKey', 'action_refs.ref', 'ref_ledger.commit'])
    .where('ref_ledger.state', '!=', 'unreadable')
    .orderBy('ref_ledger.refId')
    .orderBy('ref_ledger.observedFrom', 'desc')
    .execute();
  return new Map(
    newest.flatMap(({ commit, ...one }): [string, string][] => (commit === null ? [] : [[toKey(one), commit]])),
  );
}

const toKey = ({ actionKey, ref }: Pick<UsedRef, 'actionKey' | 'ref'>): string => `${actionKey} ${ref}`;

/** The ids of refs, which are stored where they were not. */
async function knownRefs(
  { db }: Queries,
  refs: readonly Pick<UsedRef, 'actionKey' | 'ref'>[],
): Promise<Map<string, number>> {
  if (refs.length === 0) return new Map();
  const wanted = refs.map(({ actionKey, ref }) => ({
    actionKey,
    ref,
    codehostId: null,
    isPrivate: null,
    isBranch: null,
  }));
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
