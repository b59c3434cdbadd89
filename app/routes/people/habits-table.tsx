import { useLocation } from 'react-router';
import { figures, refineRate } from '../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement, Unknown } from '../../components/measurement.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { orderSection } from '../../components/row-order.ts';
import { byName } from '../repo/team/name-column.tsx';
import { minSample, ShareCell } from '../repo/team/share-cell.tsx';
import type { Habits, HabitsPerson, HabitsViewProps } from './habits.tsx';
import { type GetProfileHref, useProfileHref } from './person-href.ts';

/** Everybody with their sizes, by name unless sorted otherwise. */
export function HabitsTable({ data, isOwnView, login }: HabitsViewProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const getProfileHref = useProfileHref(data.owner);
  const shown = columns(getProfileHref, data.coverage.prsSynced < data.coverage.prsMerged);
  const { rows, sortLabel, sorting } = orderSection(data.people, shown, byName, { search, section: 'people' });
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
        csvHref={csvHref(base, data, login)}
      />
      {few > 0 ? (
        <p className="source">{`Grey rows: fewer than ${minSample} measured commits, too few for shares.`}</p>
      ) : null}
    </div>
  );
}

/** Of so few, one more or less turns everything around. */
export const isSmall = ({ commitsMeasured }: HabitsPerson): boolean => commitsMeasured < minSample;

/** The median of a person's values; grey where the sample is small. */
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
    explain: 'Commits in merged pull requests, each once, excluding merges.',
    value: ({ commits }) => commits,
    cell: ({ commits, prsMerged }) =>
      commits === 0 && prsMerged > 0 && isPartlyRead ? <Unknown reason="not synced yet" /> : figures(commits),
  },
  {
    key: 'files',
    label: 'Files per commit',
    numeric: true,
    sort: 'desc',
    sortLabel: 'files per commit',
    explain: 'Median of all their commits.',
    value: ({ medianFilesPerCommit }) => medianFilesPerCommit,
    cell: (row) => <Middle value={row.medianFilesPerCommit} row={row} />,
  },
  {
    key: 'lines',
    label: 'Lines per commit',
    numeric: true,
    sort: 'desc',
    sortLabel: 'lines per commit',
    explain: 'Added and removed lines, median of all their commits.',
    value: ({ medianLinesPerCommit }) => medianLinesPerCommit,
    cell: (row) => <Middle value={row.medianLinesPerCommit} row={row} />,
  },
  {
    key: 'oversized',
    label: 'Oversized commits',
    numeric: true,
    sort: 'desc',
    sortLabel: 'share of oversized commits',
    explain: 'Share of commits with known size; count in brackets.',
    value: (row) => (isSmall(row) ? null : row.oversizedCommitPct),
    cell: ({ oversizedCommitPct: value, oversizedCommits, commitsMeasured }) => (
      <ShareCell
        value={refineRate(value, oversizedCommits, commitsMeasured)}
        sample={commitsMeasured}
        reason="no commits with known size"
      />
    ),
  },
  {
    key: 'prCommits',
    label: 'Commits per pull request',
    numeric: true,
    sort: 'desc',
    sortLabel: 'commits per pull request',
    explain: 'Median of their pull requests with all commits synced.',
    value: ({ medianCommitsPerPr }) => medianCommitsPerPr,
    cell: (row) => <Middle value={row.medianCommitsPerPr} row={row} />,
  },
  {
    key: 'prLines',
    label: 'Lines per pull request',
    numeric: true,
    sort: 'desc',
    sortLabel: 'lines per pull request',
    explain: 'Added and removed lines, median of their pull requests.',
    value: ({ medianLinesPerPr }) => medianLinesPerPr,
    cell: (row) => <Middle value={row.medianLinesPerPr} row={row} />,
  },
  {
    key: 'prs',
    label: 'Oversized pull requests',
    numeric: true,
    sort: 'desc',
    sortLabel: 'share of oversized pull requests',
    explain: 'Share of pull requests with all commits synced; count in brackets.',
    value: (row) => (row.prsMeasured < minSample ? null : row.oversizedPrPct),
    cell: ({ oversizedPrPct: value, oversizedPrs, prsMeasured }) => (
      <ShareCell
        value={refineRate(value, oversizedPrs, prsMeasured)}
        sample={prsMeasured}
        reason="no pull requests with all commits synced"
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
    {person.unlinkedName ? <span className="sub muted">commit author without account</span> : null}
  </>
);

/** Medians of all people together are not shown: they would be those of the busiest. */
const formatTotals = (totals: NonNullable<Habits['totals']>) => {
  const share = (value: number | null) => <Measurement value={{ value, unit: 'percent', reason: 'no data' }} />;
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

function csvHref(base: string, { owner, repo, days }: Habits, login: string | null): string {
  const pageRequest = {
    owner,
    ...(repo !== null && { repo }),
    ...(login && { login }),
    days: String(days),
    format: 'csv',
  };
  return `${base}/api/db/working-habits?${new URLSearchParams(pageRequest)}`;
}
