import type { InferEntity } from '@mikro-orm/core';
import type { Instant, Repository, RepositoryName } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { RepositoryRow } from './entities/repository.ts';
import { trackRepositories } from './locks.ts';

/** A repository as the database knows it; `id` is the database's own. */
export interface KnownRepository extends RepositoryName {
  id: number;
  codehostId: number;
  private: boolean;
  defaultBranch: string | null;
  archived: boolean;
  tracked: boolean;
}

export function repositories(database: Database) {
  return {
    /** By its name, whatever its case. */
    async find({ owner, repo }: RepositoryName): Promise<KnownRepository | null> {
      const row = await database.entities().findOne(RepositoryRow, { ownerKey: key(owner), nameKey: key(repo) });
      return row && toKnown(row);
    },
    /** The repositories whose runs are kept, of one owner or of all, by name. */
    async tracked(owner?: string): Promise<KnownRepository[]> {
      const rows = await database
        .entities()
        .find(
          RepositoryRow,
          { tracked: true, ...(owner !== undefined && { ownerKey: key(owner) }) },
          { orderBy: { ownerKey: 'asc', nameKey: 'asc' } },
        );
      return rows.map(toKnown);
    },
    /**
     * Tracks a repository from now on and answers its id. It is known by the platform's id, so that a renamed one keeps
     * its history; whatever had its new name before loses the name.
     */
    track: (repository: Repository, trackedBy: string, now: Instant): Promise<number> =>
      database.transaction(async (transaction) => {
        const { id, owner, repo, htmlUrl, defaultBranch, archived } = repository;
        await transaction.query(`select ${trackRepositories}`);
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
          trackedBy,
          now,
        ]);
        if (!row) throw new Error('The repository was not stored.');
        return row.id;
      }),
    async untrack(id: number): Promise<void> {
      await database.entities().nativeUpdate(RepositoryRow, { id }, { tracked: false });
    },
  };
}

const key = (name: string) => name.toLowerCase();

const toKnown = (row: InferEntity<typeof RepositoryRow>): KnownRepository => ({
  id: row.id,
  codehostId: row.codehostRepoId,
  owner: row.owner,
  repo: row.name,
  private: row.private,
  defaultBranch: row.defaultBranch ?? null,
  archived: row.archived,
  tracked: row.tracked,
});

/** A name may pass from one repository to another; the former keeps its runs under a name nobody can ask for. */
const freeName = `
  update repos set owner_key = owner_key || '/' || codehost_repo_id, tracked = false
  where owner_key = $1 and name_key = $2 and codehost_repo_id <> $3::bigint`;

const upsert = `
  insert into repos as known (codehost_repo_id, owner, name, owner_key, name_key, html_url, private, default_branch,
    archived, tracked, tracked_by, tracked_at)
  values ($1::bigint, $2, $3, $4, $5, $6, $7, $8, $9, true, $10, to_timestamp($11::float8 / 1000))
  on conflict (codehost_repo_id) do update set
    owner = excluded.owner, name = excluded.name, owner_key = excluded.owner_key, name_key = excluded.name_key,
    html_url = excluded.html_url, private = excluded.private, default_branch = excluded.default_branch,
    archived = excluded.archived, tracked = true,
    tracked_by = case when known.tracked then known.tracked_by else excluded.tracked_by end,
    tracked_at = case when known.tracked then known.tracked_at else excluded.tracked_at end
  returning id`;
