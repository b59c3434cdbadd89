import { useLocation } from 'react-router';
import { count } from '../../../charts/quantity.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Measurement, Unknown } from '../../../components/measurement.tsx';
import type { ProfileOf } from '../../people/person-href.ts';
import { nameColumn } from './name-column.tsx';
import type { TeamFigures } from './operations.ts';
import type { TeamScope } from './scope.ts';
import { leastSample, ShareOf } from './share-of.tsx';
import { type SortValues, sortBy, sortSection } from './sort-by.ts';

type Person = TeamFigures['contributors'][number];

interface Props {
  of: TeamFigures;
  base: string;
  scope: TeamScope;
  profileOf: ProfileOf;
}

/** Who merged or reviewed, by name unless asked otherwise; bots in a table of their own. */
export function PeopleTables({ of, base, scope, profileOf }: Props) {
  const { search } = useLocation();
  const people = of.contributors.filter(({ is_bot }) => !is_bot);
  const bots = of.contributors.filter(({ is_bot }) => is_bot);
  const { rows, key, sorting } = sortSection(people, values, 'person', { search, section: 'people' });
  const told = (column: Column<Person>) => column.key !== 'opened' || scope.repo !== null;
  const deleted = of.prs_merged_total - of.contributors.reduce((sum, { prs_merged }) => sum + prs_merged, 0);
  return (
    <>
      <DataTable
        caption={`People who merged or reviewed, by ${words[key]}`}
        columns={columns(profileOf).filter(told)}
        rows={rows}
        rowKey={({ login }) => login}
        noun="people"
        sorting={sorting}
        csvHref={base ? undefined : csvHref(scope, of.window_days)}
        empty={{ cause: 'Only bots merged in this window.' }}
      />
      {deleted > 0 ? (
        <p className="source">
          Beside them {count(deleted, 'pull request')} of deleted accounts {deleted === 1 ? 'was' : 'were'} merged.
        </p>
      ) : null}
      {bots.length > 0 ? (
        <DataTable
          caption="Bots"
          columns={columns(null).filter((column) => ofBots.has(column.key) && told(column))}
          rows={sortBy(bots, values, 'person', null).rows}
          rowKey={({ login }) => login}
          noun="bots"
        />
      ) : null}
    </>
  );
}

function csvHref({ owner, repo }: TeamScope, days: number | null): string {
  const query = new URLSearchParams(repo === null ? { org: owner } : { owner, repo });
  query.set('format', 'csv');
  if (days !== null) query.set('days', String(days));
  return `/api/codehost/${repo === null ? 'org' : 'repo'}-contributors?${query}`;
}

type Key = 'person' | 'merged' | 'opened' | 'time' | 'size' | 'reviews' | 'turnaround' | 'first' | 'self';

const values: SortValues<Person, Key> = {
  person: ({ login }) => login.toLowerCase(),
  merged: ({ prs_merged }) => prs_merged,
  opened: ({ prs_opened }) => prs_opened,
  time: ({ median_hours_to_merge }) => median_hours_to_merge,
  size: ({ avg_pr_size }) => avg_pr_size,
  reviews: ({ reviews_given }) => reviews_given,
  turnaround: ({ avg_review_turnaround_hours }) => avg_review_turnaround_hours,
  first: ({ first_pass_approval_rate, reviewed_prs }) =>
    (reviewed_prs ?? 0) < leastSample ? null : first_pass_approval_rate,
  self: ({ self_merge_count }) => self_merge_count,
};

const words: Record<Key, string> = {
  person: 'name',
  merged: 'merged pull requests',
  opened: 'opened pull requests',
  time: 'time to merge',
  size: 'size',
  reviews: 'reviews given',
  turnaround: 'wait before their review',
  first: 'approval at first review',
  self: 'own merges',
};

const ofBots: ReadonlySet<string> = new Set(['person', 'merged', 'opened', 'time', 'size']);
const noneMerged = 'nothing of theirs was merged';

function columns(hrefOf: ProfileOf | null): readonly Column<Person>[] {
  return [
    nameColumn(hrefOf),
    { ...{ key: 'merged', label: 'Merged', numeric: true, sort: 'desc' }, cell: ({ prs_merged }) => prs_merged },
    {
      ...{ key: 'opened', label: 'Opened', numeric: true, sort: 'desc' },
      cell: ({ prs_opened }) => prs_opened ?? <Unknown reason="Those still open could not be read." />,
    },
    {
      ...{ key: 'time', label: 'Time to merge', numeric: true, sort: 'desc' },
      explain: 'Creation to merge of their merged pull requests, the middle one.',
      cell: ({ median_hours_to_merge: value }) => <Measurement of={{ value, unit: 'hours', reason: noneMerged }} />,
    },
    {
      ...{ key: 'size', label: 'Lines changed', numeric: true, sort: 'desc' },
      explain: 'Lines added and removed in their merged pull requests, on average.',
      cell: ({ avg_pr_size: value }) => <Measurement of={{ value, unit: 'count', reason: noneMerged }} />,
    },
    {
      ...{ key: 'reviews', label: 'Reviews given', numeric: true, sort: 'desc' },
      explain: 'Pull requests of others that this person reviewed.',
      cell: ({ reviews_given }) => reviews_given ?? <Unknown reason="Some of the reviews could not be read." />,
    },
    {
      ...{ key: 'turnaround', label: 'Wait before review', numeric: true, sort: 'desc' },
      explain: 'From when the review could begin to this person’s first review, on average.',
      cell: ({ avg_review_turnaround_hours: value }) => (
        <Measurement of={{ value, unit: 'hours', reason: 'reviewed nothing' }} />
      ),
    },
    {
      ...{ key: 'first', label: 'Approved at first review', numeric: true, sort: 'desc' },
      explain: 'Of their merged pull requests that a person reviewed before the merge; in brackets how many.',
      cell: ({ first_pass_approval_rate: value, reviewed_prs: sample }) => (
        <ShareOf value={value} sample={sample} reason="no merged pull request was reviewed" />
      ),
    },
    {
      ...{ key: 'self', label: 'Merged themselves', numeric: true, sort: 'desc' },
      explain: 'Of their merged pull requests, how many they merged themselves.',
      cell: ({ self_merge_count }) => self_merge_count,
    },
  ];
}
