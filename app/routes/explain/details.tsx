import type { explain } from '../../../server/api/explain.ts';
import { counted, quantity, refineRate, type Unit } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { ActionLink, Link } from '../../charts/link.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Measurement, type Reading } from '../../components/measurement.tsx';
import { Moment, PastMoment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { Excluded, ExcludedRepositories } from './excluded-repositories.tsx';

export type Answer = PanelsOf<{ explained: typeof explain }>['explained'];
export type Explained = Extract<Answer, { ok: true }>['data'];
type Item = Explained['counted'][number];

/** Definition, counted items and exclusions. */
export function Details({ result: explained, search }: { result: Answer; search: string }) {
  const { zone, base } = usePageContext();
  return (
    <>
      <Panel title="Metric" result={explained} whenPartial="Partial data: some items are missing below.">
        {(data) => <Definition data={data} zone={zone} />}
      </Panel>
      {explained.ok ? (
        <Evidence data={explained.data} zone={zone} csvHref={`${base}/api/explain${search}&format=csv`} />
      ) : explained.problem.status === 400 ? (
        <ActionLink href="/docs/metrics">All metrics</ActionLink>
      ) : null}
    </>
  );
}

interface Shown {
  data: Explained;
  zone: string;
}

function Definition({ data, zone }: Shown) {
  const { value, unit, sample, part, source, interval, window } = data;
  const rate = refineRate(value, part, sample);
  const reason = `No data: needs ${source}.`;
  return (
    <Facts
      facts={[
        {
          label: 'Value',
          value: <Measurement value={{ value: rate, unit: unit as Unit, reason, quality: getQuality(data) }} />,
        },
        {
          label: 'Definition',
          value: (
            <>
              {data.definition ?? source} <ActionLink href={`/docs/metrics/${data.metric}`}>Example</ActionLink>
            </>
          ),
        },
        { label: 'Counted', value: counted(sample, source) },
        { label: 'Excluded', value: <Excluded data={data} /> },
        ...(interval
          ? [
              {
                label: 'Uncertainty',
                value: `95 % confidence interval: ${quantity(interval.low, unit as Unit)} to ${quantity(interval.high, unit as Unit)}.`,
              },
            ]
          : []),
        ...(window
          ? [
              {
                label: 'Window',
                value: (
                  <>
                    <Moment at={window.from} as="date-time" /> to <Moment at={window.to} as="date-time" /> ({zone})
                  </>
                ),
              },
            ]
          : []),
        {
          label: 'As of',
          value: <PastMoment at={data.generated_at} />,
        },
      ]}
    />
  );
}

/** A count in a scope of which something is missing may be higher; a source that is off has nothing to count. */
function getQuality({ unit, partial, coverage }: Explained): Reading['quality'] {
  if (unit !== 'count' || coverage === null) return 'measured';
  const isMissing = coverage.reasons.some((reason) => reason !== 'none_listed' && reason !== 'not_enabled');
  return partial || isMissing ? 'floor' : 'measured';
}

function Evidence({ data, csvHref }: Shown & { csvHref: string }) {
  return (
    <>
      <Section title="Counted">
        <Items
          caption="Counted items, newest first"
          items={data.counted}
          total={data.sample}
          unit={data.unit as Unit}
          csvHref={csvHref}
        />
      </Section>
      <ExcludedRepositories data={data} />
      {data.left_out.map(({ reason, count: total, items }) => (
        <Section key={reason} title={`Excluded: ${reason}`}>
          <Items caption={`Excluded: ${reason}`} items={items} total={total} unit={data.unit as Unit} />
        </Section>
      ))}
    </>
  );
}

interface ItemsProps {
  caption: string;
  items: Item[];
  total: number;
  unit: Unit;
  csvHref?: string;
}

function Items({ caption, items, total, unit, csvHref }: ItemsProps) {
  const hasValues = items.some(({ value }) => value !== null);
  const hasNotes = items.some(({ note }) => note !== null);
  return (
    <DataTable
      caption={caption}
      captionHidden
      rows={items}
      rowKey={({ url, at, label }) => `${url} ${at} ${label}`}
      total={total}
      noun="items"
      csvHref={csvHref}
      empty={{ cause: 'No items in this period.' }}
      columns={[
        {
          key: 'label',
          label: 'Item',
          cell: ({ label, url }) => (url && url !== '#' ? <Link href={url}>{label}</Link> : label),
        },
        ...(hasNotes ? [{ key: 'note', label: 'Details', cell: ({ note }: Item) => note ?? '–' }] : []),
        {
          key: 'at',
          label: 'When',
          cell: ({ at }: Item) => (at === null ? '–' : <Moment at={at} />),
        },
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
