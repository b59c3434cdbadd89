import type { Instant, Repository, RepositoryName } from '../metrics/facts.ts';
import type { Database, Queries } from './database.ts';
import { RepositoryRow, type UnreachableCode } from './entities/repository.ts';
import { trackRepositories } from './locks.ts';

/** A repository as the database knows it; `id` is the database's own. */
export interface KnownRepository extends RepositoryName {
  id: number;
  codehostId: number;
  private: boolean;
  defaultBranch: string | null;
  archived: boolean;
  tracked: boolean;
  /** When a synchronization was first refused as not there or blocked, none having read it since; null otherwise. */
  unreachableSince: Instant | null;
  /** What the last of those answers was. */
  lastErrorCode: UnreachableCode | null;
}

export function repositories(database: Database) {
  return {
    /**
     * By the platform's id, because a name may pass from one repository to another: who sees the new one must not be
     * shown what was kept of the old.
     */
    find: (repository: Pick<Repository, 'id'>) => byPlatform(database, repository),
    /** The platform's id of a repository that is known. */
    async codehostIdOf(id: number): Promise<number | null> {
      const [row] = await database.query<{ id: number }>(codehostId, [id]);
      return row?.id ?? null;
    },
    /** Those of these names or ids, tracked or not, and what is tracked of these owners. In lower case. */
    concerning: (asked: { names: readonly string[]; owners: readonly string[]; ids: readonly number[] }) =>
      database.query<KnownRepository>(concerning, [asked.names, asked.owners, asked.ids]),
    /** The repositories whose runs are kept, of one owner or of all, by name. */
    tracked: (owner?: string): Promise<KnownRepository[]> =>
      database.query<KnownRepository>(allTracked, [owner === undefined ? null : key(owner)]),
    /**
     * Tracks a repository from now on and answers its id. It is known by the platform's id, so that a renamed one keeps
     * its history; whatever had its new name before loses the name.
     */
    track: (repository: Repository, trackedBy: string, now: Instant): Promise<number> =>
      store(database, repository, { by: trackedBy, at: now }),
    /** Makes sure that a repository is known as it is now, tracked or not, and answers its id. Known as by `track`. */
    async known(repository: Repository): Promise<number> {
      const { id, owner, repo, htmlUrl, defaultBranch, archived } = repository;
      const asItIs = { owner, name: repo, ownerKey: key(owner), htmlUrl, private: repository.private };
      const where = { codehostRepoId: id, ...asItIs, defaultBranch, archived };
      const row = await database.entities().findOne(RepositoryRow, where);
      return row?.id ?? store(database, repository, null);
    },
    async untrack(id: number): Promise<void> {
      await database.entities().nativeUpdate(RepositoryRow, { id }, { tracked: false });
    },
    /** Notes that a repository could not be reached, and answers since when that is so. What is stored of it stays. */
    async unreachable(id: number, code: UnreachableCode, now: Instant): Promise<Instant> {
      const [row] = await database.query<{ since: number }>(markUnreachable, [id, code, now]);
      return Math.round(row?.since ?? now);
    },
    /** Notes that a repository was read. */
    async reachable(id: number): Promise<void> {
      const marked = { id, unreachableSince: { $ne: null } };
      await database.entities().nativeUpdate(RepositoryRow, marked, { unreachableSince: null, lastErrorCode: null });
    },
  };
}

async function byPlatform(queries: Queries, { id }: Pick<Repository, 'id'>): Promise<KnownRepository | null> {
  const [row] = await queries.query<KnownRepository>(byId, [id]);
  return row ?? null;
}

/**
 * Makes sure that a repository is known by a message that may be old, and answers its id: a known one stays as it is,
 * and an unknown one does not take a name that another has. Ask for it first in a transaction.
 */
export async function heardOf(transaction: Queries, repository: Repository): Promise<number> {
  const known = await byPlatform(transaction, repository);
  if (known) return known.id;
  const { id, owner, repo, htmlUrl, defaultBranch, archived } = repository;
  await transaction.query(`select ${trackRepositories}`);
  const values = [id, owner, repo, key(owner), key(repo), htmlUrl, repository.private, defaultBranch, archived];
  await transaction.query(insertUnknown, values);
  const stored = await byPlatform(transaction, repository);
  if (!stored) throw new Error('The repository was not stored.');
  return stored.id;
}

