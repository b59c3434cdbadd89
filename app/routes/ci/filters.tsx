import { PeriodBar } from '../../components/period-bar.tsx';
import { getOrganizationFilters, getPeriodFilters } from '../../components/period-filters.ts';

interface Props {
  search: string;
  /** Organizations to choose from, and `owner/name` of repositories. */
  owners: readonly string[];
  repositories: readonly string[];
}

/** Range, comparison and scope, all in the address. */
export function Filters({ search, owners, repositories }: Props) {
  const query = new URLSearchParams(search);
  return (
    <PeriodBar
      search={search}
      filters={[
        ...getPeriodFilters(query),
        ...getOrganizationFilters(query, owners),
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
