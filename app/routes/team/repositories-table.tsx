import { useLocation } from 'react-router';
import { hasName } from '../../../server/domain/name-filter.ts';
import { count } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { type BotChoice, requestedBots } from '../../components/bot-choice.ts';
import { withChoices } from '../../components/choices.ts';
import { DataCoverageLink, reportsHref } from '../../components/data-coverage-link.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { useCanSync } from '../../components/page-context.ts';
import { orderSection, type RowOrder } from '../../components/row-order.ts';
import { describeNoRepository, RepositoryFilter, repositoriesSection, requestedName } from '../name-filter.tsx';
import { daysOnly } from '../repo/team/window.ts';
import { exclusionLabels } from '../repository-coverage.ts';
import type { OrgContributors } from './organization.tsx';

type Tracked = OrgContributors['repositories'][number];

const byName: RowOrder = { key: 'repo', direction: 'asc' };

interface Props {
  data: OrgContributors;
  org: string;
  base: string;
}

/** Those that can count at all. */
export const listSynced = ({ repositories }: OrgContributors) =>
  repositories.filter(({ reason }) => reason !== 'not_synced');

/** The synced repositories, with the reason where one is excluded, and the names of the others. */
export function TeamRepositories({ data, org, base }: Props) {
  const { search } = useLocation();
  const window = withChoices('', { range: daysOnly(new URLSearchParams(search)) });
  const columns: readonly Column<Tracked>[] = [
    {
      key: 'repo',
      label: 'Repository',
      heading: true,
      sort: 'asc',
      sortLabel: 'name',
      value: ({ repo }) => repo,
      cell: ({ repo }) => <a href={`${base}/repos/${org}/${repo}/team${window}`}>{repo}</a>,
    },
    {
      key: 'merged',
      label: `Merged in ${data.window_days} days`,
      numeric: true,
      sort: 'desc',
      sortLabel: 'merged pull requests',
      value: ({ prs_merged }) => prs_merged,
      cell: ({ prs_merged }) => prs_merged ?? <Unknown reason="Excluded." />,
    },
    { key: 'counted', label: 'Included', cell: (row) => <State repository={row} /> },
    {
      key: 'read',
      label: 'Read',
      sort: 'asc',
      sortLabel: 'reading',
      explain: 'Later merges are not included.',
      value: ({ as_of: at }) => at,
      cell: ({ as_of: at }) => (at === null ? <Unknown reason="Excluded." /> : <Moment at={at} />),
    },
  ];
  const synced = listSynced(data);
  const found = synced.filter(({ repo }) => hasName([repo], requestedName(search)));
  const ordered = orderSection(found, columns, byName, { search, section: repositoriesSection });
  return (
    <>
      <RepositoryFilter search={search} found={found.length} all={synced.length} />
      <DataTable
        caption={`Synced repositories, by ${ordered.sortLabel}`}
        columns={columns}
        rows={ordered.rows}
        sorting={ordered.sorting}
        rowKey={({ repo }) => repo}
        noun="repositories"
        csvHref={csvHref(base, data, requestedBots(search))}
        empty={synced.length > 0 ? describeNoRepository(search) : undefined}
      />
      <NotSynced data={data} />
      {base ? null : (
        <p className="source">
          Repositories appear after their first sync. Data older than a day is refreshed.{' '}
          <DataCoverageLink scope={{ owner: org, repo: null }} />
        </p>
      )}
    </>
  );
}

function csvHref(base: string, { org, window_days: days }: OrgContributors, bots: BotChoice): string {
  const query = new URLSearchParams({ org, days: String(days), table: 'repositories', format: 'csv' });
  if (bots) query.set('bots', bots);
  return `${base}/api/codehost/org-contributors?${query}`;
}

function State({ repository: { included, reason } }: { repository: Tracked }) {
  if (reason === null) return <Badge status="pass">yes</Badge>;
  return (
    <Badge status="warning">
      {included ? `partial: ${exclusionLabels[reason]}` : `excluded: ${exclusionLabels[reason]}`}
    </Badge>
  );
}

function NotSynced({ data: { org, repositories } }: Pick<Props, 'data'>) {
  const canSync = useCanSync();
  const names = repositories.filter(({ reason }) => reason === 'not_synced').map(({ repo }) => repo);
  if (names.length === 0) return null;
  return (
    <details className="source">
      <summary>{`${count(names.length, 'repository', 'repositories')} not synced`}</summary>
      <p>
        {names.join(', ')}.{' '}
        {canSync ? <a href={`${reportsHref({ owner: org, repo: null })}#sync`}>Sync repositories</a> : null}
      </p>
    </details>
  );
}
