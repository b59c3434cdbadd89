import type { ReactNode } from 'react';
import type { PagePath } from '../../../server/http/page-access.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { ReadingState, type ReadingsProps, type Row } from './reading-state.tsx';

/** What has been read of one repository, kind by kind, what is missing and what would bring it. */
export function RepositoryReadings({ data, isTracked, now, zone, csvHref }: ReadingsProps) {
  return (
    <DataTable<Row>
      caption="What has been read, kind by kind"
      captionHidden
      noun="kinds"
      csvHref={csvHref}
      rows={data.readings}
      rowKey={({ resource }) => resource}
      columns={[
        {
          key: 'what',
          label: 'What',
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
          label: 'Read',
          cell: (row) => (
            <>
              <ReadingState row={row} />
              {row.last_error ? <span className="sub muted">The last reading ended with {row.last_error}.</span> : null}
            </>
          ),
        },
        { key: 'from', label: 'From', cell: ({ from }) => <Moment at={from} zone={zone} as="date" /> },
        { key: 'through', label: 'Through', cell: ({ through }) => <Moment at={through} now={now} zone={zone} /> },
        { key: 'last', label: 'Last read', cell: ({ last_read_at: at }) => <Moment at={at} now={now} zone={zone} /> },
        { key: 'ways', label: 'How it comes', cell: (row) => <Ways row={row} isTracked={isTracked} /> },
      ]}
    />
  );
}

/** The page that reads a kind when it is opened. */
const readers: Partial<Record<Row['resource'], [page: PagePath, tail: string, label: string]>> = {
  pull_requests: ['repos/:owner/:repo', '', 'its overview'],
  branch_commits: ['repos/:owner/:repo/team', '/team', 'its team page'],
  issues: ['repos/:owner/:repo/issues', '/issues', 'its issues'],
  deployments: ['repos/:owner/:repo/deployments', '/deployments', 'its deployments'],
  releases: ['repos/:owner/:repo', '', 'its overview'],
  workflow_jobs: ['repos/:owner/:repo', '', 'the jobs of a workflow'],
};

function Ways({ row: { repo, resource, filled_by: ways }, isTracked }: { row: Row; isTracked: boolean }) {
  const { pages } = usePageContext();
  const [page, tail, label] = readers[resource] ?? ['', '', 'a page'];
  const isOpen = pages.includes(page) && (isTracked || resource !== 'issues');
  const means: Record<Row['filled_by'][number], ReactNode> = {
    sync_now: (
      <>
        by <a href="#sync">Sync now</a>
      </>
    ),
    nightly: 'every night',
    page: <>when somebody opens {isOpen ? <a href={`/repos/${repo}${tail}`}>{label}</a> : label}</>,
    webhook: 'as the platform tells of it',
  };
  if (ways.length === 0)
    return 'Not yet: by nightly work, which needs CODEHOST_TOKEN and a repository that was synchronized once.';
  return ways.map((way, index) => (
    <span key={way}>
      {index > 0 ? ', ' : ''}
      {means[way]}
    </span>
  ));
}
