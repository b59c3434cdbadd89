import type { Conclusion } from '../metrics/kernel/facts.ts';
import type { Queries } from './database.ts';
import { runStatements } from './statements.ts';
import { type RunRow, type StoredRun, toStoredRun } from './stored-run.ts';

export interface PageQuery {
  repoId: number;
  limit: number;
  offset: number;
  conclusion?: Conclusion | undefined;
}

export interface RunPage {
  /** Newest creation first. */
  runs: StoredRun[];
  /** Runs that match, on all pages. */
  total: number;
}

/** Reads one page of a repository's runs. */
export const readRunPage =
  (database: Queries) =>
  async ({ repoId, limit, offset, conclusion }: PageQuery): Promise<RunPage> => {
    const rows = await database.run<RunRow & { total_runs: number; id: number | null }>(runStatements.page, {
      repo_id: repoId,
      offset,
      limit,
      conclusion: conclusion ?? null,
    });
    const runs = rows.filter((row) => row.id !== null).map(toStoredRun);
    return { runs, total: rows[0]?.total_runs ?? 0 };
  };
