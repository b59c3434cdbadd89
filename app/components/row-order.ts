import { withChoices } from './choices.ts';
import type { Column, Direction } from './data-table.tsx';

/** The column by which rows are in order, and which way. */
export interface RowOrder {
  key: string;
  direction: Direction;
}

/** As the rows are given: no column has that key. */
export const asGiven: RowOrder = { key: '', direction: 'asc' };

/** The order that an address asks for as `key-direction`; `first` where it asks for nothing that is known. */
export function requestedOrder<Row>(
  columns: readonly Column<Row>[],
  first: RowOrder,
  request: string | null,
): RowOrder {
  const [key = '', direction] = (request ?? '').split('-');
  if (!columns.some((column) => column.key === key && column.value)) return first;
  return { key, direction: direction === 'desc' ? 'desc' : 'asc' };
}

/**
 * Rows by the values of a column. What is not known comes last, whichever way; rows with equal values, and all rows
 * where the column is not known, are ordered by the column `ties`.
 */
export function orderRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { key, direction }: RowOrder,
  ties: string,
): Row[] {
  const columnValue = (name: string) => columns.find((column) => column.key === name)?.value;
  const getTie = columnValue(ties) ?? (() => null);
  const value = columnValue(key) ?? getTie;
  const sign = direction === 'asc' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === b) return compare(getTie(one) ?? '', getTie(other) ?? '');
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b);
  });
}

/**
 * The rows of a section of a page: its order stands in the address under the section's name, and leads back to it. Rows
 * with equal values are ordered by the column of `first`.
 */
export function orderSection<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  first: RowOrder,
  { search, section }: { search: string; section: string },
) {
  const order = requestedOrder(columns, first, new URLSearchParams(search).get(section));
  const href = (key: string, direction: string) =>
    `${withChoices(search, { [section]: `${key}-${direction}` })}#${section}`;
  return {
    rows: orderRows(rows, columns, order, first.key),
    sortLabel: columns.find(({ key }) => key === order.key)?.sortLabel,
    sorting: { key: order.key, direction: order.direction, href },
  };
}

const collator = new Intl.Collator('en');

const compare = (a: string | number, b: string | number) =>
  typeof a === 'string' && typeof b === 'string' ? collator.compare(a, b) : Number(a) - Number(b);
