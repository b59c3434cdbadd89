import type { Deferred } from '../../server/http/deferred-panels.ts';
import type { Filter } from '../components/filter-bar.tsx';
import { PeriodBar } from '../components/period-bar.tsx';
import { getPeriodFilters } from '../components/period-filters.ts';
import { getScopeFilters, type OfferedScopes, requestedScope } from '../components/scope-filters.ts';
import { WhenReady } from '../components/skeleton.tsx';
import { describeLackedOrganizations, readScopeNames, type ScopeLists } from './scope-names.ts';

interface Choices {
  search: string;
  /** Range and comparison where the page has others than most. */
  period?: readonly Filter[];
  /** Choices of this page alone. */
  others?: readonly Filter[];
  /** What the definitions of the page fix. */
  fixed?: readonly string[];
  /** Whether the page shows every organization together, where none is chosen; else it shows the first one. */
  hasAll?: boolean;
}

/** Range, comparison and scope, all in the address; what can be chosen follows where it is not known yet. */
export const ScopeBar = ({ lists, ...choices }: Choices & { lists: Deferred<ScopeLists> }) => (
  <WhenReady data={lists} fallback={<Bar {...choices} owners={[]} repositories={[]} />}>
    {(listed) => (
      <Bar {...choices} fixed={[...(choices.fixed ?? []), ...describeUnlisted(listed)]} {...readScopeNames(listed)} />
    )}
  </WhenReady>
);

/** Why is said by the page, which cannot show anything without them. */
const describeUnlisted = (lists: ScopeLists): string[] =>
  lists.repositories.ok ? describeLackedOrganizations(lists) : ['Repositories could not be listed'];

function Bar(props: Choices & OfferedScopes) {
  const { search, fixed, hasAll = true, owners, repositories } = props;
  const query = new URLSearchParams(search);
  const { period = getPeriodFilters(query), others = [] } = props;
  const { owner, repo } = requestedScope(query);
  const scope = { owner: owner ?? (hasAll ? null : (owners[0] ?? null)), repo };
  return (
    <PeriodBar
      search={search}
      filters={[...period, ...getScopeFilters(scope, { owners, repositories }, { hasAll }), ...others]}
      fixed={fixed}
    />
  );
}
