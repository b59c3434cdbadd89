import type { Selectable } from 'kysely';
import type { LedgerRow } from '../metrics/security/ref-ledger.ts';
import type { UsedRef } from '../scan/action-uses.ts';
import type { Database, Queries, Tables } from './database.ts';

/** A ref that a repository uses at present. */
export interface PresentUse extends UsedRef {
  refId: number;
  isBranch: boolean | null;
  /** The platform's id of the repository. */
  repositoryId: number;
  /** Its files that use the ref. */
  workflows: number;
}

/** When the workflow files of a repository were last looked at. */
export interface LookedAt {
  repositoryId: number;
  day: string;
  unreadFiles: number;
}

/** On which days a repository used a ref. */
export interface UsedOnDays {
  refId: number;
  isBranch: boolean | null;
  repositoryId: number;
  firstDay: string;
  lastDay: string;
  days: number;
}

/** What repositories use of actions and reusable workflows, and where the refs of these led. */
export const actionInventory = (database: Database) => ({
  /** Of the tracked ones among these repositories, by the platform's ids. */
  lookedAt: (repositoryIds: readonly number[]): Promise<LookedAt[]> => lookedAt(database, repositoryIds),
  /** What they use at present. */
  presentUses: (repositoryIds: readonly number[]): Promise<PresentUse[]> => presentUses(database, repositoryIds),
  /** On which days they used a ref. */
  usedOnDays: (ref: Pick<UsedRef, 'actionKey' | 'ref'>, repositoryIds: readonly number[]): Promise<UsedOnDays[]> =>
    usedOnDays(database, ref, repositoryIds),
  histories: (refIds: readonly number[]): Promise<Map<number, LedgerRow[]>> => readHistories(database, refIds),
});

/** All that was observed of refs, oldest first. */
export async function readHistories({ db }: Queries, refIds: readonly number[]): Promise<Map<number, LedgerRow[]>> {
  const rows = await db
    .selectFrom('ref_ledger')
    .selectAll()
    .where(({ eb, fn, val }) => eb('refId', '=', fn.any(val(refIds))))
    .orderBy('observedFrom')
    .execute();
  return new Map([...Map.groupBy(rows, ({ refId }) => refId)].map(([refId, own]) => [refId, own.map(toLedgerRow)]));
}

const toLedgerRow = ({ refId: _, ...row }: Selectable<Tables['ref_ledger']>): LedgerRow => row;

async function lookedAt({ db }: Queries, repositoryIds: readonly number[]): Promise<LookedAt[]> {
  const rows = await db
    .selectFrom('workflow_trees')
    .innerJoin('repos', 'repos.id', 'workflow_trees.repoId')
    .select(['repos.codehostRepoId', 'workflow_trees.day', 'workflow_trees.unreadFiles'])
    .where('repos.tracked', '=', true)
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .execute();
  return rows.map(withRepositoryId);
}

async function presentUses({ db }: Queries, repositoryIds: readonly number[]): Promise<PresentUse[]> {
  const rows = await db
    .selectFrom('workflow_trees')
    .innerJoin('repos', 'repos.id', 'workflow_trees.repoId')
    .innerJoin('use_days', (join) =>
      join.onRef('use_days.repoId', '=', 'workflow_trees.repoId').onRef('use_days.day', '=', 'workflow_trees.day'),
    )
    .innerJoin('action_refs', 'action_refs.id', 'use_days.refId')
    .select(['use_days.refId', 'use_days.workflows', 'repos.codehostRepoId'])
    .select(['action_refs.actionKey', 'action_refs.kind', 'action_refs.ref', 'action_refs.isBranch'])
    .where('repos.tracked', '=', true)
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .execute();
  return rows.map(withRepositoryId);
}

async function usedOnDays(
  { db }: Queries,
  { actionKey, ref }: Pick<UsedRef, 'actionKey' | 'ref'>,
  repositoryIds: readonly number[],
): Promise<UsedOnDays[]> {
  const rows = await db
    .selectFrom('action_refs')
    .innerJoin('use_days', 'use_days.refId', 'action_refs.id')
    .innerJoin('repos', 'repos.id', 'use_days.repoId')
    .select(['use_days.refId', 'action_refs.isBranch', 'repos.codehostRepoId', 'use_days.day'])
    .where('action_refs.actionKey', '=', actionKey)
    .where('action_refs.ref', '=', ref)
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .orderBy('use_days.day')
    .execute();
  const uses = Map.groupBy(rows, ({ refId, codehostRepoId }) => `${refId} ${codehostRepoId}`);
  return [...uses.values()].flatMap((own): UsedOnDays[] => {
    const [first, last] = [own.at(0), own.at(-1)];
    if (!first || !last) return [];
    const { refId, isBranch, codehostRepoId: repositoryId, day: firstDay } = first;
    return [{ refId, isBranch, repositoryId, firstDay, lastDay: last.day, days: own.length }];
  });
}

const withRepositoryId = <Row extends { codehostRepoId: number }>({ codehostRepoId, ...row }: Row) => ({
  ...row,
  repositoryId: codehostRepoId,
});
