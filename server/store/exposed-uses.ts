import type { UsedRef } from '../scan/action-uses.ts';
import { isHiddenFrom, toUse } from './action-inventory.ts';
import type { Database, Queries } from './database.ts';

/** A use, with the days on which the files of a repository that have it were read. */
export interface UseOnDays extends UsedRef {
  refId: number;
  /** The platform's id of the repository. */
  repositoryId: number;
  /** By their number since 1970. */
  days: number[];
  isBranch: boolean | null;
  /** As of a present use. */
  isHidden: boolean;
  /** Of what is used in turn, the use in a workflow file that leads to it; else empty. */
  through: string;
}

/** Both included. */
export interface Days {
  from: string;
  to: string;
}

/** Names under which a repository of actions was seen. */
export interface SeenNames {
  all: string[];
  /** Without those that only private repositories beyond the given ones had. */
  shown: string[];
  /** Whether the platform's id of the repository is known. */
  isIdKnown: boolean;
}

/** A repository as the platform gives it to whoever asks. */
export interface FoundRepository {
  codehostId: number;
  /** `owner/repo` in lower case. */
  name: string;
}

/** A commit that refs were seen to lead to, or the id of a tag, with its commit. */
export interface SeenCommit {
  sha: string;
  commit: string;
}

/**
 * What repositories used of an action, day by day. Repositories are those that the caller may see, by the platform's
 * ids: what files of other private repositories say is left out.
 */
export const exposedUses = (database: Database) => ({
  /** Uses of these repositories of actions, or of one of these commits, at most so many. */
  usesOnDays: (repositoryIds: readonly number[], requested: UsesRequested): Promise<UseOnDays[]> =>
    usesOnDays(database, repositoryIds, requested),
  /** On which days it was read what they use. */
  async daysRead(
    repositoryIds: readonly number[],
    { from, to }: Days,
  ): Promise<{ repositoryId: number; day: string }[]> {
    const read = ['use_days', 'workflow_trees'] as const;
    const found = await Promise.all(
      read.map((table) =>
        database.db
          .selectFrom(table)
          .innerJoin('repos', 'repos.id', `${table}.repoId`)
          .select(['repos.codehostRepoId', `${table}.day`])
          .distinct()
          .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
          .where(`${table}.day`, '>=', from)
          .where(`${table}.day`, '<=', to)
          .execute(),
      ),
    );
    return found.flat().map(withRepositoryId);
  },
  /** Every name under which a repository of actions was seen that has this one, or that is the one that was found. */
  namesOf: (actionKey: string, repositoryIds: readonly number[], found: FoundRepository | null): Promise<SeenNames> =>
    namesOf(database, actionKey, { repositoryIds, found }),
  /**
   * Of these SHAs, those that the ledger saw as commits of these actions or as their tags, with the commits of the tags;
   * and the tags that it saw lead to one of them.
   */
  commitsOf: (
    shas: readonly string[],
    actionKeys: readonly string[],
    repositoryIds: readonly number[],
  ): Promise<SeenCommit[]> => commitsOf(database, { shas, actionKeys, repositoryIds }),
  /** Names of repositories of which the ledger knows the id. */
  async knownNames(): Promise<Set<string>> {
    const rows = await database.db
      .selectFrom('action_refs')
      .select('actionKey')
      .distinct()
      .where('codehostId', 'is not', null)
      .execute();
    return new Set(rows.map(({ actionKey }) => actionKey));
  },
  /** Of the refs of these actions, since when one of these repositories uses them. */
  async usedSince(
    repositoryIds: readonly number[],
    actionKeys: readonly string[],
  ): Promise<{ ref: string; day: string }[]> {
    const rows = await database.db
      .selectFrom('action_refs')
      .innerJoin('use_days', 'use_days.refId', 'action_refs.id')
      .innerJoin('repos', 'repos.id', 'use_days.repoId')
      .select(['action_refs.ref'])
      .select(({ fn }) => fn.min('use_days.day').as('day'))
      .where(({ eb, fn, val }) => eb('action_refs.actionKey', '=', fn.any(val(actionKeys))))
      .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
      .where(({ eb, val }) => eb('use_days.privateSources', '<@', val([...repositoryIds])))
      .groupBy('action_refs.ref')
      .execute();
    return rows;
  },
});

/** Which uses. */
export interface UsesRequested {
  actionKeys: readonly string[];
  commits: readonly string[];
  days: Days;
  limit: number;
}

