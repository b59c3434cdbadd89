import { operations } from '../../../server/api/registry.ts';
import { type Block, plainText } from './blocks.ts';
import { getFamily } from './families.ts';
import type { DocumentedMetric } from './metrics/catalogue.ts';
import type { Section } from './sections.ts';

/** A place of the documentation that a search can lead to. */
export interface SearchEntry {
  /** The chapter. */
  title: string;
  /** The heading within it; null for its beginning. */
  heading: string | null;
  href: string;
  text: string;
}

export interface SearchResult {
  title: string;
  heading: string | null;
  href: string;
  /** Text around the first match; every second part is a match. */
  excerpt: string[];
}

export interface SearchAnswer {
  /** The best of them, at most `maxResults`. */
  results: SearchResult[];
  /** How many there are. */
  total: number;
  /** Whether the results hold every word of the query. */
  hasAllWords: boolean;
}

/** The longest query that is read. */
export const maxQueryLength = 100;
const maxResults = 20;
const excerptLength = 64;

/** The places of a chapter: its beginning, each heading, and each row of a table. */
export function getEntries({ key, title, lead, blocks }: Section): SearchEntry[] {
  const address = `/docs/${key}`;
  let current: SearchEntry = { title, heading: null, href: address, text: lead };
  const entries = [current];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      current = { title, heading: plainText(block.children), href: `${address}#${block.id}`, text: '' };
      entries.push(current);
    } else if (block.kind === 'table') {
      for (const { id, cells } of block.rows) {
        const [first = '', ...others] = cells.map(plainText);
        if (id) entries.push({ title, heading: first, href: `${address}#${id}`, text: others.join(' · ') });
        else
          entries.push({ title, heading: current.heading, href: current.href, text: [first, ...others].join(' · ') });
      }
    } else {
      current.text = `${current.text} ${getText(block)}`.trim();
    }
  }
  return entries;
}

/** The operations of the API as places that a search can lead to. */
export const operationEntries = (): SearchEntry[] =>
  operations.map(({ method, path, summary }) => ({
    title: 'API reference',
    heading: `${method} ${path}`,
    href: `/docs/api#${getFamily(path)}`,
    text: summary,
  }));

/** The pages of metrics. */
export const metricEntries = (metrics: Iterable<DocumentedMetric>): SearchEntry[] =>
  [...metrics].map(({ key, label, definition, evidence }) => ({
    title: 'Metrics',
    heading: label,
    href: `/docs/metrics/${key}`,
    text: [definition, key, evidence?.counts ?? ''].join(' ').trim(),
  }));

function getText(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainText(block.children);
    case 'code':
      return block.text.replace(/\s+/g, ' ');
    case 'list':
      return block.items.flat().map(getText).join(' ');
    case 'table':
      return block.rows.flatMap(({ cells }) => cells.map(plainText)).join(' ');
  }
}

/** The words of a query, in lower case, each once. */
const parseTerms = (query: string) => [
  ...new Set(
    query
      .slice(0, maxQueryLength)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  ),
];

/** Matches what begins with a word: `run` is found in `runs`, not in `prune`. */
const toStartPattern = (terms: readonly string[], flags: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(${terms.join('|')})`, flags);

/** The places that hold most words of the query, those with words in their headings first; null without a word. */
export function searchDocs(entries: readonly SearchEntry[], query: string): SearchAnswer | null {
  const terms = parseTerms(query);
  if (terms.length === 0) return null;
  const patterns = terms.map((word) => toStartPattern([word], 'iu'));
  const rated = entries.map((entry) => rate(entry, patterns));
  const found = Math.max(0, ...rated.map(({ matched }) => matched));
  const best = found === 0 ? [] : rated.filter(({ matched }) => matched === found).sort((a, b) => b.score - a.score);
  const marks = toStartPattern(terms, 'giu');
  return {
    results: best.slice(0, maxResults).map(({ entry: { title, heading, href, text } }) => ({
      title,
      heading,
      href,
      excerpt: getExcerpt(text, marks),
    })),
    total: best.length,
    hasAllWords: found === terms.length,
  };
}

function rate(entry: SearchEntry, patterns: readonly RegExp[]) {
  let matched = 0;
  let score = 0;
  for (const pattern of patterns) {
    const weight =
      (pattern.test(entry.heading ?? '') ? 4 : 0) +
      (pattern.test(entry.title) ? 2 : 0) +
      (pattern.test(entry.text) ? 1 : 0);
    if (weight > 0) matched++;
    score += weight;
  }
  return { entry, matched, score };
}

function getExcerpt(text: string, marks: RegExp): string[] {
  const first = Math.max(0, text.search(marks));
  let start = first < excerptLength / 2 ? 0 : text.lastIndexOf(' ', first - excerptLength / 3) + 1;
  if (text.length - start < excerptLength) start = Math.max(0, text.indexOf(' ', text.length - excerptLength) + 1);
  if (text.length <= excerptLength) start = 0;
  const isTruncated = text.length > start + excerptLength;
  const end = isTruncated ? text.lastIndexOf(' ', start + excerptLength) : text.length;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${isTruncated ? ' …' : ''}`.split(marks);
}
