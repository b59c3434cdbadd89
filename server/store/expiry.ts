import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';

/** What lives shortly and may be forgotten at any time, as a condition on `now`; `purge` deletes what is kept long. */
const expired = {
  rate_limits: `updated_at < now - interval '1 day'`,
  job_leases: `expires_at < now - interval '1 day'`,
  kept_answers: 'expires_at < now',
  ai_cache: 'expires_at < now',
  filed_issues: `to_timestamp(claimed_at / 1000.0) < now - interval '1 day'`,
};

/** Deletes what has outlived its use. Answers how many rows. */
export const forgetExpired =
  (database: Database) =>
  async (at: Instant): Promise<number> => {
    let rows = 0;
    for (const [table, condition] of Object.entries(expired)) {
      const [done] = await database.query<{ count: number }>(
        `with gone as (
         delete from ${table} using (select to_timestamp($1::float8 / 1000) as now) moment where ${condition} returning 1
       ) select count(*)::int as count from gone`,
        [at],
      );
      rows += done?.count ?? 0;
    }
    return rows;
  };
