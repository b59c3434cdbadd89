import Papa from 'papaparse';
import type { Context } from '../access/context.ts';

export const wantsCsv = ({ url, headers }: Context): boolean =>
  url.searchParams.get('format') === 'csv' || (headers.get('accept') ?? '').startsWith('text/csv');

/**
 * Rows as CSV, one level deep: nested objects become columns named `a.b`, lists are left as JSON.
 * Texts that a spreadsheet would run as a formula are marked as text.
 */
export function toCsv(rows: readonly object[]): string {
  const options = { escapeFormulae: true, columns: columnsOf(rows) };
  return `\ufeff${rows.length === 0 ? '' : Papa.unparse(rows.map(flat), options)}\r\n`;
}

/** A nested object that one row lacks must not hide what the others have of it. */
function columnsOf(rows: readonly object[]): string[] {
  return Object.keys(rows[0] ?? {}).flatMap((key) => {
    const nested = rows.map((row) => (row as Record<string, unknown>)[key]).filter(isNested);
    const inner = new Set(nested.flatMap((one) => Object.keys(one)));
    return inner.size === 0 ? [key] : [...inner].map((name) => `${key}.${name}`);
  });
}

function flat(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, value]): [string, unknown][] => {
      if (Array.isArray(value)) return [[key, JSON.stringify(value)]];
      if (!isNested(value)) return [[key, value]];
      return Object.entries(value).map(([inner, one]) => [
        `${key}.${inner}`,
        one !== null && typeof one === 'object' ? JSON.stringify(one) : one,
      ]);
    }),
  );
}

const isNested = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
