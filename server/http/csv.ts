import Papa from 'papaparse';
import type { Context } from '../access/context.ts';

export const wantsCsv = ({ url, headers }: Context): boolean =>
  url.searchParams.get('format') === 'csv' || (headers.get('accept') ?? '').startsWith('text/csv');

/**
 * Rows as CSV, one level deep: nested objects become columns named `a.b`, lists are left as JSON.
 * Texts that a spreadsheet would run as a formula are marked as text.
 */
export const toCsv = (rows: readonly object[]): string =>
  `\ufeff${Papa.unparse(rows.map(flat), { escapeFormulae: true })}\r\n`;

function flat(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, value]): [string, unknown][] => {
      if (value === null || typeof value !== 'object') return [[key, value]];
      if (Array.isArray(value)) return [[key, JSON.stringify(value)]];
      return Object.entries(value).map(([inner, one]) => [
        `${key}.${inner}`,
        one !== null && typeof one === 'object' ? JSON.stringify(one) : one,
      ]);
    }),
  );
}
