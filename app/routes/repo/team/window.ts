import type { Filter } from '../../../components/filter-bar.tsx';
import { chosenDays, describeUnoffered } from '../../../components/period-filters.ts';
import type { TeamView } from './views.ts';

/** How an address asks for no window but the last closed pull requests. */
const lastClosed = 'last-60';

/** The name in the address of what the operations call days. */
export const called = { days: 'range' };

const windows = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];

const offeredDays = windows.map(({ value }) => value);

/** The window that the operations about a team take; undefined for the last closed ones. */
export const requestedDays = (query: URLSearchParams): string | undefined =>
  query.get('range') === lastClosed ? undefined : chosenDays(query, offeredDays);

/** The same where there is no choice but days. */
export const daysOnly = (query: URLSearchParams): string => requestedDays(query) ?? '30';

/** What an address asks for that no team page has; of a quarter, and of the last closed ones, nothing is known before. */
export function describeOthers(query: URLSearchParams, window: string, view?: TeamView): string[] {
  const isCompared = window === '30' || (view === 'workload' && window === lastClosed);
  return describeUnoffered(query, offeredDays, {
    because: 'people are counted over 30 or 90 days',
    compared: isCompared ? 'Compared with the previous period' : undefined,
  });
}

/** The choice of the pull requests that a team page is about. */
export const windowFilter = (value: string, { hasLastClosed }: { hasLastClosed: boolean }): Filter => ({
  kind: 'links',
  name: 'range',
  label: 'Merged in',
  value,
  options: hasLastClosed ? [...windows, { value: lastClosed, label: 'Last 60 closed' }] : windows,
});

/** The choice that an address stands for. */
export const chosenWindow = (query: URLSearchParams): string => requestedDays(query) ?? lastClosed;
