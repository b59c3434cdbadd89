import { dayText } from '../../server/domain/day-text.ts';
import type { Filter } from './filter-bar.tsx';

const ranges = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'quarter', label: 'Quarter' },
];

const comparisons = [
  { value: '', label: 'Previous period' },
  { value: 'year', label: 'Same period last year' },
  { value: 'off', label: 'Off' },
];

/** The comparison alone, in a line with the range. */
export const getComparisonMenu = (query: URLSearchParams): Filter => ({
  kind: 'menu',
  name: 'compare',
  label: 'Compare',
  value: comparisons.some(({ value }) => value === query.get('compare')) ? query.get('compare') : '',
  options: comparisons.map(({ value, label }) => ({
    value,
    label: value === 'off' ? 'No comparison' : `vs ${label.toLowerCase()}`,
  })),
});

/** What the bar says where runs are counted whoever started them, on whichever branch. */
export const allRuns = ['All branches', 'Including bots'];

/** The range, in the parameter that every page of stored figures shares. */
export const getRangeFilter = (query: URLSearchParams): Extract<Filter, { kind: 'range' }> => ({
  kind: 'range',
  name: 'range',
  label: 'Range',
  value: query.get('range') || '30',
  options: ranges,
});

/** The range and what it is compared with. */
export const getPeriodFilters = (query: URLSearchParams): Filter[] => [
  getRangeFilter(query),
  { kind: 'select', name: 'compare', label: 'Compare', value: query.get('compare'), options: comparisons },
];

/** The range alone, where the page has only some of them; another one that is carried along counts as the usual. */
export function getDayFilter(query: URLSearchParams, offered: readonly string[]): Filter {
  const options = ranges.filter(({ value }) => offered.includes(value));
  return { kind: 'links', name: 'range', label: 'Range', value: chosenDays(query, offered), options };
}

/** The days of an address where a page offers only some: 30 for a range that other pages have. */
export function chosenDays(query: URLSearchParams, offered: readonly string[]): string {
  const requested = query.get('range') || '30';
  return offered.includes(requested) || !isSharedRange(requested) ? requested : '30';
}

export interface FixedWindow {
  /** Shown in place of a range that is not offered. */
  shown?: string;
  /** Said where another comparison is requested; null where the page says it in any case. */
  compared?: string | null | undefined;
  /** Why there are no other ranges; such a page compares nothing, which is said unless nobody asks for it. */
  because?: string;
  /** Whether it is said only where another year is requested. */
  isBrief?: boolean;
}

/** What an address brings along from other pages that this one does not have, why, and what it shows in its place. */
export function describeUnoffered(
  query: URLSearchParams,
  offered: readonly string[],
  { shown = '30 days', compared = 'Not compared', because, isBrief = because === undefined }: FixedWindow = {},
): string[] {
  const range = query.get('range') ?? '';
  const isOther = isSharedRange(range) && !offered.includes(range);
  const compare = query.get('compare');
  const isSaid = isBrief ? compare === 'year' : compare !== 'off';
  return [
    ...(isOther
      ? [`${describeRange(range)}: not available${because ? `, ${because};` : ' here,'} ${shown} shown`]
      : []),
    ...(isSaid && compared !== null ? [compared] : []),
  ];
}

const twoDays = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

/** Whether more than one page knows the range. */
export const isSharedRange = (range: string): boolean =>
  ranges.some(({ value }) => value === range) || twoDays.test(range);

/** The two days of a range that has some. */
export function splitRange(range: string): { from: string; to: string } | null {
  const [, from, to] = twoDays.exec(range) ?? [];
  return from && to ? { from, to } : null;
}

/** A range as figures are headed: `Last 30 days`, `This quarter`, `1 May 2026 to 31 May 2026`. */
export function describeRange(range: string): string {
  const days = splitRange(range);
  if (days) return `${dayText(days.from)} to ${dayText(days.to)}`;
  return range === 'quarter' ? 'This quarter' : `Last ${range} days`;
}
