import { withChoices } from './choices.ts';
import type { PagerProps } from './pager.tsx';

interface Place {
  /** The query string of the page. */
  search: string;
  /** The part of the page that the rows are in. */
  section: string;
}

/** The most rows that a page shows of a table that is there as a whole. */
const pageSize = 50;

/** The rows of the page that an address asks for, the nearest where it has none; and the others, where there are any. */
export function pageRows<Row>(
  rows: readonly Row[],
  { search, section }: Place,
): { rows: Row[]; pages: Omit<PagerProps, 'noun'> | null } {
  const last = Math.max(1, Math.ceil(rows.length / pageSize));
  const asked = new URLSearchParams(search).get('page') ?? '';
  const page = Math.min(Math.max(/^\d{1,6}$/.test(asked) ? Number(asked) : 1, 1), last);
  if (last === 1) return { rows: [...rows], pages: null };
  const before = (page - 1) * pageSize;
  const shown = rows.slice(before, before + pageSize);
  const hrefOf = (one: number) => `${withChoices(search, { page: one === 1 ? null : one })}#${section}`;
  return {
    rows: shown,
    pages: {
      from: before + 1,
      to: before + shown.length,
      total: rows.length,
      previousHref: page > 1 ? hrefOf(page - 1) : null,
      nextHref: page < last ? hrefOf(page + 1) : null,
    },
  };
}
