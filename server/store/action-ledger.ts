import type { Insertable } from 'kysely';
import type { Instant, RepositoryName } from '../metrics/kernel/facts.ts';
import type { LedgerRow, MoveClass } from '../metrics/security/ref-ledger.ts';
import type { UsedRef } from '../scan/action-uses.ts';
import { readHistories } from './action-inventory.ts';
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

/** A ref that is looked up, with all that was observed of it, oldest first. */
export interface ObservedRef extends UsedRef {
  id: number;
  codehostId: number | null;
  history: LedgerRow[];
}

/** What one look at a ref changes. */
export interface RefObservation {
  refId: number;
  codehostId: number | null;
  isBranch: boolean | null;
  /** When the ref had been observed last, as the look was made; null for the first. */
  lastObservedTo: Instant | null;
  row: LedgerRow;
}

/** A move of which it is not known whether it went forward. */
export interface UnclassifiedMove extends RepositoryName {
  refId: number;
  observedFrom: Instant;
  commit: string;
  previousCommit: string;
}

/** Which refs of actions and reusable workflows are used, and where they led. One process at a time writes it. */
export const actionLedger = (database: Database) => ({
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
  /** Refs that tracked repositories use now, longest not observed first, but no commit SHAs: these lead nowhere else. */
  refsInUse: (limit: number): Promise<ObservedRef[]> => refsInUse(database, limit),
  /** Stores looks at refs, all in one transaction; none at a ref that somebody else has looked at meanwhile. */
  observe: (observations: readonly RefObservation[]): Promise<void> =>
    database.transaction((queries) => observe(queries, observations)),
  unclassifiedMoves: (): Promise<UnclassifiedMove[]> => unclassifiedMoves(database),
  async classify({ refId, observedFrom }: UnclassifiedMove, moveClass: MoveClass): Promise<void> {
    await database.db
      .updateTable('ref_ledger')
      .set({ moveClass })
      .where('refId', '=', refId)
      .where('observedFrom', '=', observedFrom)
      .execute();
  },
});

async function repeatUses({ db }: Queries, repoIds: readonly number[], day: string): Promise<void> {
  await db
    .insertInto('use_days')
    .columns(['repoId', 'day', 'refId', 'workflows'])
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
  const rows = uses.map(({ workflows, ...ref }) => ({ repoId, day, refId: ids.get(toKey(ref)) as number, workflows }));
  if (rows.length > 0) await db.insertInto('use_days').values(rows).execute();
  const tree: Insertable<Tables['workflow_trees']> = { repoId, treeId, ruleVersion, day, unreadFiles };
  await db
    .insertInto('workflow_trees')
    .values(tree)
    .onConflict((conflict) => conflict.column('repoId').doUpdateSet(tree))
    .execute();
}

const toKey = ({ actionKey, kind, ref }: UsedRef): string => `${actionKey} ${kind} ${ref}`;

/** The ids of refs, which are stored where they were not. */
async function knownRefs({ db }: Queries, refs: readonly UsedRef[]): Promise<Map<string, number>> {
  if (refs.length === 0) return new Map();
  const wanted = refs.map(({ actionKey, kind, ref }) => ({ actionKey, kind, ref, codehostId: null, isBranch: null }));
  await db
    .insertInto('action_refs')
    .values(wanted)
    .onConflict((conflict) => conflict.columns(['actionKey', 'kind', 'ref']).doNothing())
    .execute();
  const keys = [...new Set(wanted.map(({ actionKey }) => actionKey))];
  const rows = await db
    .selectFrom('action_refs')
    .select(['id', 'actionKey', 'kind', 'ref'])
    .where(({ eb, fn, val }) => eb('actionKey', '=', fn.any(val(keys))))
    .execute();
  return new Map(rows.map((row) => [toKey(row), row.id]));
}

async function refsInUse(queries: Queries, limit: number): Promise<ObservedRef[]> {
  const refs = await queries.db
    .selectFrom('action_refs')
    .select(['id', 'actionKey', 'kind', 'ref', 'codehostId'])
    .where('ref', '!~', commitPattern)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('use_days')
          .innerJoin('workflow_trees', (join) =>
            join
              .onRef('workflow_trees.repoId', '=', 'use_days.repoId')
              .onRef('workflow_trees.day', '=', 'use_days.day'),
          )
          .innerJoin('repos', 'repos.id', 'use_days.repoId')
          .whereRef('use_days.refId', '=', 'action_refs.id')
          .where('repos.tracked', '=', true)
          .select('repos.id'),
      ),
    )
    .orderBy(
      ({ selectFrom }) =>
        selectFrom('ref_ledger')
          .whereRef('ref_ledger.refId', '=', 'action_refs.id')
          .select(({ fn }) => fn.max('ref_ledger.observedTo').as('last')),
      (order) => order.asc().nullsFirst(),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  const observed = await readHistories(
    queries,
    refs.map(({ id }) => id),
  );
  return refs.map((ref) => ({ ...ref, history: observed.get(ref.id) ?? [] }));
}

/** A commit SHA. */
const commitPattern = '^[0-9a-f]{40}$';

async function observe(queries: Queries, observations: readonly RefObservation[]): Promise<void> {
  const { db } = queries;
  const refIds = observations.map(({ refId }) => refId);
  await db
    .selectFrom('action_refs')
    .select('id')
    .where(({ eb, fn, val }) => eb('id', '=', fn.any(val(refIds))))
    .orderBy('id')
    .forUpdate()
    .execute();
  const histories = await readHistories(queries, refIds);
  for (const { refId, codehostId, isBranch, lastObservedTo, row } of observations) {
    if ((histories.get(refId)?.at(-1)?.observedTo ?? null) !== lastObservedTo) continue;
    await db
      .insertInto('ref_ledger')
      .values({ refId, ...row })
      .onConflict((conflict) => conflict.columns(['refId', 'observedFrom']).doUpdateSet({ observedTo: row.observedTo }))
      .execute();
    if (codehostId !== null) await db.updateTable('action_refs').set({ codehostId }).where('id', '=', refId).execute();
    if (isBranch !== null) await db.updateTable('action_refs').set({ isBranch }).where('id', '=', refId).execute();
  }
}

async function unclassifiedMoves({ db }: Queries): Promise<UnclassifiedMove[]> {
  const rows = await db
    .selectFrom('ref_ledger')
    .innerJoin('action_refs', 'action_refs.id', 'ref_ledger.refId')
    .select(['ref_ledger.refId', 'ref_ledger.observedFrom', 'ref_ledger.commit', 'ref_ledger.previousCommit'])
    .select('action_refs.actionKey')
    .where('ref_ledger.moveClass', 'is', null)
    .where('ref_ledger.previousCommit', 'is not', null)
    .orderBy('ref_ledger.observedFrom')
    .execute();
  return rows.flatMap(({ actionKey, commit, previousCommit, ...move }) => {
    const [owner = '', repo = ''] = actionKey.split('/');
    return commit === null || previousCommit === null ? [] : [{ ...move, owner, repo, commit, previousCommit }];
  });
}
