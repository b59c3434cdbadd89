import { sql } from 'kysely';
import type { Database, Queries } from './database.ts';
import { serviceStatements } from './statements.ts';

/** A repository over which rules are to be evaluated. */
export interface DueRepository {
  id: number;
  owner: string;
  repo: string;
  defaultBranch: string | null;
  /** Which of its changes is meant: in microseconds, unlike other instants. */
  since: string;
}

/** Repositories whose runs changed since rules were evaluated over them; stored where any rule is on. */
export const alertDue = (database: Database) => ({
  /** Those that wait, oldest first. */
  waiting: (limit: number): Promise<DueRepository[]> => database.run(serviceStatements.due_repositories, { limit }),
  /** Records that one was evaluated; what changed since then waits on. */
  async evaluated({ id, since }: Pick<DueRepository, 'id' | 'since'>): Promise<void> {
    await database.db
      .deleteFrom('alert_due')
      .where('repoId', '=', id)
      .where('since', '=', sql<number>`${since}::timestamptz`)
      .execute();
  },
});

/** Records that runs of these repositories changed, in the transaction that counted them. */
export const noteDue = (queries: Queries, repoIds: readonly number[]): Promise<unknown> =>
  queries.run(serviceStatements.put_due, { repo_ids: repoIds });
