import type { FactKind } from '../../facts/shelf.ts';
import type { Instant } from '../../metrics/facts.ts';
import { dayMs } from '../../metrics/window.ts';
import type { Database } from '../database.ts';
import { fromMs } from '../wire-sql.ts';
import { lockRepository } from './fact-shelf.ts';
import { factSql } from './fact-sql.ts';
import { raiseFloor } from './ledgers.ts';

/** How long facts are kept after the day they last mattered, in days. */
const keptDays: { readonly [Kind in FactKind]: number } = {
  pull_requests: 400,
  commits: 120,
  issues: 400,
  deployments: 400,
  releases: 1826,
};

/** Deletes facts that have outlived their use, and claims no more than what is left. Answers how many rows. */
export async function forgetFacts(database: Database, now: Instant): Promise<number> {
  let rows = 0;
  for (const [kind, days] of Object.entries(keptDays) as [FactKind, number][]) {
    // Whole days, so that a repository is visited once a day, however often this runs.
    const floor = Math.floor(now / dayMs - days) * dayMs;
    const due = await database.query<{ repo_id: number }>(reachingBelow, [kind, floor]);
    for (const { repo_id } of due)
      rows += await database.transaction(async (transaction) => {
        await transaction.query(lockRepository, [repo_id]);
        await raiseFloor(transaction, repo_id, kind, floor);
        return (await transaction.query(`${factSql[kind].forgetBefore} returning 1`, [repo_id, floor])).length;
      });
  }
  return rows;
}

const reachingBelow = `
  select repo_id from fact_ledgers where kind = $1 and floor < ${fromMs('$2')} order by repo_id`;
