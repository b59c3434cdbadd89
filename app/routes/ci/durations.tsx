import { InteractiveTrend } from '../../components/interactive-trend.tsx';
import { durationSeries } from '../duration-series.ts';
import type { Ci } from './views.ts';

/** The median of each day with the band up to its p90. */
export const DurationTrend = ({ data }: { data: Ci }) => (
  <InteractiveTrend
    title="Duration by day"
    unit="milliseconds"
    zone={data.timezone}
    step={86_400_000}
    height={240}
    hasBand
    isCapped
    series={durationSeries(data)}
  />
);
