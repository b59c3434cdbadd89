import type { ReactNode } from 'react';
import { figures, type Unit } from '../../server/domain/quantity.ts';
import { ActionLink, Link } from '../charts/link.tsx';
import { ScrollBox } from '../charts/scroll-box.tsx';
import { Triangle } from '../charts/triangle.tsx';
import { Measurement } from './measurement.tsx';
import { Empty } from './notice.tsx';

/** A column, declared once: its head, its cells, and the order of the rows by it. */
export interface Column<Row> {
  key: string;
  label: string;
  /** What the column holds: written where there is no `cell`, and what rows are sorted by. null is unknown. */
  value?(row: Row): string | number | null;
  /** The unit of `value`; without it a value is written as it is. */
  unit?: Unit;
  /** Why there is no value. */
  reason?: string;
  cell?(row: Row): ReactNode;
  /** Whether there is nothing to show of a row; without it, where `value` is null. */
  isEmpty?(row: Row): boolean;
  /** Right-aligned with figures of one width; a plain number has its thousands apart. */
  numeric?: boolean;
  /** Holds sentences, which have the whole width of a card on a phone. */
  wide?: boolean;
  /** The direction a first click sorts in; without it the column cannot be sorted by. */
  sort?: Direction;
  /** What the rows are sorted by, in a caption: `merged pull requests`. */
  sortLabel?: string;
  /** Names the row. The first column does when none says so. */
  heading?: boolean;
  /** What the label means, shown on pointing. */
  explain?: string;
}

export type Direction = 'asc' | 'desc';

export interface DataTableProps<Row> {
  /** Says what the rows are; read aloud, and shown unless the panel's title says it already. */
  caption: string;
  captionHidden?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string | number;
  sorting?: { key: string; direction: Direction; href(key: string, direction: Direction): string };
  /** How many exist, when fewer are shown. */
  total?: number | null;
  /** `runs`; used in "showing 25 of 214 runs". */
  noun?: string;
  allHref?: string;
  csvHref?: string;
  empty?: { cause: ReactNode; next?: { label: string; href: string } };
  /** Cells of a closing row, one for each column. */
  totals?: readonly ReactNode[];
}

/** A real table that scrolls inside its own box, sorts by link and says what it leaves out. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, captionHidden = false, columns, rows, rowKey, sorting, empty, totals } = props;
  if (rows.length === 0) return <Empty cause={empty?.cause ?? `No ${props.noun ?? 'rows'}.`} next={empty?.next} />;
  const named = Math.max(
    0,
    columns.findIndex(({ heading }) => heading),
  );
  return (
    <>
      <ScrollBox label={`Table: ${caption}`}>
        <table className="rows">
          <caption className={captionHidden ? 'sr' : undefined}>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeadCell key={column.key} column={column} sorting={sorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map((column, index) => (
                  <Cell
                    key={column.key}
                    label={column.label}
                    heading={index === named}
                    numeric={column.numeric}
                    wide={column.wide}
                  >
                    {renderContent(column, row)}
                  </Cell>
                ))}
              </tr>
            ))}
          </tbody>
          {totals ? <Totals cells={totals} columns={columns} /> : null}
        </table>
      </ScrollBox>
      <Foot {...props} />
    </>
  );
}

function renderContent<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.cell) return column.cell(row);
  const value = column.value?.(row) ?? null;
  if (column.unit === undefined || typeof value === 'string') return value;
  return <Measurement value={{ value, unit: column.unit, reason: column.reason }} />;
}

type Sorting = DataTableProps<never>['sorting'];

function HeadCell<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting }) {
  const { key, label, numeric, sort, explain } = column;
  const active = sorting?.key === key ? sorting.direction : undefined;
  const next = active === undefined ? sort : active === 'asc' ? 'desc' : 'asc';
  return (
    <th
      scope="col"
      className={numeric ? 'num' : undefined}
      aria-sort={active && (active === 'asc' ? 'ascending' : 'descending')}
      title={explain}
    >
      {sorting && sort && next ? (
        <Link href={sorting.href(key, next)}>
          {label}
          {active ? <Triangle isDown={active === 'desc'} /> : null}
        </Link>
      ) : (
        label
      )}
    </th>
  );
}

/** The columns that have something to show: those of which no row has a value are left out. */
export const withoutEmpty = <Row,>(columns: readonly Column<Row>[], rows: readonly Row[]): Column<Row>[] =>
  columns.filter((column) => rows.length === 0 || rows.some((row) => !hasNothing(column, row)));

const hasNothing = <Row,>({ isEmpty, value }: Column<Row>, row: Row): boolean =>
  isEmpty ? isEmpty(row) : value?.(row) === null;

interface CellProps {
  /** Shown beside the value where rows are cards. */
  label: string;
  heading: boolean;
  numeric?: boolean;
  wide?: boolean;
  children: ReactNode;
}

function Cell({ label, heading, numeric, wide, children }: CellProps) {
  const className = numeric ? 'num' : wide ? 'wide' : undefined;
  const content = numeric && typeof children === 'number' ? figures(children) : children;
  return heading ? (
    <th scope="row" className={className}>
      {content}
    </th>
  ) : (
    <td className={className} data-label={label}>
      {content}
    </td>
  );
}

function Totals<Row>({ cells, columns }: { cells: readonly ReactNode[]; columns: readonly Column<Row>[] }) {
  return (
    <tfoot>
      <tr>
        {columns.map(({ key, label, numeric }, index) => (
          <td key={key} className={numeric ? 'num' : undefined} data-label={label}>
            {typeof cells[index] === 'number' ? figures(cells[index]) : cells[index]}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

function Foot<Row>({ rows, total, noun = 'rows', allHref, csvHref }: DataTableProps<Row>) {
  const isTruncated = total !== undefined && total !== null && total > rows.length;
  if (!isTruncated && !csvHref) return null;
  return (
    <p className="source">
      {isTruncated ? `${figures(rows.length)} of ${figures(total)} ${noun}. ` : null}
      {isTruncated && allHref ? <ActionLink href={allHref}>Show all</ActionLink> : null}{' '}
      {csvHref ? <ActionLink href={csvHref}>CSV</ActionLink> : null}
    </p>
  );
}
