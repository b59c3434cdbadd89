import { partOfDay } from '../../charts/part.ts';
import { startOfDay } from '../../charts/zone-time.ts';
import { InteractiveTrend } from '../../components/interactive-trend.tsx';
import type { Ci } from './views.ts';

/** Median and p90 of every day; the day that the window begins within, and today, are marked as partial. */
export function DurationTrend({ data: { days, window, timezone } }: { data: Ci }) {
  const series = (label: string, value: (day: Ci['days'][number]) => number | null) => ({
    label,
    points: days.map((day) => ({
      at: startOfDay(day.date, timezone),
      value: value(day),
      ...partOfDay(day.date, window, timezone),
    })),
  });
  return (
    <InteractiveTrend
      title="Duration by day"
      summary="All workflows."
      unit="milliseconds"
      zone={timezone}
      step={86_400_000}
      height={240}
      isCapped
      series={[series('median', ({ median_ms }) => median_ms), series('p90', ({ p90_ms }) => p90_ms)]}
    />
  );
}
