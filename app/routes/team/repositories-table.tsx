import { useLocation } from 'react-router';
import { Badge } from '../../components/badge.tsx';
import { withChoices } from '../../components/choices.ts';
import { DataCoverageLink } from '../../components/data-coverage-link.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { daysOnly } from '../repo/team/window.ts';
import type { OrgContributors } from './organization.tsx';

type Tracked = OrgContributors['repositories'][number];

interface Props {
  data: OrgContributors;
  org: string;
  base: string;
  now: number;
  zone: string;
}

/** The repositories that were added up, and those excluded with the reason. */
export function TeamRepositories({ data, org, base, now, zone }: Props) {
  const { search } = useLocation();
  const window = withChoices('', { days: daysOnly(new URLSearchParams(search)) });
  const columns: readonly Column<Tracked>[] = [
    {
      key: 'repo',
      label: 'Repository',
      heading: true,
      cell: ({ repo }) => <a href={`${base}/repos/${org}/${repo}/team${window}`}>{repo}</a>,
    },
    {
      key: 'merged',
      label: `Merged in ${data.window_days} days`,
      numeric: true,
      cell: ({ prs_merged }) => prs_merged ?? <Unknown reason="It is left out." />,
    },
    { key: 'counted', label: 'Added up', cell: (row) => <State repository={row} /> },
    {
      key: 'read',
      label: 'Read',
      explain: 'What was merged later is not in the numbers.',
      cell: ({ as_of: at }) =>
        at === null ? <Unknown reason="It is left out." /> : <Moment at={at} now={now} zone={zone} />,
    },
  ];
  return (
    <>
      <DataTable
        caption="Tracked repositories, by name"
        columns={columns}
        rows={data.repositories}
        rowKey={({ repo }) => repo}
        noun="repositories"
      />
      {base ? null : (
        <p className="source">
          A repository is tracked from its first synchronization on. Those that you cannot see on the platform are not
          in the list. One is read again when what is kept of it is older than a day; its own page reads it sooner.{' '}
          <DataCoverageLink scope={{ owner: org, repo: null }} />
        </p>
      )}
    </>
  );
}

function State({ repository: { included, reason } }: { repository: Tracked }) {
  if (reason === null) return <Badge status="pass">yes</Badge>;
  return (
    <Badge status="warning">
      {included ? `in part: ${reasonLabels[reason]}` : `left out: ${reasonLabels[reason]}`}
    </Badge>
  );
}

const reasonLabels: Record<NonNullable<Tracked['reason']>, string> = {
  not_yet_read: 'waits to be read, load the page again',
  rate_limited: 'the platform quota is low',
  forbidden: 'your token may not read it',
  sub_fetch_failed: 'it could not be read now',
  search_cap: 'it has more pull requests than can be read',
  page_cap: 'it has more pull requests than can be read',
  upstream_truncated: 'the platform gave only a part',
};
