/** The date ranges of analytic pages, as the address names them. */
export const rangeNames = ['7', '30', '90', 'quarter', 'custom'] as const;
export type RangeName = (typeof rangeNames)[number];

/** What a range is compared with: the equally long one before it, the same days a year before, or nothing. */
export const comparisonNames = ['previous', 'year', 'off'] as const;
export type ComparisonName = (typeof comparisonNames)[number];

export const rangeLabels: Record<RangeName, string> = {
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  quarter: 'Quarter',
  custom: 'Custom',
};

export const comparisonLabels: Record<ComparisonName, string> = {
  previous: 'Previous period',
  year: 'Same period last year',
  off: 'No comparison',
};

/** What moves along from page to page. */
export const preservedParameters = ['range', 'from', 'to', 'compare', 'bots', 'org'] as const;

/** The part of a query string that other pages understand too, with its `?`; empty where there is none of it. */
export function preservedQuery(search: string | URLSearchParams): string {
  const query = new URLSearchParams(search);
  const preserved = new URLSearchParams();
  for (const name of preservedParameters) {
    const value = query.get(name);
    if (value) preserved.set(name, value);
  }
  return preserved.size > 0 ? `?${preserved}` : '';
}
