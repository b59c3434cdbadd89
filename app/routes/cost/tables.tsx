import { useLocation } from 'react-router';
import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Section } from '../../components/panel.tsx';
import { asGiven, orderSection } from '../../components/row-order.ts';
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

/** An amount in dollars. */
const amount = <Row,>(key: string, label: string, value: (row: Row) => number): Column<Row> => ({
  key,
  label,
  numeric: true,
  sort: 'desc',
  sortLabel: `${key} amount`,
  value,
  unit: 'usd',
});

/** What a row is called. */
const named = <Row,>(key: string, label: string, value: (row: Row) => string): Column<Row> => ({
  key,
  label,
  sort: 'asc',
  sortLabel: key === 'sku' ? 'SKU' : key,
  value,
});

const kinds: readonly Column<Kind>[] = [
  { ...named<Kind>('sku', 'SKU', ({ label }) => label), heading: true },
  named('product', 'Product', ({ product }) => product),
  {
    key: 'minutes',
    label: 'Minutes',
    numeric: true,
    sort: 'desc',
    sortLabel: 'minutes',
    value: ({ minutes }) => minutes,
    cell: ({ minutes }) => minutesCell(minutes),
  },
  {
    key: 'quantity',
    label: 'Quantity',
    numeric: true,
    cell: ({ quantity: amount, unit_type: unit }) => `${figures(amount, 2)} ${formatUnit(unit, amount)}`,
  },
  {
    key: 'price',
    label: 'Price',
    numeric: true,
    cell: ({ price_per_unit: price }) => `$${figures(price, 6, 2)}`,
  },
  amount('gross', 'Gross', ({ gross_amount: gross }) => gross),
  amount('discount', 'Discount', ({ discount_amount: discount }) => discount),
  amount('net', 'Net', ({ net_amount: net }) => net),
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

/** The parts of the page that its tables are. */
export const billSections = { skus: 'skus', repositories: 'repositories', products: 'products' } as const;

function useOrder<Row>(rows: readonly Row[], columns: readonly Column<Row>[], section: keyof typeof billSections) {
  const { search } = useLocation();
  const { sortLabel, ...ordered } = orderSection(rows, columns, asGiven, { search, section: billSections[section] });
  return { ...ordered, order: sortLabel ? ` by ${sortLabel}` : ', most expensive first' };
}

/** Runners, storage and the rest, each with what it cost. */
export function KindTable({ rows: all, csvHref }: { rows: readonly Kind[]; csvHref: string }) {
  const { rows, sorting, order } = useOrder(all, kinds, 'skus');
  return (
    <DataTable
      caption={`SKUs${order}`}
      columns={kinds}
      rows={rows}
      sorting={sorting}
      rowKey={({ product, sku, unit_type }) => `${product} ${sku} ${unit_type}`}
      csvHref={csvHref}
    />
  );
}

type BilledRepository = NonNullable<Cost['by_repository']>[number];

const repositories: readonly Column<BilledRepository>[] = [
  { ...named<BilledRepository>('repository', 'Repository', ({ repo }) => repo), heading: true },
  {
    key: 'minutes',
    label: 'Minutes',
    numeric: true,
    sort: 'desc',
    sortLabel: 'minutes',
    value: ({ minutes }) => minutes,
    cell: ({ minutes }) => figures(minutes, 2),
  },
  amount('gross', 'Gross', ({ gross_amount: gross }) => gross),
  amount('net', 'Net', ({ net_amount: net }) => net),
];

/** Which repositories it was used by. */
export function RepositoryTable({ data, csvHref }: { data: Cost; csvHref: string }) {
  const { rows, sorting, order } = useOrder(data.by_repository ?? [], repositories, 'repositories');
  return (
    <DataTable
      caption={`Repositories${order}`}
      columns={repositories}
      rows={rows}
      sorting={sorting}
      rowKey={({ repo }) => repo}
      csvHref={csvHref}
      empty={{
        cause: data.by_repository === null ? 'Usage by repository is not available.' : 'No usage by repository.',
      }}
    />
  );
}

type Product = Cost['products'][number];

const products: readonly Column<Product>[] = [
  { ...named<Product>('product', 'Product', ({ product }) => product), heading: true },
  amount('gross', 'Gross', ({ gross_amount: gross }) => gross),
  amount('discount', 'Discount', ({ discount_amount: discount }) => discount),
  amount('net', 'Net', ({ net_amount: net }) => net),
];

/** Runners beside everything else that is billed by use. */
export function ProductTable({ data, csvHref }: { data: Cost; csvHref: string }) {
  const { rows, sorting, order } = useOrder(data.products, products, 'products');
  return (
    <DataTable
      caption={`Products${order}`}
      columns={products}
      rows={rows}
      sorting={sorting}
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
