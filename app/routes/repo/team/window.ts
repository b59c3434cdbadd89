import type { Filter } from '../../../components/filter-bar.tsx';

const usualDays = '30';
/** How an address asks for no window but the last closed pull requests. */
const lastClosed = 'last-60';

const windows = [
  { value: usualDays, label: 'Merged in 30 days' },
  { value: '90', label: 'Merged in 90 days' },
];

/** The window that the operations about a team take; undefined for the last closed ones. */
export const requestedDays = (query: URLSearchParams): string | undefined => {
  const days = query.get('days') || usualDays;
  return days === lastClosed ? undefined : days;
};

/** The same where there is no choice but days. */
export const daysOnly = (query: URLSearchParams): string => requestedDays(query) ?? usualDays;

/** The choice of the pull requests that a team page is about. */
export const windowFilter = (value: string, { hasLastClosed }: { hasLastClosed: boolean }): Filter => ({
  kind: 'links',
  name: 'days',
  label: 'Pull requests',
  value,
  options: hasLastClosed ? [...windows, { value: lastClosed, label: 'Last 60 closed' }] : windows,
});

/** The choice that an address stands for. */
export const chosenWindow = (query: URLSearchParams): string => requestedDays(query) ?? lastClosed;
