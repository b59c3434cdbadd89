import type { ComparisonResult } from '../metrics/ai-authorship/comparison/compare-gathered.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database } from './database.ts';

/** Of what a comparison is. */
export interface ComparisonKey {
  /** A hash of the repositories and months that are compared. */
  cellsKey: string;
  class: string;
  /** Empty for all agents. */
  agent: string;
}

/** One with when and by which table of marks it was computed. */
export interface StoredComparison {
  answer: ComparisonResult;
  tableVersion: string;
  computedAt: Instant;
}

/** How marked pull requests fared beside others, as last computed. */
export const aiComparisons = (database: Database) => ({
  async get(key: ComparisonKey): Promise<StoredComparison | null> {
    const row = await database.db
      .selectFrom('ai_comparisons')
      .where('cellsKey', '=', key.cellsKey)
      .where('class', '=', key.class)
      .where('agent', '=', key.agent)
      .select(['answer', 'tableVersion', 'computedAt'])
      .executeTakeFirst();
    return row ?? null;
  },
  /** Stores one in the place of an older one. */
  async put(key: ComparisonKey, stored: StoredComparison): Promise<void> {
    await database.db
      .insertInto('ai_comparisons')
      .values({ ...key, ...stored })
      .onConflict((conflict) =>
        conflict
          .columns(['cellsKey', 'class', 'agent'])
          .doUpdateSet(stored)
          .where('ai_comparisons.computedAt', '<=', stored.computedAt),
      )
      .execute();
  },
});
