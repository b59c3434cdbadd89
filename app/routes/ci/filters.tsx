import { FilterBar } from '../../components/filter-bar.tsx';

interface Props {
  search: string;
  /** Organizations to choose from, and `owner/name` of repositories. */
  owners: readonly string[];
  repositories: readonly string[];
}

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
        { kind: 'links', name: 'range', label: 'Range', value: query.get('range') || '30', options: ranges },
        { kind: 'select', name: 'compare', label: 'Compare', value: query.get('compare'), options: comparisons },
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
