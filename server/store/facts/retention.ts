import type { FactKind } from '../../facts/shelf.ts';
import type { Instant } from '../../metrics/facts.ts';
import { dayMs } from '../../metrics/window.ts';
import { type Batches, batchSize } from '../batches.ts';
import type { Queries } from '../database.ts';
import { fromMs } from '../wire-sql.ts';
import { lockRepository } from './fact-shelf.ts';
import { raiseFloor } from './ledgers.ts';
import { columnOf, factTables } from './tables.ts';

/** How long facts are kept after the day they last mattered, in days. */
const keptDays: { readonly [Kind in FactKind]: number } = {
  pull_requests: 400,
  commits: 120,
  issues: 400,
  deployments: 400,
  releases: 1826,
};

/** Deletes facts that have outlived their use, and claims no more than what is left. */
export async function forgetFacts(queries: Queries, now: Instant, { drain }: Batches): Promise<void> {
  for (const [kind, days] of Object.entries(keptDays) as [FactKind, number][]) {
    // Whole days, so that a repository is visited once a day, however often this runs.
    const floor = Math.floor(now / dayMs - days) * dayMs;
    const { due, forget } = statements[kind];
    for (const { repo_id } of await queries.query<{ repo_id: number }>(due, [kind, floor]))
      await drain(factTables[kind].table, async (transaction) => {
        await transaction.query(lockRepository, [repo_id]);
        await raiseFloor(transaction, repo_id, kind, floor);
        return (await transaction.query(forget, [repo_id, floor])).length;
      });
  }
}

function statementsOf(kind: FactKind) {
  const { table, fields, key, mattersAt } = factTables[kind];
  const column = columnOf(key, fields[key as keyof typeof fields]);
  return {
    /** Those that claim too much, and those where a killed purge left something. */
    due: `
      select repo_id from fact_ledgers ledger where kind = $1 and (floor < ${fromMs('$2')}
        or exists (select from ${table} where repo_id = ledger.repo_id and ${mattersAt} < ${fromMs('$2')}))
      order by repo_id`,
    forget: `
      delete from ${table} where repo_id = $1::int and ${column} in (
        select ${column} from ${table} where repo_id = $1::int and ${mattersAt} < ${fromMs('$2')} limit ${batchSize})
      returning 1`,
  };
}

const statements: { readonly [Kind in FactKind]: ReturnType<typeof statementsOf> } = {
  pull_requests: statementsOf('pull_requests'),
  commits: statementsOf('commits'),
  issues: statementsOf('issues'),
  deployments: statementsOf('deployments'),
  releases: statementsOf('releases'),
};