async function usesOnDays(
  { db }: Queries,
  repositoryIds: readonly number[],
  { actionKeys, commits, days, limit }: UsesRequested,
): Promise<UseOnDays[]> {
  const rows = await db
    .selectFrom('action_refs')
    .innerJoin('use_days', 'use_days.refId', 'action_refs.id')
    .innerJoin('repos', 'repos.id', 'use_days.repoId')
    .select(['repos.codehostRepoId', 'use_days.refId', 'use_days.path'])
    .select(['use_days.kind', 'use_days.through', 'action_refs.actionKey', 'action_refs.ref'])
    .select(['action_refs.isBranch', 'action_refs.codehostId', 'action_refs.isPrivate'])
    .select(({ fn, eb, cast, val }) =>
      fn.agg<number[]>('array_agg', [eb('use_days.day', '-', cast<string>(val('1970-01-01'), 'date'))]).as('days'),
    )
    .where(({ eb, or, fn, val }) =>
      or([eb('action_refs.actionKey', '=', fn.any(val(actionKeys))), eb('action_refs.ref', '=', fn.any(val(commits)))]),
    )
    .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
    .where(({ eb, val }) => eb('use_days.privateSources', '<@', val([...repositoryIds])))
    .where('use_days.day', '>=', days.from)
    .where('use_days.day', '<=', days.to)
    .groupBy(['repos.codehostRepoId', 'use_days.refId', 'use_days.path'])
    .groupBy(['use_days.kind', 'use_days.through', 'action_refs.actionKey', 'action_refs.ref'])
    .groupBy(['action_refs.isBranch', 'action_refs.codehostId', 'action_refs.isPrivate'])
    .limit(limit)
    .execute();
  return rows.map(toUse(repositoryIds));
}

interface CommitsRequested {
  shas: readonly string[];
  actionKeys: readonly string[];
  repositoryIds: readonly number[];
}

async function commitsOf(
  { db }: Queries,
  { shas, actionKeys, repositoryIds }: CommitsRequested,
): Promise<SeenCommit[]> {
  if (shas.length === 0) return [];
  const rows = await db
    .selectFrom('action_refs')
    .innerJoin('ref_ledger', 'ref_ledger.refId', 'action_refs.id')
    .select(['ref_ledger.commit', 'ref_ledger.tagObject', 'action_refs.codehostId', 'action_refs.isPrivate'])
    .distinct()
    .where(({ eb, fn, val }) => eb('action_refs.actionKey', '=', fn.any(val(actionKeys))))
    .where(({ eb, or, fn, val }) =>
      or([eb('ref_ledger.commit', '=', fn.any(val(shas))), eb('ref_ledger.tagObject', '=', fn.any(val(shas)))]),
    )
    .execute();
  return rows
    .filter((row) => !isHiddenFrom(repositoryIds, row))
    .flatMap(({ commit, tagObject }) => {
      if (commit === null) return [];
      return [...(shas.includes(commit) ? [commit] : []), ...(tagObject ? [tagObject] : [])].map((sha) => ({
        sha,
        commit,
      }));
    });
}

const withRepositoryId = <Row extends { codehostRepoId: number }>({ codehostRepoId, ...row }: Row) => ({
  ...row,
  repositoryId: codehostRepoId,
});

interface NamesRequested {
  repositoryIds: readonly number[];
  found: FoundRepository | null;
}

async function namesOf(
  { db }: Queries,
  actionKey: string,
  { repositoryIds, found }: NamesRequested,
): Promise<SeenNames> {
  const now = await db
    .selectFrom('action_refs')
    .innerJoin('ref_ledger', 'ref_ledger.refId', 'action_refs.id')
    .select(['ref_ledger.repository', 'ref_ledger.codehostId as seenId'])
    .select(['action_refs.codehostId', 'action_refs.isPrivate'])
    .distinct()
    .where(({ eb, or }) =>
      or([eb('action_refs.actionKey', '=', actionKey), eb('ref_ledger.repository', '=', actionKey)]),
    )
    .execute();
  const pinned = await db
    .selectFrom('action_refs')
    .select('codehostId')
    .distinct()
    .where('actionKey', '=', actionKey)
    .where('codehostId', 'is not', null)
    .execute();
  const ids = [
    ...now.flatMap(({ seenId }) => seenId ?? []),
    ...pinned.flatMap(({ codehostId }) => codehostId ?? []),
    ...(found ? [found.codehostId] : []),
  ];
  const written = await db
    .selectFrom('ref_ledger')
    .innerJoin('action_refs', 'action_refs.id', 'ref_ledger.refId')
    .select(['action_refs.actionKey as repository'])
    .select(['action_refs.codehostId', 'action_refs.isPrivate'])
    .distinct()
    .where(({ eb, fn, val }) => eb('ref_ledger.codehostId', '=', fn.any(val(ids))))
    .execute();
  // Of what is pinned alone the ledger has no row.
  const pins = await db
    .selectFrom('action_refs')
    .select(['actionKey as repository', 'codehostId', 'isPrivate'])
    .distinct()
    .where(({ eb, fn, val }) => eb('codehostId', '=', fn.any(val(ids))))
    .execute();
  const seen = [...now, ...written, ...pins];
  const own = [actionKey, ...(found ? [found.name] : [])];
  const named = (rows: readonly { repository: string | null }[]) => [
    ...new Set([...own, ...rows.flatMap(({ repository }) => repository ?? [])]),
  ];
  return {
    all: named(seen),
    shown: named(seen.filter((one) => !isHiddenFrom(repositoryIds, one))),
    isIdKnown: ids.length > 0,
  };
}
