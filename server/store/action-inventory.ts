import type { Instant } from '../metrics/kernel/facts.ts';
import type { LedgerRow } from '../metrics/security/ref-ledger.ts';
import type { UsedRef } from '../scan/action-uses.ts';
import type { UnknownUse } from '../scan/used-in-turn.ts';
import type { Database, Queries } from './database.ts';
import { readNewest, readRecent } from './ref-histories.ts';

/** A ref that a repository uses at present. */
export interface PresentUse extends UsedRef {
  refId: number;
  isBranch: boolean | null;
  /** Whether it is a ref of a private repository that is not among the given ones: where it leads is not to be shown. */
  isHidden: boolean;
  /** Of what is used in turn, the use in a workflow file that leads to it; else empty. */
  through: string;
  /** The platform's id of the repository. */
  repositoryId: number;
  /** Its files that use the ref, or what leads to it. */
  workflows: number;
}

/** When the workflow files of a repository were last looked at. */
export interface LookedAt {
  repositoryId: number;
  day: string;
  unreadFiles: number;
  unknownUses: UnknownUse[];
}

/** On which days a repository used a ref. */
export interface UsedOnDays {
  refId: number;
  /** As of a present use. */
  isHidden: boolean;
  path: string;
  kind: UsedRef['kind'];
  repositoryId: number;
  firstDay: string;
  lastDay: string;
  days: number;
}

/** A tag that cannot be moved away from a commit. */
export interface ImmutableRelease {
  actionKey: string;
  tag: string;
  commit: string;
}

/**
 * What repositories use of actions and reusable workflows, and where the refs of these led. Repositories are those that
 * the caller may see, by the platform's ids: what files of other private repositories say is left out.
 */
export const actionInventory = (database: Database) => ({
  /** Of the tracked ones. */
  lookedAt: (repositoryIds: readonly number[]): Promise<LookedAt[]> => lookedAt(database, repositoryIds),
  /** What they use at present. */
  presentUses: (repositoryIds: readonly number[]): Promise<PresentUse[]> => presentUses(database, repositoryIds),
  /** On which days they used a ref. */
  usedOnDays: (ref: Pick<UsedRef, 'actionKey' | 'ref'>, repositoryIds: readonly number[]): Promise<UsedOnDays[]> =>
    usedOnDays(database, ref, repositoryIds),
  /** What was observed of refs since an instant; before it the first readable row, the last move and the newest row. */
  recentHistories: (refIds: readonly number[], since: Instant): Promise<Map<number, LedgerRow[]>> =>
    readRecent(database, refIds, since),
  /** The newest that was observed of refs, so many rows of each, oldest first. */
  newestHistories: (refIds: readonly number[], limit: number): Promise<Map<number, LedgerRow[]>> =>
    readNewest(database, refIds, limit),
  /**
   * Ids of the advisories that affected refs at the newest reading since an instant, without those of which that could
   * not be found out, and none was found before; null without a reading.
   */
  openAdvisories: (refIds: readonly number[], since: Instant): Promise<Map<number, string[]> | null> =>
    openAdvisories(database, refIds, since),
  /** The releases of tags of these repositories that were seen to be immutable. */
  immutableReleases: (actionKeys: readonly string[]): Promise<ImmutableRelease[]> =>
    database.db
      .selectFrom('action_releases')
      .select(['actionKey', 'tag', 'commit'])
      .where('immutable', '=', true)
      .where(({ eb, fn, val }) => eb('actionKey', '=', fn.any(val(actionKeys))))
      .execute(),
});

async function openAdvisories(
  { db }: Queries,
  refIds: readonly number[],
  since: Instant,
): Promise<Map<number, string[]> | null> {
  const newest = await db
    .selectFrom('advisory_readings')
    .select(['at', 'refIds'])
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!newest) return null;
  const rows = await db
    .selectFrom('advised_refs')
    .select(['refId', 'advisoryId'])
    .where(({ eb, fn, val }) => eb('refId', '=', fn.any(val(refIds))))
    .where('observedTo', '>=', newest.at)
    .orderBy('advisoryId')
    .execute();
  const byRef = Map.groupBy(rows, ({ refId }) => refId);
  const found = new Set(newest.refIds);
  const known = refIds.filter((refId) => found.has(refId) || byRef.has(refId));
  return new Map(known.map((refId) => [refId, (byRef.get(refId) ?? []).map(({ advisoryId }) => advisoryId)]));
}

