import { useLocation } from 'react-router';
import { figures, refineRate } from '../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement, Unknown } from '../../components/measurement.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { orderSection } from '../../components/row-order.ts';
import { minSample, ShareCell } from '../repo/team/share-cell.tsx';
import type { Habits, HabitsPerson } from './habits.tsx';
import { type GetProfileHref, useProfileHref } from './person-href.ts';

/** Everybody with their sizes, by name unless sorted otherwise. */
export function HabitsTable({ data, isOwnView }: { data: Habits; isOwnView: boolean }) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const getProfileHref = useProfileHref(data.owner);
  const shown = columns(getProfileHref, data.coverage.prsSynced < data.coverage.prsMerged);
  const { rows, sortLabel, sorting } = orderSection(data.people, shown, 'person', { search, section: 'people' });
  const few = rows.filter(isSmall).length;
  return (
    <div id="people">
      <DataTable
        caption={isOwnView ? 'Your commits and pull requests' : `People, by ${sortLabel}`}
        columns={shown}
        rows={rows}
        rowKey={({ login, unlinkedName }) => `${login} ${unlinkedName}`}
        noun="people"
        sorting={isOwnView ? undefined : sorting}
        totals={data.totals && rows.length > 1 ? formatTotals(data.totals) : undefined}
        csvHref={base ? undefined : csvHref(data, search)}
      />
      {few > 0 ? (
        <p className="source">
          {`Grey rows have fewer than ${minSample} commits of known size: too few for a share, and their middle values say little.`}
        </p>
      ) : null}
    </div>
  );
}

/** Of so few, one more or less turns everything around. */
export const isSmall = ({ commitsMeasured }: HabitsPerson): boolean => commitsMeasured < minSample;

/** The middle one of a person's values; grey where few stand behind it. */
function Middle({ value, row }: { value: number | null; row: HabitsPerson }) {
  const reading = <Measurement value={{ value, unit: 'count', reason: 'nothing to measure' }} />;
  return isSmall(row) ? <span className="muted">{reading}</span> : reading;
}

const columns = (getProfileHref: GetProfileHref, isPartlyRead: boolean): readonly Column<HabitsPerson>[] => [
  {
    key: 'person',
    label: 'Person',
    heading: true,
    sort: 'asc',
    sortLabel: 'name',
    value: ({ login }) => login.toLowerCase(),
    cell: (row) => <Name person={row} href={row.unlinkedName ? undefined : getProfileHref(row.login)} />,
  },
  {
    key: 'merged',
    label: 'Merged',
    numeric: true,
    sort: 'desc',
    sortLabel: 'merged pull requests',
    value: ({ prsMerged }) => prsMerged,
  },
  {
    key: 'commits',
    label: 'Commits',
    numeric: true,
    sort: 'desc',
    sortLabel: 'commits',
    explain: 'Without merges, in merged pull requests of anybody.',
    value: ({ commits }) => commits,
    cell: ({ commits, prsMerged }) =>
      commits === 0 && prsMerged > 0 && isPartlyRead ? <Unknown reason="not read yet" /> : figures(commits),
  },
  {
    key: 'files',
    label: 'Files in a commit',
    numeric: true,
    sort: 'desc',
    sortLabel: 'files in a commit',
    explain: 'The middle one of all their commits.',
    value: ({ medianFilesPerCommit }) => medianFilesPerCommit,
    cell: (row) => <Middle value={row.medianFilesPerCommit} row={row} />,
  },
  {
    key: 'lines',
    label: 'Lines in a commit',
    numeric: true,
    sort: 'desc',
    sortLabel: 'lines in a commit',
    explain: 'Added and removed together, median of all their commits.',
    value: ({ medianLinesPerCommit }) => medianLinesPerCommit,
    cell: (row) => <Middle value={row.medianLinesPerCommit} row={row} />,
  },
  {
    key: 'oversized',
    label: 'Oversized commits',
    numeric: true,
    sort: 'desc',
    sortLabel: 'share of oversized commits',
    explain: 'Of the commits whose size is known; in brackets how many.',
    value: (row) => (isSmall(row) ? null : row.oversizedCommitPct),
    cell: ({ oversizedCommitPct: value, oversizedCommits, commitsMeasured }) => (
      <ShareCell
        value={refineRate(value, oversizedCommits, commitsMeasured)}
        sample={commitsMeasured}
        reason="of no commit the size is known"
      />
    ),
  },
  {
    key: 'prCommits',
    label: 'Commits in a pull request',
    numeric: true,
    sort: 'desc',
    sortLabel: 'commits in a pull request',
    explain: 'The middle one of their pull requests whose commits are all known.',
    value: ({ medianCommitsPerPr }) => medianCommitsPerPr,
    cell: (row) => <Middle value={row.medianCommitsPerPr} row={row} />,
  },
  {
    key: 'prLines',
    label: 'Lines in a pull request',
    numeric: true,
    sort: 'desc',
    sortLabel: 'lines in a pull request',
    explain: 'Added and removed together, median of their pull requests.',
    value: ({ medianLinesPerPr }) => medianLinesPerPr,
    cell: (row) => <Middle value={row.medianLinesPerPr} row={row} />,
  },
  {
    key: 'prs',
    label: 'Oversized pull requests',
    numeric: true,
    sort: 'desc',
    sortLabel: 'share of oversized pull requests',
    explain: 'Of those whose commits are all known; in brackets how many.',
    value: (row) => (row.prsMeasured < minSample ? null : row.oversizedPrPct),
    cell: ({ oversizedPrPct: value, oversizedPrs, prsMeasured }) => (
      <ShareCell
        value={refineRate(value, oversizedPrs, prsMeasured)}
        sample={prsMeasured}
        reason="of no pull request all commits are known"
      />
    ),
  },
];

const Name = ({ person, href }: { person: HabitsPerson; href: string | undefined }) => (
  <>
    {href ? (
      <a href={href}>{person.login}</a>
    ) : (
      <span className={isSmall(person) ? 'muted' : undefined}>{person.login}</span>
    )}
    {person.linkedLogins.length > 0 ? <span className="muted"> also {person.linkedLogins.join(', ')}</span> : null}
    {person.unlinkedName ? <span className="sub muted">a name in commits, no account</span> : null}
  </>
);

/** Medians of all people together are not shown: they would be those of the busiest. */
const formatTotals = (totals: NonNullable<Habits['totals']>) => {
  const share = (value: number | null) => (
    <Measurement value={{ value, unit: 'percent', reason: 'nothing is measured' }} />
  );
  const { prsMerged, commits, oversizedCommitPct, oversizedCommits, commitsMeasured } = totals;
  const { oversizedPrPct, oversizedPrs, prsMeasured } = totals;
  return [
    'Together',
    figures(prsMerged),
    figures(commits),
    '',
    '',
    share(refineRate(oversizedCommitPct, oversizedCommits, commitsMeasured)),
    '',
    '',
    share(refineRate(oversizedPrPct, oversizedPrs, prsMeasured)),
  ];
};

function csvHref({ owner, repo, days }: Habits, search: string): string {
  const login = new URLSearchParams(search).get('login');
  const pageRequest = {
    owner,
    ...(repo !== null && { repo }),
    ...(login && { login }),
    days: String(days),
    format: 'csv',
  };
  return `/api/db/working-habits?${new URLSearchParams(pageRequest)}`;
}
