import type { Instant } from '../metrics/kernel/facts.ts';
import type { Queries } from './database.ts';
import { readingStatements, runStatements } from './statements.ts';
import { type RunRow, type StoredRun, toStoredRun } from './stored-run.ts';

/** How far the runs of a tracked repository are stored. */
export interface RunSyncState {
  repoId: number;
  /** The repository's id on the platform. */
  codehostId: number;
  /**
   * Another one as soon as a run begins or ends: the newest run's id and how many have not ended. A re-run between two
   * looks leaves it as it was, until the next run.
   */
  mark: string;
  syncedThrough: Instant;
}

/** Of these repositories, by their ids on the platform, the tracked ones that a synchronization has read. */
export const getRunSyncStates =
  (database: Queries) =>
  (codehostIds: readonly number[]): Promise<RunSyncState[]> =>
    database.run<RunSyncState>(readingStatements.run_versions, { codehost_ids: codehostIds });

export interface PassedQuery {
  repositories: readonly { repoId: number; defaultBranch: string }[];
  /** Workflows without a run since then are excluded. */
  activeSince: Instant;
  /** Newest passed runs of each workflow. */
  limit: number;
}

/**
 * The newest passed runs on the default branch of each workflow, by repository, in one query. They are looked for among
 * the newest 1,000 runs of a workflow, because builds of pull requests may outnumber them without end.
 */
export const passedOnDefault =
  (database: Queries) =>
  async ({ repositories, activeSince, limit }: PassedQuery): Promise<Map<number, StoredRun[]>> => {
    const rows = await database.run<RunRow & { repo_id: number }>(runStatements.successful_runs, {
      repo_ids: repositories.map(({ repoId }) => repoId),
      branches: repositories.map(({ defaultBranch }) => defaultBranch),
      active_since: activeSince,
      limit,
    });
    const byRepository = Map.groupBy(rows, (row) => row.repo_id);
    return new Map([...byRepository].map(([repoId, own]) => [repoId, own.map(toStoredRun)]));
  };

/**
 * From when on all runs of a repository are stored: down to where a synchronization has read and no purge has deleted.
 * null where none ever did.
 */
export const knownFrom =
  (database: Queries) =>
  async (repoId: number): Promise<Instant | null> => {
    const [row] = await database.run<{ from: Instant }>(readingStatements.runs_known_from, { repo_id: repoId });
    return row?.from ?? null;
  };
