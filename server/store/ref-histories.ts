import type { Selectable } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { LedgerRow } from '../metrics/security/ref-ledger.ts';
import type { Queries, Tables } from './database.ts';

/** The newest that was observed of refs, so many rows of each, oldest first. */
export async function readNewest(
  { db }: Queries,
  refIds: readonly number[],
  limit: number,
): Promise<Map<number, LedgerRow[]>> {
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('ref_ledger')
        .selectAll()
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('refId').orderBy('observedFrom', 'desc'))
            .as('place'),
        )
        .where(({ eb, fn, val }) => eb('refId', '=', fn.any(val(refIds))))
        .as('rows'),
    )
    .selectAll()
    .where('place', '<=', limit)
    .orderBy('observedFrom')
    .execute();
  return byRef(rows.map(({ place: _, ...row }) => row));
}

/** Of refs what was observed since an instant, and before it the first readable row, the last move and the newest row. */
export async function readRecent(
  { db }: Queries,
  refIds: readonly number[],
  since: Instant,
): Promise<Map<number, LedgerRow[]>> {
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('ref_ledger')
        .selectAll()
        .select(({ eb, fn }) => [
          eb('observedFrom', '>=', since).as('isRecent'),
          fn
            .min('observedFrom')
            .filterWhere('state', '!=', 'unreadable')
            .over((over) => over.partitionBy('refId'))
            .as('first'),
          fn
            .max('observedFrom')
            .filterWhere('previousCommit', 'is not', null)
            .over((over) => over.partitionBy('refId'))
            .as('moved'),
          fn
            .max('observedFrom')
            .over((over) => over.partitionBy('refId'))
            .as('newest'),
        ])
        .where(({ eb, fn, val }) => eb('refId', '=', fn.any(val(refIds))))
        .as('rows'),
    )
    .selectAll()
    .where(({ or, eb, ref }) =>
      or([
        eb('isRecent', '=', true),
        eb('observedFrom', '=', ref('first')),
        eb('observedFrom', '=', ref('moved')),
        eb('observedFrom', '=', ref('newest')),
      ]),
    )
    .orderBy('observedFrom')
    .execute();
  return byRef(rows.map(({ isRecent: _, first: _first, moved: _moved, newest: _newest, ...row }) => row));
}

/**
 * What was observed of refs since an instant, or judged since then, oldest first; before it the first readable row, so
 * that it is known whether a ref ever could be read.
 */
export async function readSince(
  { db }: Queries,
  refIds: readonly number[],
  since: Instant,
): Promise<Map<number, LedgerRow[]>> {
  const rows = await db
    .selectFrom('ref_ledger')
    .selectAll()
    .where(({ eb, fn, val }) => eb('refId', '=', fn.any(val(refIds))))
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('observedTo', '>=', since),
        eb('judgedAt', '>=', since),
        eb(
          'observedFrom',
          '=',
          selectFrom('ref_ledger as own')
            .whereRef('own.refId', '=', 'ref_ledger.refId')
            .where('own.state', '!=', 'unreadable')
            .select(({ fn }) => fn.min('own.observedFrom').as('first')),
        ),
      ]),
    )
    .orderBy('observedFrom')
    .execute();
  return byRef(rows);
}

function byRef(rows: readonly Selectable<Tables['ref_ledger']>[]): Map<number, LedgerRow[]> {
  const groups = Map.groupBy(rows, ({ refId }) => refId);
  return new Map([...groups].map(([refId, own]) => [refId, own.map(({ refId: _, ...row }): LedgerRow => row)]));
}
