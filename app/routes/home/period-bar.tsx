import { FilterBar } from '../../components/filter-bar.tsx';
import { getPeriodFilters } from '../../components/period-filters.ts';

interface Props {
  search: string;
  organizations: readonly string[];
  /** Whether anything on the page has a range. */
  hasPeriod: boolean;
}

/** Range, comparison and organization, all in the address. */
export function PeriodBar({ search, organizations, hasPeriod }: Props) {
  const query = new URLSearchParams(search);
  const org = query.get('org');
  const offered = [...new Set([...organizations, ...(org ? [org] : [])])];
  const scope = {
    kind: 'select' as const,
    name: 'org',
    label: 'Organization',
    value: org,
    options: [{ value: '', label: 'All' }, ...offered.map((value) => ({ value, label: value }))],
  };
  const filters = [...(hasPeriod ? getPeriodFilters(query) : []), ...(offered.length > 0 ? [scope] : [])];
  return filters.length > 0 ? <FilterBar label="Range and scope" search={search} filters={filters} /> : null;
}
