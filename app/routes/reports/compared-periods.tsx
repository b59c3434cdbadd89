import type { z } from 'zod';
import { quantity, type Unit } from '../../../server/domain/quantity.ts';
import { verdictLabels } from '../../../server/domain/verdict.ts';
import type { getComparison } from '../../../server/reports/comparison/operations.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';

type Comparison = z.output<(typeof getComparison)['output']>;
type Compared = Comparison['metrics'][number];
type Side = Compared['a'];

/** Each metric before and now, with the difference and whether it is more than noise. */
export function ComparedPeriods({ comparison, csvHref }: { comparison: Comparison; csvHref: string }) {
  const { metrics } = comparison;
  const isNothingStored = metrics.every(({ a, b }) => a.value === null && b.value === null);
  return (
    <DataTable<Compared>
      caption="Metrics of both periods"
      captionHidden
      noun="metrics"
      csvHref={csvHref}
      rows={isNothingStored ? [] : metrics}
      rowKey={({ metric }) => metric}
      empty={{ cause: 'Nothing of both periods is synced yet.' }}
      columns={[
        { key: 'metric', label: 'Metric', heading: true, cell: ({ label }) => label },
        { key: 'a', label: 'Before', numeric: true, cell: ({ a }) => <Value side={a} /> },
        { key: 'b', label: 'Now', numeric: true, cell: ({ b }) => <Value side={b} /> },
        { key: 'difference', label: 'Difference', numeric: true, cell: (row) => <Difference row={row} /> },
        { key: 'interval', label: '95 % CI', explain: 'Of the difference', cell: toIntervalText },
        { key: 'verdict', label: 'Verdict', cell: ({ verdict }) => verdictLabels[verdict] },
      ]}
    />
  );
}

/** A count is its own sample. */
function Value({ side: { value, unit, n, missing } }: { side: Side }) {
  const sample = unit === 'count' ? null : n;
  const reason = missing === 'not_stored' ? 'Not all of the period is synced' : 'No items in the period';
  return <Measurement value={{ value, unit, sample, reason }} showSample />;
}

function Difference({ row }: { row: Compared }) {
  const { absolute } = row.difference;
  const unit = toUnit(row);
  if (absolute === null) return <Measurement value={{ value: null, unit, reason: verdictLabels.not_enough_data }} />;
  return <span className="figure">{`${absolute > 0 ? '+' : ''}${quantity(absolute, unit)}`}</span>;
}

function toIntervalText(row: Compared): string {
  const { interval } = row.difference;
  const unit = toUnit(row);
  return interval ? `${quantity(interval.low, unit)} to ${quantity(interval.high, unit)}` : '–';
}

const toUnit = ({ a }: Compared): Unit => (a.unit === 'percent' ? 'points' : a.unit);
