import type { Conclusion } from '../metrics/facts.ts';
import type { Queries } from './database.ts';
import { counted, createdOn, rollupZone, sealedBefore } from './day-sql.ts';
import { type FactRow, factColumns, factJoins, type StoredRun, toFact } from './run-columns.ts';

export interface PageQuery {
  repoId: number;
  limit: number;
  offset: number;
  conclusion?: Conclusion | undefined;
}

export interface RunPage {
  /** Newest creation first. */
  runs: StoredRun[];
  /** Runs that match, on all pages. */
  total: number;
}

/**
 * One page of a repository's runs. Whole days are skipped by their counts, so that a deep page costs what the first does.
 */
export const pageOfRuns =
  (database: Queries) =>
  async ({ repoId, limit, offset, conclusion }: PageQuery): Promise<RunPage> => {
    const rows = await database.query<FactRow & { total_runs: number; id: number | null }>(pageStatement(conclusion), [
      repoId,
      offset,
      limit,
    ]);
    const runs = rows.filter((row) => row.id !== null).map(toFact);
    return { runs, total: rows[0]?.total_runs ?? 0 };
  };

/** A conclusion is written into the statement, not handed over: only so can its own index be used. */
const pageStatement = (conclusion: Conclusion | undefined) => `
  with zone as materialized (select zone from rollup_zone),
  dirty as materialized (select distinct day from dirty_day where repo_id = $1::int),
  counts as (
    select day, ${conclusion ?? 'total'} as n from repo_day r
    where repo_id = $1::int and day >= ${sealedBefore} and not exists (select from dirty d where d.day = r.day)
    union all
    select day, ${conclusion ?? 'total'} from (
      select d.day, ${counted} from dirty d
      join workflow_runs w on w.repo_id = $1::int and ${createdOn('d.day', 'd.day', rollupZone)} group by d.day) live
  ),
  running as (select day, n, sum(n) over (order by day desc) as upto from counts where n > 0),
  chosen as materialized (
    select min(day) as first, max(day) as last, min(upto - n) as skipped
    from running where upto > $2::int and upto - n < $2::int + $3::int
  ),
  page as materialized (
    select w.id, w.created_at from workflow_runs w
    where w.repo_id = $1::int ${conclusion ? `and w.conclusion = '${conclusion}'` : ''}
      and ${createdOn('(select first from chosen)', '(select last from chosen)', rollupZone)}
    order by w.created_at desc, w.id desc
    offset $2::int - (select skipped from chosen) limit $3::int
  )
  select (select coalesce(sum(n), 0) from counts)::float8 as total_runs, ${factColumns}
  from (select) one left join (
    page p join workflow_runs w on w.repo_id = $1::int and w.id = p.id and w.created_at = p.created_at ${factJoins}) on true
  order by w.created_at desc, w.id desc`;
