import { FilterBar } from '../../components/filter-bar.tsx';
import { getPeriodFilters } from '../../components/period-filters.ts';

interface Props {
  search: string;
  /** Organizations to choose from, and `owner/name` of repositories. */
  owners: readonly string[];
  repositories: readonly string[];
}

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
        {
          kind: 'select',
          name: 'org',
          label: 'Organization',
          value: org,
          options: [{ value: '', label: 'All' }, ...offered.map((value) => ({ value, label: value }))],
        },
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
