import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import type { rollups } from './rollups.ts';
import { type CountRow, dailyOfMany, dailyOfOne, quarterlyOfAny, type Statements } from './trends-sql.ts';

/** Days `YYYY-MM-DD` of the zone, both included. */
export interface TrendWindow {
  from: string;
  to: string;
  timezone: string;
}

/** Runs created in a stretch of days. `failure` counts failure, timed_out and startup_failure. */
export interface RunCounts {
  total: number;
  success: number;
  failure: number;
  cancelled: number;
  other: number;
  avgDurationMs: number | null;
  avgQueueMs: number | null;
  /** Exact for one day of one repository, else within 2.5 %. */
  p95DurationMs: number | null;
}

export interface DailyCounts extends RunCounts {
  date: string;
}

export interface QuarterlyCounts extends RunCounts {
  year: number;
  quarter: number;
}

export function trends(database: Database, { rebuilding }: ReturnType<typeof rollups>) {
  const read = async (statements: Statements, repoIds: readonly number[], { from, to, timezone }: TrendWindow) => {
    const parameters = [repoIds, from, to, timezone];
    const rows = await database.query<CountRow>(statements.rolled, parameters);
    return rows.length > 0 ? rows : database.query<CountRow>(statements.live, parameters);
  };
  return {
    /** The days that have runs, oldest first, summed over the repositories. */
    async daily(repoIds: readonly number[], window: TrendWindow): Promise<DailyCounts[]> {
      const rows = await read(repoIds.length === 1 ? dailyOfOne : dailyOfMany, repoIds, window);
      return rows.map((row) => ({ date: row.bucket, ...toCounts(row) }));
    },
    /** The quarters that have runs, oldest first, summed over the repositories. */
    async quarterly(repoIds: readonly number[], window: TrendWindow): Promise<QuarterlyCounts[]> {
      const rows = await read(quarterlyOfAny, repoIds, window);
      return rows.map((row) => ({ ...quarterOf(row.bucket), ...toCounts(row) }));
    },
    /** How much of the repositories' history is known; the least of them decides. */
    async coverage(repoIds: readonly number[]): Promise<Coverage> {
      const [row] = await database.query<CoverageRow>(coverageStatement, [repoIds]);
      const known = { syncedThrough: row?.synced_ms ?? null, firstRunAt: row?.first_ms ?? null };
      return { ...known, partial: (row?.partial ?? true) || (await rebuilding()) };
    },
  };
}

export interface Coverage {
  syncedThrough: Instant | null;
  /** Of all runs that were ever kept. */
  firstRunAt: Instant | null;
  /** Something of these repositories has not been read, or days are being cut anew. */
  partial: boolean;
}

interface CoverageRow {
  synced_ms: number | null;
  first_ms: number | null;
  partial: boolean;
}

function toCounts({ total, success, failure, cancelled, ...row }: CountRow): RunCounts {
  return {
    total,
    success,
    failure,
    cancelled,
    other: total - success - failure - cancelled,
    avgDurationMs: row.duration_n === 0 ? null : Math.round(row.duration_sum / row.duration_n),
    avgQueueMs: row.queue_n === 0 ? null : Math.round(row.queue_sum / row.queue_n),
    p95DurationMs: row.p95_ms,
  };
}

/** From the first day of a quarter. */
function quarterOf(day: string) {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return { year, quarter: Math.ceil(month / 3) };
}

const coverageStatement = `
  select date_part('epoch', min(c.synced_through)) * 1000 as synced_ms,
    date_part('epoch', min(least(known.first_run_at,
      (select min(w.created_at) from workflow_runs w where w.repo_id = asked.id)))) * 1000 as first_ms,
    coalesce(bool_or(c.synced_through is null or c.resume is not null), true) as partial
  from unnest($1::int[]) as asked(id)
  left join repos known on known.id = asked.id
  left join sync_cursors c on c.repo_id = asked.id and c.kind = 'runs'`;
