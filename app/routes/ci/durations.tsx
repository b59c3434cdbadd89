import { InteractiveTrend } from '../../components/interactive-trend.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { durationSeries } from '../duration-series.ts';
import { type Marks, toAnnotations } from '../marks.ts';
import { csvHref } from './table.tsx';
import type { Ci } from './views.ts';

/** The median of each day with the band up to its p90, and what happened beside it. */
export function DurationTrend({ data, marks }: { data: Ci; marks: Marks | null }) {
  const { base } = usePageContext();
  return (
    <InteractiveTrend
      title="Duration by day"
      unit="milliseconds"
      zone={data.timezone}
      step={86_400_000}
      height={240}
      hasBand
      isCapped
      note={<a href={csvHref(base, data, { table: 'days' })}>CSV</a>}
      annotations={toAnnotations(marks, base, data.repo)}
      series={durationSeries(data)}
    />
  );
}
