import { defaultBranchOnly } from '../../../../server/domain/default-branch.ts';
import { withChoices } from '../../../components/choices.ts';
import { FilterBar } from '../../../components/filter-bar.tsx';

/** The part of the page that the filter by branch is of. */
export const runsSection = 'runs';

/** The branch that an address asks for; null for all. */
export const requestedBranch = (query: URLSearchParams): string | null => query.get('branch') || null;

/** The same in words: `Default branch`, `Branch release/1`; null for all. */
export function nameBranch(query: URLSearchParams): string | null {
  const branch = requestedBranch(query);
  return branch === defaultBranchOnly ? 'Default branch' : branch && `Branch ${branch}`;
}

/** What is chosen of one list of runs is not in another. */
export const withoutRun = { run: null, attempt: null };

/** Runs of all branches, the default one, or one by its name. */
export function BranchFilter({ search }: { search: string }) {
  const branch = requestedBranch(new URLSearchParams(search));
  return (
    <FilterBar
      label="Filter runs"
      search={withChoices(search, withoutRun)}
      section={runsSection}
      submit="Filter"
      filters={[
        {
          kind: 'links',
          name: 'branch',
          label: 'Branch',
          value: branch ?? '',
          options: [
            { value: '', label: 'All' },
            { value: defaultBranchOnly, label: 'Default' },
          ],
        },
        { kind: 'text', name: 'branch', label: 'by name', value: branch === defaultBranchOnly ? null : branch },
      ]}
    />
  );
}
