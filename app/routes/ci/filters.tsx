import type { Deferred } from '../../../server/http/deferred-panels.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import { getOrganizationFilters, getPeriodFilters } from '../../components/period-filters.ts';
import { WhenReady } from '../../components/skeleton.tsx';
import { readScopeNames, type ScopeLists } from '../scope-names.ts';

interface Props {
  search: string;
  lists: Deferred<ScopeLists>;
}

/** Range, comparison and scope, all in the address; what can be chosen follows where it is not known yet. */
export const Filters = ({ search, lists }: Props) => (
  <WhenReady data={lists} fallback={<Bar search={search} owners={[]} repositories={[]} />}>
    {(listed) => <Bar search={search} {...readScopeNames(listed)} />}
  </WhenReady>
);

interface BarProps {
  search: string;
  owners: readonly string[];
  repositories: readonly string[];
}

function Bar({ search, owners, repositories }: BarProps) {
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
