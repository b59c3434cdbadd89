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
  const window = withChoices('', { range: daysOnly(new URLSearchParams(search)) });
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
      cell: ({ prs_merged }) => prs_merged ?? <Unknown reason="Excluded." />,
    },
    { key: 'counted', label: 'Included', cell: (row) => <State repository={row} /> },
    {
      key: 'read',
      label: 'Read',
      explain: 'Later merges are not included.',
      cell: ({ as_of: at }) =>
        at === null ? <Unknown reason="Excluded." /> : <Moment at={at} now={now} zone={zone} />,
    },
  ];
  return (
    <>
      <DataTable
        caption="Synced repositories, by name"
        columns={columns}
        rows={data.repositories}
        rowKey={({ repo }) => repo}
        noun="repositories"
      />
      {base ? null : (
        <p className="source">
          Repositories appear after their first sync. Data older than a day is refreshed.{' '}
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
      {included ? `partial: ${reasonLabels[reason]}` : `excluded: ${reasonLabels[reason]}`}
    </Badge>
  );
}

const reasonLabels: Record<NonNullable<Tracked['reason']>, string> = {
  not_yet_read: 'still loading, reload the page',
  rate_limited: 'API quota is low',
  forbidden: 'no access with your token',
  sub_fetch_failed: 'could not be loaded',
  search_cap: 'too many pull requests',
  page_cap: 'too many pull requests',
  upstream_truncated: 'partial response',
};
