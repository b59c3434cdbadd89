import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database } from './database.ts';
import { readingStatements as statements } from './statements.ts';

interface Wanted {
  /** The database's own ids. */
  repoIds: readonly number[];
  /** Part of a name, in any case. */
  text: string;
  limit: number;
}

/** Finds stored workflows and people by their names. */
export const names = (database: Database) => ({
  workflows: ({ repoIds, text, limit }: Wanted) =>
    database.run<{ repoId: number; workflowId: number; workflow: string }>(statements.workflows_named, {
      repo_ids: repoIds,
      text,
      limit,
    }),
  /** Authors of pull requests that were merged or closed since then. */
  authors: ({ repoIds, text, limit, since }: Wanted & { since: Instant }) =>
    database.run<{ login: string; owner: string }>(statements.authors_named, {
      repo_ids: repoIds,
      text,
      limit,
      since,
    }),
  /** Those of these words, in lower case, that are logins of people this installation knows. */
  logins: async (words: readonly string[]): Promise<string[]> => {
    const found = await database.run<{ login: string }>(statements.logins_among, { words });
    return found.map(({ login }) => login);
  },
});
