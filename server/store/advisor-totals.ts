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
  /** What was judged by other settings is judged again; what was begun to be judged before is not stored any more. */
  async forget(asOf: Instant): Promise<void> {
    await database.transaction(async ({ db }) => {
      const tracked = await db.selectFrom('repos').select('id').where('tracked', '=', true).execute();
      if (tracked.length > 0)
        await db
          .insertInto('advisor_totals')
          .values(tracked.map(({ id }) => ({ repoId: id, asOf, plan: null })))
          .onConflict((conflict) => conflict.column('repoId').doNothing())
          .execute();
      await db.updateTable('advisor_totals').set({ asOf, plan: null }).execute();
    });
  },
  /** Those of the repositories that are tracked, by the platform's ids; null of one that was not judged yet. */
  async ofTracked(repositoryIds: readonly number[]): Promise<Map<number, StoredPlan | null>> {
    if (repositoryIds.length === 0) return new Map();
    const rows = await database.db
      .selectFrom('repos')
      .leftJoin('advisor_totals', 'advisor_totals.repoId', 'repos.id')
      .where('repos.codehostRepoId', 'in', [...repositoryIds])
      .where('repos.tracked', '=', true)
      .select(['repos.codehostRepoId', 'advisor_totals.asOf', 'advisor_totals.plan'])
      .execute();
    return new Map(
      rows.map(({ codehostRepoId, asOf, plan }) => [
        codehostRepoId,
        asOf === null || plan === null ? null : { asOf, plan },
      ]),
    );
  },
});
