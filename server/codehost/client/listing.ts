import type { Listing } from './client.ts';
import { describePartial, mergeExcluded, type ReadableItems } from './readable-items.ts';
import type { Read, Reader, Reading } from './reader.ts';
import type { AnswerHeaders } from './transport.ts';

/** One page of a list, with what its headers state about the rest. */
export interface Page<T> extends ReadableItems<T> {
  totalCount: number | null;
  /** Number of the last page, null when the platform does not state it. */
  lastPage: number | null;
  hasNext: boolean;
  /** true when single sign-on keeps items back. */
  hidden: boolean;
}

export const pageSize = 100;

/** Reads the paging headers around items that were already understood. */
export function toPage<T>(read: ReadableItems<T>, totalCount: number | null, headers: AnswerHeaders): Page<T> {
  const links = String(headers.link ?? '');
  const last = /[?&]page=(\d+)[^>]*>;\s*rel="last"/.exec(links)?.[1];
  return {
    ...read,
    totalCount,
    lastPage: last === undefined ? null : Number(last),
    hasNext: links.includes('rel="next"'),
    hidden: String(headers['x-github-sso'] ?? '').startsWith('partial-results'),
  };
}

/**
 * Reads page 1, then the others at the same time, at most `mostPages`; one after another when the
 * platform does not state which page is the last.
 */
export async function readListing<T>(
  reader: Reader,
  page: (number: number) => Reading<Page<T>>,
  maxPages: number,
  identity: (item: T) => string | number,
): Promise<Listing<T>> {
  const first = await reader.read(page(1));
  const { lastPage, hasNext } = first.value;
  const rest =
    lastPage === null && hasNext
      ? await readOneByOne(reader, page, maxPages)
      : await Promise.all(numbers(2, Math.min(lastPage ?? 1, maxPages)).map((number) => reader.read(page(number))));
  const pages = [first, ...rest];
  const reason = describePartial(page(1).operation, mergeExcluded(pages.map(({ value }) => value)));
  const listing = asListing(pages, (lastPage ?? 1) > maxPages, identity);
  return reason ? { ...listing, partial: true, partialReason: reason } : listing;
}

/** One list out of the pages read. */
function asListing<T>(pages: Read<Page<T>>[], capped: boolean, identity: (item: T) => string | number): Listing<T> {
  const newest = pages.at(-1)?.value;
  const isHidden = pages.some(({ value }) => value.hidden);
  // Items move between pages while they are read: each is given once.
  const items = [...new Map(pages.flatMap(({ value }) => value.items).map((item) => [identity(item), item])).values()];
  return {
    items,
    partial: capped || (newest?.lastPage === null && newest.hasNext) || isHidden,
    ...(isHidden && { hidden: true }),
    totalCount: pages[0]?.value.totalCount ?? null,
    stale: pages.some(({ stale }) => stale),
    asOf: Math.min(...pages.map(({ asOf }) => asOf)),
  };
}

async function readOneByOne<T>(reader: Reader, page: (number: number) => Reading<Page<T>>, maxPages: number) {
  const pages: Read<Page<T>>[] = [];
  for (let number = 2; number <= maxPages; number++) {
    const read = await reader.read(page(number));
    pages.push(read);
    if (!read.value.hasNext) break;
  }
  return pages;
}

const numbers = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
