import type { FactKind, Ledger } from '../../facts/shelf.ts';
import type { Instant } from '../../metrics/facts.ts';
import type { Queries } from '../database.ts';
import { fromMs, toMs } from '../wire-sql.ts';

/** How far each kind was read, by the platform's id of the repository. */
export const ledgersOf = (database: Queries, codehostId: number): Promise<Ledger[]> =>
  database.query<Ledger>(
    `select kind, ${toMs('floor')} as floor, ${toMs('through')} as through, capped, total, open_count as "openCount",
       ${toMs('newest_at')} as "newestAt", head
     from fact_ledgers where repo_id = (select id from repos where codehost_repo_id = $1::bigint) order by kind`,
    [codehostId],
  );

/** Notes a reading of everything. Answers its floor. */
export const putLedger = (transaction: Queries, repoId: number, ledger: Ledger): Promise<Instant | null> =>
  floorOf(
    transaction,
    `insert into fact_ledgers (repo_id, kind, through, total, open_count, newest_at, head, floor, capped)
     values ($1, $2, ${fromMs('$3')}, $4, $5, ${fromMs('$6')}, $7, ${fromMs('$8')}, $9)
     on conflict (repo_id, kind) do update set through = excluded.through, total = excluded.total,
       open_count = excluded.open_count, newest_at = excluded.newest_at, head = excluded.head,
       floor = excluded.floor, capped = excluded.capped
     returning ${toMs('floor')} as floor`,
    [...valuesOf(repoId, ledger), ledger.floor, ledger.capped],
  );

/**
 * Notes a reading of changes; where the floor lies and whether a cap was met stays as it is by now. Answers the floor,
 * null where the kind is not kept or was read further.
 */
export const moveLedger = (transaction: Queries, repoId: number, ledger: Ledger): Promise<Instant | null> =>
  floorOf(
    transaction,
    `update fact_ledgers set through = ${fromMs('$3')}, total = $4, open_count = $5,
       newest_at = greatest(newest_at, ${fromMs('$6')}), head = $7
     where repo_id = $1 and kind = $2 and through <= ${fromMs('$3')} returning ${toMs('floor')} as floor`,
    valuesOf(repoId, ledger),
  );

/** The values of both statements, in one order. */
const valuesOf = (repoId: number, { kind, through, total, openCount, newestAt, head }: Ledger) => [
  repoId,
  kind,
  through,
  total,
  openCount,
  newestAt,
  head,
];

/** Moves floors up after facts below were removed. */
export const raiseFloor = (transaction: Queries, repoId: number, kind: FactKind, floor: Instant): Promise<unknown> =>
  transaction.query(
    `update fact_ledgers set floor = ${fromMs('$3')} where repo_id = $1 and kind = $2 and floor < ${fromMs('$3')}`,
    [repoId, kind, floor],
  );

async function floorOf(transaction: Queries, sql: string, parameters: unknown[]): Promise<Instant | null> {
  return (await transaction.query<{ floor: Instant }>(sql, parameters))[0]?.floor ?? null;
}
