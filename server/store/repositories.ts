import { type Selectable, sql } from 'kysely';
import type { Instant, Repository, RepositoryName } from '../metrics/kernel/facts.ts';
import type { Database, Queries, Tables } from './database.ts';
import { Repository as RepositoryEntity, type UnreachableCode } from './entities/repository.ts';
import { lock } from './locks.ts';

/** The columns of `KnownRepository`. */
export const knownColumns = [
  'repos.id',
  'repos.codehostRepoId',
  'repos.owner',
  'repos.name',
  'repos.private',
  'repos.defaultBranch',
  'repos.archived',
  'repos.codehostCreatedAt',
  'repos.tracked',
  'repos.unreachableSince',
  'repos.lastErrorCode',
] as const;

type Row = Selectable<Tables['repos']>;

/**
 * A repository as the database knows it; `id` is the database's own. `unreachableSince` is when a synchronization was
 * first denied as not there or blocked, none having read it since, and `lastErrorCode` what the last answer was.
 */
export interface KnownRepository
  extends RepositoryName,
    Pick<
      Row,
      | 'id'
      | 'private'
      | 'defaultBranch'
      | 'archived'
      | 'codehostCreatedAt'
      | 'tracked'
      | 'unreachableSince'
      | 'lastErrorCode'
    > {
  codehostId: number;
}

/** The row of `knownColumns` under the names of the domain. */
export const toKnown = ({
  codehostRepoId: codehostId,
  name: repo,
  ...row
}: Pick<Row, 'codehostRepoId' | 'name'> & Omit<KnownRepository, 'codehostId' | 'repo'>): KnownRepository => ({
  ...row,
  codehostId,
  repo,
});

export function repositories(database: Database) {
  return {
    /**
     * By the platform's id, because a name may pass from one repository to another: who sees the new one must not be
     * shown what was stored of the old.
     */
    find: (repository: Pick<Repository, 'id'>) => byPlatform(database, repository),
    /** The platform's id of a repository that is known. */
    async findCodehostId(id: number): Promise<number | null> {
      const query = database.db.selectFrom('repos').select('codehostRepoId').where('id', '=', id);
      return (await query.executeTakeFirst())?.codehostRepoId ?? null;
    },
    /** Those of these names or ids, tracked or not, and what is tracked of these owners. In lower case. */
    concerning: (request: Concerned): Promise<KnownRepository[]> => concerning(database, request),
    /** The repositories whose runs are stored, of one owner or of all, by name. */
    async tracked(owner?: string): Promise<KnownRepository[]> {
      const rows = await database.db
        .selectFrom('repos')
        .select(knownColumns)
        .where('tracked', '=', true)
        .$if(owner !== undefined, (query) => query.where('ownerKey', '=', key(owner as string)))
        .orderBy('ownerKey')
        .orderBy('nameKey')
        .execute();
      return rows.map(toKnown);
    },
    async countTracked(): Promise<number> {
      return database.entities().count(RepositoryEntity, { tracked: true });
    },
    /**
     * Tracks a repository from now on and answers its id. It is known by the platform's id, so that a renamed one keeps
     * its history; whatever had its new name before loses the name.
     */
    track: (repository: Repository, trackedBy: string, now: Instant): Promise<number> =>
      store(database, repository, { by: trackedBy, at: now }),
    /** Makes sure that a repository is known as it is now, tracked or not, and answers its id. Known as by `track`. */
    async known(repository: Repository): Promise<number> {
      const { nameKey: _, ...asItIs } = describe(repository);
      const where = { codehostRepoId: repository.id, ...asItIs };
      const row = await database.entities().findOne(RepositoryEntity, where);
      return row?.id ?? store(database, repository, null);
    },
    async untrack(id: number): Promise<void> {
      await database.entities().nativeUpdate(RepositoryEntity, { id }, { tracked: false });
    },
    /** Stores that a repository could not be reached, and answers since when that is so. Its facts stay. */
    async unreachable(id: number, code: UnreachableCode, now: Instant): Promise<Instant> {
      const row = await database.db
        .updateTable('repos')
        .set(({ fn, cast, val }) => ({
          unreachableSince: fn.coalesce(
            'unreachableSince',
            cast<number>(val(new Date(now).toISOString()), 'timestamptz'),
          ),
          lastErrorCode: code,
        }))
        .where('id', '=', id)
        .returning('unreachableSince')
        .executeTakeFirst();
      return row?.unreachableSince ?? now;
    },
    /** Stores that a repository was read. */
    async reachable(id: number): Promise<void> {
      const marked = { id, unreachableSince: { $ne: null } };
      await database.entities().nativeUpdate(RepositoryEntity, marked, { unreachableSince: null, lastErrorCode: null });
    },
  };
}

