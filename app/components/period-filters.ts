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

/** The range and what it is compared with, in the parameters that every page of stored figures shares. */
export const getPeriodFilters = (query: URLSearchParams): Filter[] => [
  { kind: 'links', name: 'range', label: 'Range', value: query.get('range') || '30', options: ranges },
  { kind: 'select', name: 'compare', label: 'Compare', value: query.get('compare'), options: comparisons },
];
