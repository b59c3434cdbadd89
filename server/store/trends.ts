import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { bucketMiddle, bucketOf, cleanAndLive, counted, counters, exactP95 } from './day-sql.ts';
import type { rollups } from './rollups.ts';

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
  const read = (statement: string, repoIds: readonly number[], { from, to, timezone }: TrendWindow) =>
    database.query<CountRow>(statement, [repoIds, from, to, timezone]);
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
  firstRunAt: Instant | null;
  /** Something of these repositories has not been read, or days are being cut anew. */
  partial: boolean;
}

interface CountRow extends Record<(typeof counters)[number], number> {
  bucket: string;
  p95_ms: number | null;
}

interface CoverageRow {
  synced_ms: number | null;
  first_ms: number | null;
  partial: boolean;
}

function toCounts(row: CountRow): RunCounts {
  const failure = row.failure + row.timed_out + row.startup_failure;
  return {
    total: row.total,
    success: row.success,
    failure,
    cancelled: row.cancelled,
    other: row.total - row.success - failure - row.cancelled,
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

const sums = counters.map((counter) => `sum(${counter})::float8 as ${counter}`).join(', ');
const named = counters.join(', ');

const dailyOfOne = `
  with ${cleanAndLive}
  select day::text as bucket, ${sums}, max(p95_ms)::float8 as p95_ms
  from (select day, ${named}, p95_ms from clean
        union all select day, ${counted}, ${exactP95} from live_runs w group by day) days
  group by day order by day`;

/** Sums and merged histograms by a stretch of days: `bucket` says which one a `day` belongs to. */
const merged = (bucket: string) => `
  with ${cleanAndLive},
  days as (select day, ${named} from clean
           union all select day, ${counted} from live_runs w group by repo_id, day),
  counts as (select ${bucket} as bucket, ${sums} from days group by 1),
  steps as (
    select ${bucket} as bucket, b, sum(n) as n
    from (select day, unnest(hist_b) as b, unnest(hist_n) as n from clean
          union all select day, ${bucketOf('duration_ms')}, 1 from live_runs where duration_ms > 0) one
    group by 1, 2
  ),
  running as (select bucket, b, sum(n) over (partition by bucket order by b) as upto from steps),
  percentiles as (
    select bucket, min(b) as b from running join counts using (bucket) where upto >= 0.95 * duration_n group by bucket
  )
  select bucket::text, ${named}, ${bucketMiddle('p.b')}::float8 as p95_ms
  from counts left join percentiles p using (bucket) order by bucket`;

const dailyOfMany = merged('day');
const quarterlyOfAny = merged(`date_trunc('quarter', day)::date`);

const coverageStatement = `
  select date_part('epoch', min(c.synced_through)) * 1000 as synced_ms,
    min((select date_part('epoch', min(w.created_at)) * 1000 from workflow_runs w where w.repo_id = asked.id)) as first_ms,
    coalesce(bool_or(c.synced_through is null or c.resume is not null), true) as partial
  from unnest($1::int[]) as asked(id)
  left join sync_cursors c on c.repo_id = asked.id and c.kind = 'runs'`;
