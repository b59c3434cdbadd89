import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Section } from '../../components/panel.tsx';
import type { Bill, Cost } from './figures.tsx';

/** Minutes on each day that was billed; the running one is not over. */
export function DayBars({ data, isRunning, csvHref }: { data: Cost; isRunning: boolean; csvHref: string }) {
  const days = data.by_day;
  if (days === null) return null;
  const used = days.filter(({ minutes }) => minutes > 0).length;
  const last = days.at(-1)?.day;
  return (
    <Section title="Daily usage">
      <Bars
        title="Minutes per day"
        summary={`${figures(data.total_minutes, 0)} minutes on ${count(used, 'day')}.`}
        rows={days.map(({ day, minutes }) => ({ day, values: [minutes], running: isRunning && day === last }))}
        parts={[{ label: 'minutes', tone: 'one' }]}
        zone="UTC"
        note={<a href={csvHref}>CSV</a>}
      />
    </Section>
  );
}

type Kind = Bill['by_sku'][number];

const usd = (value: number) => quantity(value, 'usd');

const kinds: readonly Column<Kind>[] = [
  { key: 'label', label: 'SKU', cell: ({ label }) => label, heading: true },
  { key: 'product', label: 'Product', cell: ({ product }) => product },
  { key: 'minutes', label: 'Minutes', numeric: true, cell: ({ minutes }) => minutesCell(minutes) },
  {
    key: 'quantity',
    label: 'Quantity',
    numeric: true,
    cell: ({ quantity: amount, unit_type: unit }) => `${figures(amount, 2)} ${formatUnit(unit, amount)}`,
  },
  { key: 'price', label: 'Price', numeric: true, cell: ({ price_per_unit: price }) => `$${figures(price, 6, 2)}` },
  { key: 'gross', label: 'Gross', numeric: true, cell: ({ gross_amount: amount }) => usd(amount) },
  { key: 'discount', label: 'Discount', numeric: true, cell: ({ discount_amount: amount }) => usd(amount) },
  { key: 'net', label: 'Net', numeric: true, cell: ({ net_amount: amount }) => usd(amount) },
];

const minutesCell = (minutes: number | null) =>
  minutes === null ? <Unknown reason="not billed in minutes" /> : figures(minutes, 2);

/** `GigabyteHours` as two words; the host writes some units in the singular, whatever their number. */
function formatUnit(unit: string, amount: number): string {
  const one = unit
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/s$/, '');
  return amount === 1 || one === '' ? one : `${one}s`;
}

/** Runners, storage and the rest, each with what it cost. */
export function KindTable({ rows, csvHref }: { rows: readonly Kind[]; csvHref: string }) {
  return (
    <DataTable
      caption="SKUs, most expensive first"
      columns={kinds}
      rows={rows}
      rowKey={({ product, sku, unit_type }) => `${product} ${sku} ${unit_type}`}
      csvHref={csvHref}
    />
  );
}

/** Which repositories it was used by. */
export function RepositoryTable({ data, csvHref }: { data: Cost; csvHref: string }) {
  return (
    <DataTable
      caption="Repositories, most expensive first"
      columns={[
        { key: 'repo', label: 'Repository', cell: ({ repo }) => repo, heading: true },
        { key: 'minutes', label: 'Minutes', numeric: true, cell: ({ minutes }) => figures(minutes, 2) },
        { key: 'gross', label: 'Gross', numeric: true, cell: ({ gross_amount: amount }) => usd(amount) },
        { key: 'net', label: 'Net', numeric: true, cell: ({ net_amount: amount }) => usd(amount) },
      ]}
      rows={data.by_repository ?? []}
      rowKey={({ repo }) => repo}
      csvHref={csvHref}
      empty={{
        cause: data.by_repository === null ? 'Usage by repository is not available.' : 'No usage by repository.',
      }}
    />
  );
}

/** Runners beside everything else that is billed by use. */
export function ProductTable({ data, csvHref }: { data: Cost; csvHref: string }) {
  return (
    <DataTable
      caption="Products, most expensive first"
      columns={[
        { key: 'product', label: 'Product', cell: ({ product }) => product, heading: true },
        { key: 'gross', label: 'Gross', numeric: true, cell: ({ gross_amount: amount }) => usd(amount) },
        { key: 'discount', label: 'Discount', numeric: true, cell: ({ discount_amount: amount }) => usd(amount) },
        { key: 'net', label: 'Net', numeric: true, cell: ({ net_amount: amount }) => usd(amount) },
      ]}
      rows={data.products}
      rowKey={({ product }) => product}
      csvHref={csvHref}
      totals={[
        'All products',
        usd(data.total_gross_amount),
        usd(data.total_discount_amount),
        <strong key="net">{usd(data.total_net_amount)}</strong>,
      ]}
    />
  );
}
