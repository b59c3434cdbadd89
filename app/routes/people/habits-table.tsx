import { useLocation } from 'react-router';
import { figures } from '../../charts/quantity.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement, Unknown } from '../../components/measurement.tsx';
import { useChrome } from '../chrome.ts';
import { leastSample, ShareOf } from '../repo/team/share-of.tsx';
import { type SortValues, sortSection } from '../repo/team/sort-by.ts';
import type { Habits, HabitsPerson } from './habits.tsx';
import { type ProfileOf, useProfileOf } from './person-href.ts';

/** Everybody with their sizes, by name unless asked otherwise. */
export function HabitsTable({ of, isOwnView }: { of: Habits; isOwnView: boolean }) {
  const { base } = useChrome();
  const { search } = useLocation();
  const profileOf = useProfileOf(of.owner);
  const { rows, key, sorting } = sortSection(of.people, values, 'person', { search, section: 'people' });
  const few = rows.filter(isSmall).length;
  return (
    <div id="people">
      <DataTable
        caption={isOwnView ? 'Your commits and pull requests' : `People, by ${words[key]}`}
        columns={columns(profileOf, of.coverage.prsSynced < of.coverage.prsMerged)}
        rows={rows}
        rowKey={({ login, unlinkedName }) => `${login} ${unlinkedName}`}
        noun="people"
        sorting={isOwnView ? undefined : sorting}
        totals={of.totals && rows.length > 1 ? totalsOf(of.totals) : undefined}
        csvHref={base ? undefined : csvHref(of, search)}
      />
      {few > 0 ? (
        <p className="source">
          {`Grey rows have fewer than ${leastSample} commits of known size: too few for a share, and their middle values say little.`}
        </p>
      ) : null}
    </div>
  );
}

/** Of so few, one more or less turns everything around. */
export const isSmall = ({ commitsMeasured }: HabitsPerson): boolean => commitsMeasured < leastSample;

type Key = 'person' | 'merged' | 'commits' | 'files' | 'lines' | 'oversized' | 'prCommits' | 'prLines' | 'prs';

const values: SortValues<HabitsPerson, Key> = {
  person: ({ login }) => login.toLowerCase(),
  merged: ({ prsMerged }) => prsMerged,
  commits: ({ commits }) => commits,
  files: ({ medianFilesPerCommit }) => medianFilesPerCommit,
  lines: ({ medianLinesPerCommit }) => medianLinesPerCommit,
  oversized: (row) => (isSmall(row) ? null : row.oversizedCommitPct),
  prCommits: ({ medianCommitsPerPr }) => medianCommitsPerPr,
  prLines: ({ medianLinesPerPr }) => medianLinesPerPr,
  prs: (row) => (row.prsMeasured < leastSample ? null : row.oversizedPrPct),
};

const words: Record<Key, string> = {
  person: 'name',
  merged: 'merged pull requests',
  commits: 'commits',
  files: 'files in a commit',
  lines: 'lines in a commit',
  oversized: 'share of oversized commits',
  prCommits: 'commits in a pull request',
  prLines: 'lines in a pull request',
  prs: 'share of oversized pull requests',
};

/** The middle one of a person's values; grey where few stand behind it. */
function Middle({ value, row }: { value: number | null; row: HabitsPerson }) {
  const reading = <Measurement of={{ value, unit: 'count', reason: 'nothing to measure' }} />;
  return isSmall(row) ? <span className="muted">{reading}</span> : reading;
}

const number = (key: Key, label: string, explain?: string) =>
  ({ key, label, numeric: true, sort: 'desc', ...(explain && { explain }) }) as const;

const columns = (profileOf: ProfileOf, isPartlyRead: boolean): readonly Column<HabitsPerson>[] => [
  {
    ...{ key: 'person', label: 'Person', heading: true, sort: 'asc' },
    cell: (row) => <Name of={row} href={row.unlinkedName ? undefined : profileOf(row.login)} />,
  },
  { ...number('merged', 'Merged'), cell: ({ prsMerged }) => figures(prsMerged) },
  {
    ...number('commits', 'Commits', 'Without merges, in merged pull requests of anybody.'),
    cell: ({ commits, prsMerged }) =>
      commits === 0 && prsMerged > 0 && isPartlyRead ? <Unknown reason="not read yet" /> : figures(commits),
  },
  {
    ...number('files', 'Files in a commit', 'The middle one of all their commits.'),
    cell: (row) => <Middle value={row.medianFilesPerCommit} row={row} />,
  },
  {
    ...number('lines', 'Lines in a commit', 'Added and removed together, the middle one of all their commits.'),
    cell: (row) => <Middle value={row.medianLinesPerCommit} row={row} />,
  },
  {
    ...number('oversized', 'Oversized commits', 'Of the commits whose size is known; in brackets how many.'),
    cell: ({ oversizedCommitPct: value, commitsMeasured }) => (
      <ShareOf value={value} sample={commitsMeasured} reason="of no commit the size is known" />
    ),
  },
  {
    ...number(
      'prCommits',
      'Commits in a pull request',
      'The middle one of their pull requests whose commits are all known.',
    ),
    cell: (row) => <Middle value={row.medianCommitsPerPr} row={row} />,
  },
  {
    ...number(
      'prLines',
      'Lines in a pull request',
      'Added and removed together, the middle one of their pull requests.',
    ),
    cell: (row) => <Middle value={row.medianLinesPerPr} row={row} />,
  },
  {
    ...number('prs', 'Oversized pull requests', 'Of those whose commits are all known; in brackets how many.'),
    cell: ({ oversizedPrPct: value, prsMeasured }) => (
      <ShareOf value={value} sample={prsMeasured} reason="of no pull request all commits are known" />
    ),
  },
];

const Name = ({ of, href }: { of: HabitsPerson; href: string | undefined }) => (
  <>
    {href ? <a href={href}>{of.login}</a> : <span className={isSmall(of) ? 'muted' : undefined}>{of.login}</span>}
    {of.linkedLogins.length > 0 ? <span className="muted"> also {of.linkedLogins.join(', ')}</span> : null}
    {of.unlinkedName ? <span className="sub muted">a name in commits, no account</span> : null}
  </>
);

/** Middle values of all people together are not told: they would be those of the busiest. */
const totalsOf = (totals: NonNullable<Habits['totals']>) => {
  const share = (value: number | null) => (
    <Measurement of={{ value, unit: 'percent', reason: 'nothing is measured' }} />
  );
  const { prsMerged, commits, oversizedCommitPct, oversizedPrPct } = totals;
  return [
    'Together',
    figures(prsMerged),
    figures(commits),
    '',
    '',
    share(oversizedCommitPct),
    '',
    '',
    share(oversizedPrPct),
  ];
};

function csvHref({ owner, repo, days }: Habits, search: string): string {
  const login = new URLSearchParams(search).get('login');
  const asked = { owner, ...(repo !== null && { repo }), ...(login && { login }), days: String(days), format: 'csv' };
  return `/api/db/working-habits?${new URLSearchParams(asked)}`;
}