const store = (database: Database, repository: Repository, tracking: { by: string; at: Instant } | null) =>
  database.transaction(async (transaction) => {
    const { id, owner, repo, htmlUrl, defaultBranch, archived } = repository;
    await transaction.query(`select ${trackRepositories}`);
    await transaction.query(lockTouched, [id, key(owner), key(repo)]);
    await transaction.query(freeName, [key(owner), key(repo), id]);
    const [row] = await transaction.query<{ id: number }>(upsert, [
      id,
      owner,
      repo,
      key(owner),
      key(repo),
      htmlUrl,
      repository.private,
      defaultBranch,
      archived,
      tracking?.by ?? null,
      tracking?.at ?? null,
    ]);
    if (!row) throw new Error('The repository was not stored.');
    return row.id;
  });

const key = (name: string) => name.toLowerCase();

/** The columns of `KnownRepository` in `repos`. */
export const knownColumns = `
  id, codehost_repo_id::float8 as "codehostId", owner, name as repo, private, default_branch as "defaultBranch",
    archived, tracked, round(extract(epoch from unreachable_since) * 1000)::float8 as "unreachableSince",
    last_error_code as "lastErrorCode"`;

const known = `select ${knownColumns} from repos`;

const byId = `${known} where codehost_repo_id = $1::bigint`;

const codehostId = 'select codehost_repo_id::float8 as id from repos where id = $1::int';

const concerning = `
  ${known} where id = any ($3::int[]) or tracked and owner_key = any ($2::text[])
    or owner_key = any (select split_part(name, '/', 1) from unnest($1::text[]) name)
      and owner_key || '/' || name_key = any ($1::text[])`;

const allTracked = `${known} where tracked and ($1::text is null or owner_key = $1) order by owner_key, name_key`;

/** In the order in which others lock several, so that two never wait for each other. */
const lockTouched = `
  select from repos where codehost_repo_id = $1::bigint or owner_key = $2 and name_key = $3 order by id
  for no key update`;

/** A name may pass from one repository to another; the former keeps its runs under a name nobody can ask for. */
const freeName = `
  update repos set owner_key = owner_key || '/' || codehost_repo_id, tracked = false
  where owner_key = $1 and name_key = $2 and codehost_repo_id <> $3::bigint`;

const upsert = `
  insert into repos as known (codehost_repo_id, owner, name, owner_key, name_key, html_url, private, default_branch,
    archived, tracked, tracked_by, tracked_at)
  values ($1::bigint, $2, $3, $4, $5, $6, $7, $8, $9, $10::text is not null, $10, to_timestamp($11::float8 / 1000))
  on conflict (codehost_repo_id) do update set
    owner = excluded.owner, name = excluded.name, owner_key = excluded.owner_key, name_key = excluded.name_key,
    html_url = excluded.html_url, private = excluded.private, default_branch = excluded.default_branch,
    archived = excluded.archived, tracked = known.tracked or excluded.tracked,
    tracked_by = case when known.tracked then known.tracked_by else coalesce(excluded.tracked_by, known.tracked_by) end,
    tracked_at = case when known.tracked then known.tracked_at else coalesce(excluded.tracked_at, known.tracked_at) end
  returning id`;

/** Beside a repository that has its name, it waits under one nobody can ask for until it is seen as it is now. */
const insertUnknown = `
  insert into repos (codehost_repo_id, owner, name, owner_key, name_key, html_url, private, default_branch, archived,
    tracked)
  select $1::bigint, $2, $3, case when exists (select from repos where owner_key = $4 and name_key = $5)
    then $4 || '/' || $1::bigint else $4 end, $5, $6, $7, $8, $9, false
  on conflict (codehost_repo_id) do nothing`;

const markUnreachable = `
  update repos set unreachable_since = coalesce(unreachable_since, to_timestamp($3::float8 / 1000)), last_error_code = $2
  where id = $1::int returning date_part('epoch', unreachable_since) * 1000 as since`;
