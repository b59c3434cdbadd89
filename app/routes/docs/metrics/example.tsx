import { counted, figures, quantity, refineRate, type Unit } from '../../../../server/domain/quantity.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Measurement } from '../../../components/measurement.tsx';
import { Moment } from '../../../components/moment.tsx';
import type { Example, MetricEvidence } from './catalogue.ts';

const shownAtFirst = 2;

/** The number over a part of the sample organization, the items that it counts, and the excluded ones by reason. */
export function MetricExample({ evidence: { counts, example }, unit }: { evidence: MetricEvidence; unit: Unit }) {
  const { value, sample, part, items, excluded, scope, href } = example;
  const [first, others] = [items.slice(0, shownAtFirst), items.slice(shownAtFirst)];
  return (
    <>
      <p className="prose">
        <strong>{quantity(refineRate(value, part, sample), unit)}</strong>
        {part === null ? ' from ' : `: ${figures(part)} of `}
        {counted(sample, counts)} in the demo’s <a href={href}>{scope}</a>.
      </p>
      <Items caption="Counted items" items={first} unit={unit} />
      {others.length === 0 ? null : (
        <details>
          <summary>{`${figures(others.length)} more${items.length < sample ? ` of ${figures(sample)}` : ''}`}</summary>
          <Items caption="More counted items" items={others} unit={unit} />
        </details>
      )}
      {excluded.length === 0 ? (
        <p className="source">Nothing excluded.</p>
      ) : (
        <details className="source">
          <summary>{`${figures(excluded.reduce((sum, { count }) => sum + count, 0))} excluded`}</summary>
          <p>{`${excluded.map(({ reason, count }) => `${reason} (${figures(count)})`).join(', ')}.`}</p>
        </details>
      )}
    </>
  );
}

type Item = Example['items'][number];

interface ItemsProps {
  caption: string;
  items: readonly Item[];
  unit: Unit;
}

function Items({ caption, items, unit }: ItemsProps) {
  const hasValues = items.some(({ value }) => value !== null);
  const hasTimes = items.some(({ at }) => at !== null);
  if (items.length === 0) return null;
  return (
    <DataTable<Item>
      caption={caption}
      captionHidden
      rows={[...items]}
      rowKey={({ label, at }) => `${label} ${at}`}
      noun="items"
      columns={[
        { key: 'label', label: 'Counted', heading: true, cell: ({ label }) => label },
        { key: 'note', label: 'Details', cell: ({ note }) => note ?? '–' },
        ...(hasTimes ? [{ key: 'at', label: 'When', cell: ({ at }: Item) => <Moment at={at} as="date" /> }] : []),
        ...(hasValues
          ? [
              {
                key: 'value',
                label: 'Value',
                numeric: true,
                cell: ({ value }: Item) => <Measurement value={{ value, unit, reason: 'Counts as one.' }} />,
              },
            ]
          : []),
      ]}
    />
  );
}
