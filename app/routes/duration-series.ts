import { partOfDay } from '../charts/part.ts';
import type { TrendSeries } from '../charts/trend.tsx';
import { type At, startOfDay } from '../charts/zone-time.ts';

interface Durations {
  days: readonly { date: string; median_ms: number | null; p90_ms: number | null }[];
  window: { from: At; to: At };
  timezone: string;
}

/** Median and p90 of every day; the day that the window begins within, and today, are marked as partial. */
export function durationSeries({ days, window, timezone }: Durations): TrendSeries[] {
  const series = (label: string, key: 'median_ms' | 'p90_ms') => ({
    label,
    points: days.map((day) => ({
      at: startOfDay(day.date, timezone),
      value: day[key],
      ...partOfDay(day.date, window, timezone),
    })),
  });
  return [series('median', 'median_ms'), series('p90', 'p90_ms')];
}
