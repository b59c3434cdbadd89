import { count, quantity, type Unit } from '../../../server/domain/quantity.ts';
import { Trend } from '../../charts/trend.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { Trial } from './trial.tsx';

/** Charts of a rule about many repositories: those that would have fired most; the CSV has all. */
const maxCharts = 3;

/** The values that a rule would have seen, with its threshold and where it would have fired. */
export function TrialCharts({ data: { repositories, unit, threshold } }: { data: Trial }) {
  const { zone, now } = usePageContext();
  const known = repositories
    .filter(({ series }) => series.some(({ value }) => value !== null))
    .toSorted((one, other) => other.last_90_days - one.last_90_days);
  return known.slice(0, maxCharts).map(({ repo, series, last_90_days: times, covered_from: from }) => (
    <Trend
      key={repo}
      title={repo}
      summary={`Would have fired ${count(times, 'time')} in 90 days at ${quantity(threshold, unit as Unit)} or more.`}
      unit={unit as Unit}
      zone={zone}
      withTime
      from={from}
      to={now}
      limit={threshold}
      series={[
        {
          label: 'Value',
          points: series.map(({ at, value, fires }) => ({ at, value, ...(fires && { mark: 'fires' }) })),
        },
      ]}
      sample={count(series.length, 'value')}
      note={times > 0 ? 'Circles: would have fired.' : undefined}
    />
  ));
}
