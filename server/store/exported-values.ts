import type { Instant } from '../metrics/kernel/facts.ts';
import { type Database, jsonb } from './database.ts';
import { monitoringStatements as statements } from './statements.ts';

/** One value of a repository's metrics. */
export interface RepositoryValue {
  /** The metric family. */
  family: string;
  /** Those beside `owner` and `repo`. */
  labels: Record<string, string>;
  /** In the unit of the family. */
  value: number;
  /** How many items stand behind it; null where that says nothing. */
  n: number | null;
  /** Until when the facts behind it are known. */
  asOf: Instant;
}

/** The same with its repository, as the platform names it, in lower case. */
export interface ExposedValue extends RepositoryValue {
  owner: string;
  repo: string;
}

/** Metrics of repositories, computed by a job and shown at every scrape. */
export const exportedValues = (database: Database) => ({
  /** Puts these in place of everything that was there of a repository. */
  replace: (repoId: number, values: readonly RepositoryValue[]): Promise<void> =>
    database.transaction(async ({ db }) => {
      // Whoever replaces the same at the same time waits, also where there was nothing yet.
      await db.selectFrom('repos').select('id').where('id', '=', repoId).forNoKeyUpdate().execute();
      await db.deleteFrom('exported_values').where('repoId', '=', repoId).execute();
      const rows = values.map(({ labels, ...value }) => ({
        ...value,
        repoId,
        labelsKey: JSON.stringify(Object.entries(labels).sort()),
        labels: jsonb(labels) as never,
      }));
      if (rows.length > 0) await db.insertInto('exported_values').values(rows).execute();
    }),
  /** Those of tracked repositories; of public ones alone where `isPublic` says so. */
  list: ({ isPublic }: { isPublic: boolean }): Promise<ExposedValue[]> =>
    database.run(statements.exported_values, { is_public: isPublic }),
});
