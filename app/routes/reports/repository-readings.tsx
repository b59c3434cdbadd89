import type { ReactNode } from 'react';
import type { PagePath } from '../../../server/http/page-access.ts';
import { Link } from '../../charts/link.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { ReadingState, type ReadingsProps, type Row } from './reading-state.tsx';

/** Data coverage of one repository by kind of data, what is missing and where it comes from. */
export function RepositoryReadings({ data, isTracked, csvHref }: ReadingsProps) {
  const { base } = usePageContext();
  return (
    <DataTable<Row>
      caption="Data coverage"
      captionHidden
      noun="data types"
      csvHref={csvHref}
      rows={data.readings}
      rowKey={({ resource }) => resource}
      columns={[
        {
          key: 'what',
          label: 'Data',
          heading: true,
          cell: ({ title, about }) => (
            <>
              {title}
              <span className="sub muted">{about}</span>
            </>
          ),
        },
        {
          key: 'state',
          label: 'Status',
          cell: (row) => (
            <>
              <ReadingState row={row} />
              {row.last_error ? <span className="sub muted">Last sync failed: {row.last_error}.</span> : null}
            </>
          ),
        },
        { key: 'from', label: 'From', cell: ({ from }) => <Moment at={from} as="date" /> },
        { key: 'through', label: 'Through', cell: ({ through }) => <Moment at={through} /> },
        { key: 'last', label: 'Last synced', cell: ({ last_read_at: at }) => <Moment at={at} /> },
        // Nothing brings data into the demo.
        ...(base === '' ? [sourceColumn(isTracked)] : []),
      ]}
    />
  );
}

const sourceColumn = (isTracked: boolean): Column<Row> => ({
  key: 'ways',
  label: 'Source',
  cell: (row) => <Ways row={row} isTracked={isTracked} />,
});

/** The page that reads a kind when it is opened. */
const readers: Partial<Record<Row['resource'], [page: PagePath, tail: string, label: string]>> = {
  pull_requests: ['repos/:owner/:repo', '', 'the repository page'],
  branch_commits: ['repos/:owner/:repo/team', '/team', 'the team page'],
  issues: ['repos/:owner/:repo/issues', '/issues', 'the issues page'],
  deployments: ['repos/:owner/:repo/deployments', '/deployments', 'the deployments page'],
  releases: ['repos/:owner/:repo', '', 'the repository page'],
  workflow_jobs: ['repos/:owner/:repo', '', 'a workflow page'],
};

function Ways({ row: { repo, resource, filled_by: ways }, isTracked }: { row: Row; isTracked: boolean }) {
  const { pages } = usePageContext();
  const [page, tail, label] = readers[resource] ?? ['', '', 'a page'];
  const isOpen = pages.includes(page) && (isTracked || resource !== 'issues');
  const means: Record<Row['filled_by'][number], ReactNode> = {
    sync_now: <Link href="#sync">Sync now</Link>,
    nightly: 'nightly',
    page: <>when {isOpen ? <Link href={`/repos/${repo}${tail}`}>{label}</Link> : label} is viewed</>,
    webhook: 'webhook',
  };
  if (ways.length === 0)
    return 'None. The nightly sync needs CODEHOST_TOKEN and a repository that has been synced once.';
  return ways.map((way, index) => (
    <span key={way}>
      {index > 0 ? ', ' : ''}
      {means[way]}
    </span>
  ));
}