async function lookedAt({ db }: Queries, repositoryIds: readonly number[]): Promise<LookedAt[]> {
  const rows = await db
    .selectFrom('workflow_trees')
    .innerJoin('repos', 'repos.id', 'workflow_trees.repoId')
    .select(['repos.codehostRepoId', 'workflow_trees.day', 'workflow_trees.unreadFiles', 'workflow_trees.unknownUses'])
    .where('repos.tracked', '=', true)
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .execute();
  const isShown = ({ privateSources }: UnknownUse) => privateSources.every((id) => repositoryIds.includes(id));
  return rows.map((row) => ({ ...withRepositoryId(row), unknownUses: row.unknownUses.filter(isShown) }));
}

/** The uses of the newest day on which a repository was read, with repository and ref. */
export const selectPresent = (db: Queries['db']) =>
  db
    .selectFrom('workflow_trees')
    .innerJoin('repos', 'repos.id', 'workflow_trees.repoId')
    .innerJoin('use_days', (join) =>
      join.onRef('use_days.repoId', '=', 'workflow_trees.repoId').onRef('use_days.day', '=', 'workflow_trees.day'),
    )
    .innerJoin('action_refs', 'action_refs.id', 'use_days.refId');

async function presentUses({ db }: Queries, repositoryIds: readonly number[]): Promise<PresentUse[]> {
  const rows = await selectPresent(db)
    .select(['use_days.refId', 'use_days.path', 'use_days.kind', 'use_days.through', 'use_days.workflows'])
    .select(['action_refs.actionKey', 'action_refs.ref', 'action_refs.isBranch', 'repos.codehostRepoId'])
    .select(['action_refs.codehostId', 'action_refs.isPrivate'])
    .where('repos.tracked', '=', true)
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .where(({ eb, val }) => eb('use_days.privateSources', '<@', val([...repositoryIds])))
    .orderBy('use_days.refId')
    .orderBy('use_days.repoId')
    .orderBy('use_days.path')
    .orderBy('use_days.through')
    .execute();
  return rows.map(toUse(repositoryIds));
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
    .select(['use_days.refId', 'use_days.path', 'use_days.kind', 'repos.codehostRepoId'])
    .select(({ fn, cast }) => [
      fn.min('use_days.day').as('firstDay'),
      fn.max('use_days.day').as('lastDay'),
      // The same day once, through whatever the ref was used.
      cast<number>(fn.count('use_days.day').distinct(), 'integer').as('days'),
    ])
    .select(['action_refs.codehostId', 'action_refs.isPrivate'])
    .where('action_refs.actionKey', '=', actionKey)
    .where('action_refs.ref', '=', ref)
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .where(({ eb, val }) => eb('use_days.privateSources', '<@', val([...repositoryIds])))
    .groupBy(['use_days.refId', 'use_days.path', 'use_days.kind', 'repos.codehostRepoId'])
    .groupBy(['action_refs.codehostId', 'action_refs.isPrivate'])
    .orderBy('firstDay')
    .execute();
  return rows.map(toUse(repositoryIds));
}

/** The repository of an action. */
interface SeenRepository {
  codehostId: number | null;
  isPrivate: boolean | null;
}

/** What was never read has no repository that could be private. */
export const isHiddenFrom = (repositoryIds: readonly number[], { codehostId, isPrivate }: SeenRepository): boolean =>
  isPrivate === true && !repositoryIds.some((id) => id === codehostId);

interface UseRow extends SeenRepository {
  codehostRepoId: number;
}

/** A use as a caller sees it. */
export const toUse =
  (repositoryIds: readonly number[]) =>
  <Row extends UseRow>({ codehostId, isPrivate, ...row }: Row) => ({
    ...withRepositoryId(row),
    isHidden: isHiddenFrom(repositoryIds, { codehostId, isPrivate }),
  });

const withRepositoryId = <Row extends { codehostRepoId: number }>({ codehostRepoId, ...row }: Row) => ({
  ...row,
  repositoryId: codehostRepoId,
});
