import type { JudgedPlan } from '../advisor/judge.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database } from './database.ts';

/** A plan with when it was made. */
export interface StoredPlan {
  asOf: Instant;
  plan: JudgedPlan;
}

/** What the open recommendations of each repository come to, as last judged. */
export const advisorTotals = (database: Database) => ({
  /** Stores a plan in the place of an older one; one that was made before it changes nothing. */
  async put(repoId: number, { asOf, plan }: StoredPlan): Promise<void> {
    await database.db
      .insertInto('advisor_totals')
      .values({ repoId, asOf, plan })
      .onConflict((conflict) =>
        conflict.column('repoId').doUpdateSet({ asOf, plan }).where('advisor_totals.asOf', '<=', asOf),
      )
      .execute();
  },
  /** Those of these repositories, by the platform's ids. */
  async list(repositoryIds: readonly number[]): Promise<Map<number, StoredPlan>> {
    if (repositoryIds.length === 0) return new Map();
    const rows = await database.db
      .selectFrom('advisor_totals')
      .innerJoin('repos', 'repos.id', 'advisor_totals.repoId')
      .where('repos.codehostRepoId', 'in', [...repositoryIds])
      .select(['repos.codehostRepoId', 'advisor_totals.asOf', 'advisor_totals.plan'])
      .execute();
    return new Map(rows.map(({ codehostRepoId, ...stored }) => [codehostRepoId, stored]));
  },
});
