import { partOfRunDay } from '../charts/part.ts';
import type { TrendSeries } from '../charts/trend.tsx';
import { type At, startOfDay } from '../charts/zone-time.ts';

/** Short, as they stand at the end of a line. */
const beforeLabels = { previous: 'previous', year: 'last year' } as const;

interface Day {
  date: string;
  median_ms: number | null;
  p90_ms: number | null;
  partial: boolean;
}

interface Durations {
  days: readonly Day[];
  /** Of the window that it is compared with; null where that is not known. */
  days_before: readonly Day[] | null;
  compare: 'previous' | 'year' | 'off';
  window: { from: At; to: At };
  timezone: string;
}

/** Median and p90 of every day, partial ones marked, and the median of the period before, dashed. */
export function durationSeries({ days, days_before: before, compare, window, timezone }: Durations): TrendSeries[] {
  const toPoint = ({ date }: Day, value: number | null) => ({ at: startOfDay(date, timezone), value });
  const series = (label: string, key: 'median_ms' | 'p90_ms') => ({
    label,
    points: days.map((day) => ({ ...toPoint(day, day[key]), ...partOfRunDay(day, window, timezone) })),
  });
  const own = [series('median', 'median_ms'), series('p90', 'p90_ms')];
  const known = before?.filter(({ median_ms: median }) => median !== null) ?? [];
  // A single dot would be no line to compare with.
  if (compare === 'off' || known.length < 2) return own;
  const points = days.map((day, index) => toPoint(day, before?.[index]?.median_ms ?? null));
  return [...own, { label: beforeLabels[compare], points, isDashed: true }];
}
