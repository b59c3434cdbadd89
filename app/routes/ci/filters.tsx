import { FilterBar } from '../../components/filter-bar.tsx';
import { getPeriodFilters } from '../../components/period-filters.ts';

interface Props {
  search: string;
  /** Organizations to choose from, and `owner/name` of repositories. */
  owners: readonly string[];
  repositories: readonly string[];
}

/** What the figures are of. */
export const rangeNames = {
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  quarter: 'This quarter',
} as const;

/** Range, comparison and scope, all in the address. */
export function Filters({ search, owners, repositories }: Props) {
  const query = new URLSearchParams(search);
  const org = query.get('org');
  const offered = [...new Set([...owners, ...(org ? [org] : [])])];
  return (
    <FilterBar
      label="Range and scope"
      search={search}
      filters={[
        ...getPeriodFilters(query),
        ...(offered.length === 0 ? [] : [organizationFilter(org, offered)]),
        {
          kind: 'text',
          name: 'repo',
          label: 'Repository',
          value: query.get('repo'),
          placeholder: 'owner/name',
          list: repositories,
        },
      ]}
    />
  );
}

const organizationFilter = (org: string | null, offered: readonly string[]) => ({
  kind: 'select' as const,
  name: 'org',
  label: 'Organization',
  value: org,
  options: [{ value: '', label: 'All' }, ...offered.map((value) => ({ value, label: value }))],
});
