import type { FactKind, Ledger } from '../../facts/shelf.ts';
import type { Instant } from '../../metrics/facts.ts';
import type { Queries } from '../database.ts';
import { fromMs, toMs } from '../wire-sql.ts';

/** How far each kind was read, by the platform's id of the repository. */
export const ledgersOf = (database: Queries, codehostId: number): Promise<Ledger[]> =>
  database.query<Ledger>(
    `select kind, ${toMs('floor')} as floor, ${toMs('through')} as through, capped, total, ${toMs('newest_at')} as "newestAt"
     from fact_ledgers where repo_id = (select id from repos where codehost_repo_id = $1::bigint) order by kind`,
    [codehostId],
  );

/** Notes a reading of everything. Answers its floor. */
export const putLedger = (transaction: Queries, repoId: number, ledger: Ledger): Promise<Instant | null> =>
  floorOf(
    transaction,
    `insert into fact_ledgers (repo_id, kind, floor, through, capped, total, newest_at)
     values ($1, $2, ${fromMs('$3')}, ${fromMs('$4')}, $5, $6, ${fromMs('$7')})
     on conflict (repo_id, kind) do update set floor = excluded.floor, through = excluded.through,
       capped = excluded.capped, total = excluded.total, newest_at = excluded.newest_at
     returning ${toMs('floor')} as floor`,
    [repoId, ledger.kind, ledger.floor, ledger.through, ledger.capped, ledger.total, ledger.newestAt],
  );

/**
 * Notes a reading of changes; where the floor lies and whether a cap was met stays as it is by now. Answers the floor,
 * null where the kind is not kept.
 */
export const moveLedger = (transaction: Queries, repoId: number, ledger: Ledger): Promise<Instant | null> =>
  floorOf(
    transaction,
    `update fact_ledgers set through = greatest(through, ${fromMs('$4')}), newest_at = greatest(newest_at, ${fromMs('$6')}),
       total = case when ${fromMs('$4')} >= through and ${fromMs('$3')} = floor then $5::int else total end
     where repo_id = $1 and kind = $2 returning ${toMs('floor')} as floor`,
    [repoId, ledger.kind, ledger.floor, ledger.through, ledger.total, ledger.newestAt],
  );

/** Moves floors up after facts below were removed; a count that began at the old one goes. */
export const raiseFloor = (transaction: Queries, repoId: number, kind: FactKind, floor: Instant): Promise<unknown> =>
  transaction.query(
    `update fact_ledgers set floor = ${fromMs('$3')}, total = case when kind <> 'commits' then total end
     where repo_id = $1 and kind = $2 and floor < ${fromMs('$3')}`,
    [repoId, kind, floor],
  );

async function floorOf(transaction: Queries, sql: string, parameters: unknown[]): Promise<Instant | null> {
  return (await transaction.query<{ floor: Instant }>(sql, parameters))[0]?.floor ?? null;
}