interface Concerned {
  names: readonly string[];
  owners: readonly string[];
  ids: readonly number[];
}

async function concerning({ db }: Queries, { names, owners, ids }: Concerned): Promise<KnownRepository[]> {
  const ownersOfNames = names.map((name) => name.split('/', 1)[0] as string);
  const rows = await db
    .selectFrom('repos')
    .select(knownColumns)
    .where(({ eb, and, or, fn, val, ref }) =>
      or([
        eb('id', '=', fn.any(val(ids))),
        and([eb('tracked', '=', true), eb('ownerKey', '=', fn.any(val(owners)))]),
        and([
          eb('ownerKey', '=', fn.any(val(ownersOfNames))),
          eb(sql<string>`${ref('ownerKey')} || '/' || ${ref('nameKey')}`, '=', fn.any(val(names))),
        ]),
      ]),
    )
    .execute();
  return rows.map(toKnown);
}

async function byPlatform({ db }: Queries, { id }: Pick<Repository, 'id'>): Promise<KnownRepository | null> {
  const row = await db.selectFrom('repos').select(knownColumns).where('codehostRepoId', '=', id).executeTakeFirst();
  return row ? toKnown(row) : null;
}

/**
 * Makes sure that a repository is known by a message that may be old, and answers its id: a known one stays as it is,
 * and an unknown one does not take a name that another has. Call it first in a transaction.
 */
export async function upsertSeen(transaction: Queries, repository: Repository): Promise<number> {
  const known = await byPlatform(transaction, repository);
  if (known) return known.id;
  await lock(transaction, 'repositories');
  const described = describe(repository);
  const namesake = await transaction.db
    .selectFrom('repos')
    .select('id')
    .where('ownerKey', '=', described.ownerKey)
    .where('nameKey', '=', described.nameKey)
    .executeTakeFirst();
  // Beside a repository that has its name, it waits under one nobody can ask for until it is seen as it is now.
  const ownerKey = namesake ? `${described.ownerKey}/${repository.id}` : described.ownerKey;
  await transaction.db
    .insertInto('repos')
    .values({ ...described, codehostRepoId: repository.id, ownerKey, tracked: false })
    .onConflict((conflict) => conflict.column('codehostRepoId').doNothing())
    .execute();
  const stored = await byPlatform(transaction, repository);
  if (!stored) throw new Error('The repository was not stored.');
  return stored.id;
}

const store = (database: Database, repository: Repository, tracking: { by: string; at: Instant } | null) =>
  database.transaction(async (transaction) => {
    const { db } = transaction;
    const described = describe(repository);
    const { ownerKey, nameKey } = described;
    await lock(transaction, 'repositories');
    // In the order in which others lock several, so that two never wait for each other.
    const touched = await db
      .selectFrom('repos')
      .select(['codehostRepoId', 'tracked'])
      .where(({ eb, and, or }) =>
        or([
          eb('codehostRepoId', '=', repository.id),
          and([eb('ownerKey', '=', ownerKey), eb('nameKey', '=', nameKey)]),
        ]),
      )
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    await freeName(transaction, repository);
    const isTracked = touched.some((one) => one.codehostRepoId === repository.id && one.tracked);
    const tracked =
      tracking && !isTracked ? { tracked: true, trackedBy: tracking.by, trackedAt: tracking.at } : undefined;
    const { id } = await db
      .insertInto('repos')
      .values({ codehostRepoId: repository.id, ...described, tracked: false, ...tracked })
      .onConflict((conflict) => conflict.column('codehostRepoId').doUpdateSet({ ...described, ...tracked }))
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });

/** A name may pass from one repository to another; the former keeps its runs under a name nobody can ask for. */
async function freeName({ db }: Queries, { id, owner, repo }: Repository): Promise<void> {
  await db
    .updateTable('repos')
    .set(({ ref }) => ({
      ownerKey: sql<string>`${ref('ownerKey')} || '/' || ${ref('codehostRepoId')}`,
      tracked: false,
    }))
    .where('ownerKey', '=', key(owner))
    .where('nameKey', '=', key(repo))
    .where('codehostRepoId', '!=', id)
    .execute();
}

/** The columns that the platform's description fills. */
const describe = (repository: Repository) => ({
  owner: repository.owner,
  name: repository.repo,
  ownerKey: key(repository.owner),
  nameKey: key(repository.repo),
  htmlUrl: repository.htmlUrl,
  private: repository.private,
  defaultBranch: repository.defaultBranch,
  archived: repository.archived,
  ...(repository.createdAt !== null && { codehostCreatedAt: repository.createdAt }),
});

const key = (name: string) => name.toLowerCase();
