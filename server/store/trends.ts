import type { Instant } from '../metrics/kernel/facts.ts';
import { readStatements } from '../platform/source-files.ts';
import type { Database } from './database.ts';
import { type DurationSteps, p95OfSteps, quantileOfSteps, readSteps } from './duration-steps.ts';
import type { rollups } from './rollups.ts';

const statements = readStatements('trends', [
  'repository_days',
  'repository_days_from_runs',
  'periods',
  'periods_from_runs',
  'coverage',
]);

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

/** With quantiles within 2.5 %, none of which is above the next. */
interface TypicalCounts extends RunCounts {
  medianDurationMs: number | null;
  p90DurationMs: number | null;
}

export interface DailyCounts extends TypicalCounts {
  date: string;
}

export interface RepositoryDailyCounts extends RunCounts {
  date: string;
  /** The database's own id. */
  repoId: number;
}

export interface QuarterlyCounts extends TypicalCounts {
  year: number;
  quarter: number;
}

/** The parameters of a statement that counts runs; unlike an interface, a type alias may be passed as a record. */
type CountParameters = { repo_ids: readonly number[]; from_day: string; to_day: string; zone: string };

export function trends(database: Database, { rebuilding }: ReturnType<typeof rollups>) {
  const readDays = async (scope: CountParameters, { withSteps }: { withSteps: boolean }) => {
    const parameters = { ...scope, with_steps: withSteps };
    const rows = await database.run<RepositoryCountRow>(statements.repository_days, parameters);
    return rows.length > 0 ? rows : database.run<RepositoryCountRow>(statements.repository_days_from_runs, parameters);
  };
  const readPeriods = async (parameters: CountParameters, period: 'day' | 'quarter') => {
    const rows = await database.run<CountRow>(statements.periods, { ...parameters, period });
    return rows.length > 0 ? rows : database.run<CountRow>(statements.periods_from_runs, { ...parameters, period });
  };
  return {
    /** The days that have runs, oldest first, summed over the repositories. */
    async daily(repoIds: readonly number[], window: TrendWindow): Promise<DailyCounts[]> {
      const parameters = toParameters(repoIds, window);
      if (repoIds.length !== 1)
        return (await readPeriods(parameters, 'day')).map((row) => ({ date: row.period, ...toMergedCounts(row) }));
      const rows = await readDays(parameters, { withSteps: true });
      return rows.map((row) => ({ date: row.period, ...toDay(row) }));
    },
    /** The days that have runs of each repository for itself, oldest first. */
    async dailyByRepository(repoIds: readonly number[], window: TrendWindow): Promise<RepositoryDailyCounts[]> {
      const rows = await readDays(toParameters(repoIds, window), { withSteps: false });
      return rows.map((row) => ({ repoId: row.repo_id, date: row.period, ...toCounts(row, row.p95_ms) }));
    },
    /** The quarters that have runs, oldest first, summed over the repositories. */
    async quarterly(repoIds: readonly number[], window: TrendWindow): Promise<QuarterlyCounts[]> {
      const rows = await readPeriods(toParameters(repoIds, window), 'quarter');
      return rows.map((row) => ({ ...toQuarter(row.period), ...toMergedCounts(row) }));
    },
    /** How much of the repositories' history is known; the least of them decides. */
    async coverage(repoIds: readonly number[]): Promise<Coverage> {
      const [row] = await database.run<CoverageRow>(statements.coverage, { repo_ids: repoIds });
      return {
        syncedThrough: row?.synced_through ?? null,
        firstRunAt: row?.first_run_at ?? null,
        someKnownFrom: row?.some_known_from ?? null,
        allKnownFrom: row?.all_known_from ?? null,
        partial: (row?.partial ?? true) || (await rebuilding()),
      };
    },
  };
}

export interface Coverage {
  syncedThrough: Instant | null;
  /** Of all runs that were ever stored. */
  firstRunAt: Instant | null;
  /** Where the reading begins that reaches back furthest; null where none was completed, or nothing is older. */
  someKnownFrom: Instant | null;
  /** From here on every repository that was read is known. */
  allKnownFrom: Instant | null;
  /** Something of these repositories has not been read, or days are being recomputed. */
  partial: boolean;
}

interface CoverageRow {
  synced_through: Instant | null;
  first_run_at: Instant | null;
  some_known_from: Instant | null;
  all_known_from: Instant | null;
  partial: boolean;
}

interface CountRow {
  /** Its first day. */
  period: string;
  total: number;
  success: number;
  failure: number;
  cancelled: number;
  duration_n: number;
  duration_sum: number;
  queue_n: number;
  queue_sum: number;
  /** What `readSteps` reads. */
  steps: string | null;
}

interface RepositoryCountRow extends CountRow {
  repo_id: number;
  p95_ms: number | null;
}

const toParameters = (repoIds: readonly number[], { from, to, timezone }: TrendWindow): CountParameters => ({
  repo_ids: repoIds,
  from_day: from,
  to_day: to,
  zone: timezone,
});

function toCounts({ total, success, failure, cancelled, ...row }: CountRow, p95DurationMs: number | null): RunCounts {
  return {
    total,
    success,
    failure,
    cancelled,
    other: total - success - failure - cancelled,
    avgDurationMs: row.duration_n === 0 ? null : Math.round(row.duration_sum / row.duration_n),
    avgQueueMs: row.queue_n === 0 ? null : Math.round(row.queue_sum / row.queue_n),
    p95DurationMs,
  };
}

const toDay = (row: RepositoryCountRow): TypicalCounts => toTypicalCounts(row, durationsOf(row), row.p95_ms);

/** Of days that were merged, where the 95th percentile is the middle of a step too. */
function toMergedCounts(row: CountRow): TypicalCounts {
  const durations = durationsOf(row);
  return toTypicalCounts(row, durations, p95OfSteps(durations));
}

const durationsOf = ({ steps, duration_sum: sum }: CountRow): DurationSteps => ({ ...readSteps(steps ?? ''), sum });

function toTypicalCounts(row: CountRow, durations: DurationSteps, p95: number | null): TypicalCounts {
  const p90 = notAbove(p95, quantileOfSteps(durations, 0.9));
  const median = notAbove(p90, quantileOfSteps(durations, 0.5));
  return { ...toCounts(row, p95), medianDurationMs: median, p90DurationMs: p90 };
}

const notAbove = (limit: number | null, value: number | null) =>
  limit === null || value === null ? value : Math.min(limit, value);

/** From the first day of a quarter. */
function toQuarter(day: string) {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return { year, quarter: Math.ceil(month / 3) };
}
