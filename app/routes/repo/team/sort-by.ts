import { withChoices } from '../../../components/choices.ts';
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

/** The same for a section of a page: the choice in the address is named as the section, and each order leads back there. */
export function sortSection<Row, Key extends string>(
  rows: readonly Row[],
  values: SortValues<Row, Key>,
  first: Key,
  { search, section }: { search: string; section: string },
) {
  const sorted = sortBy(rows, values, first, new URLSearchParams(search).get(section));
  const { key, direction } = sorted;
  const href = (by: string, towards: string) => `${withChoices(search, { [section]: `${by}-${towards}` })}#${section}`;
  return { rows: sorted.rows, key, sorting: { key, direction, href } };
}

const compare = (a: string | number, b: string | number) => (a === b ? 0 : a < b ? -1 : 1);
