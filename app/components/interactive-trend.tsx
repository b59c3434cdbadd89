import { useIsShared } from '../charts/link.tsx';
import { Trend, type TrendProps } from '../charts/trend.tsx';
import script from '../scripts/interactive-chart.ts?worker&url';

/** A trend in even buckets that can be explored by pointer: the interactive drawing is loaded when it is wanted. */
export function InteractiveTrend(props: TrendProps & { step: number }) {
  const { series, unit, zone, step, isCapped, isEstimated, height = 200 } = props;
  const isShared = useIsShared();
  const isWorthwhile = series.some(({ points }) => points.filter(({ value }) => value !== null).length > 1);
  if (!isWorthwhile || isShared) return <Trend {...props} />;
  return (
    <div data-interactive-chart data-height={height}>
      <Trend {...props} />
      <script type="application/json">
        {JSON.stringify({ series, unit, zone, step, isCapped, isEstimated, height }).replaceAll('<', '\\u003c')}
      </script>
      <script type="module" src={script} />
    </div>
  );
}
