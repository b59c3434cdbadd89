import type { Direction } from '../../../components/data-table.tsx';

/** What rows can be sorted by; null is not known. */
export type SortValues<Row, Key extends string> = Record<Key, (row: Row) => string | number | null>;

/**
 * Rows in the order that an address asks for as `key-direction`; by `first` when it asks for nothing that is known.
 * What is not known comes last, whichever way; equal rows keep the order of `first`.
 */
export function sortBy<Row, Key extends string>(
  rows: readonly Row[],
  values: SortValues<Row, Key>,
  first: Key,
  asked: string | null,
): { rows: Row[]; key: Key; direction: Direction } {
  const [name = '', towards] = (asked ?? '').split('-');
  const key = Object.hasOwn(values, name) ? (name as Key) : first;
  const direction = towards === 'desc' && key === name ? 'desc' : 'asc';
  const sign = direction === 'asc' ? 1 : -1;
  const sorted = rows.toSorted((one, other) => {
    const [a, b] = [values[key](one), values[key](other)];
    if (a === b) return compare(values[first](one) ?? '', values[first](other) ?? '');
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b);
  });
  return { rows: sorted, key, direction };
}

const compare = (a: string | number, b: string | number) => (a === b ? 0 : a < b ? -1 : 1);
