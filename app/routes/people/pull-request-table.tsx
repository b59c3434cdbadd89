import { figures } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { Badge, type Status } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import type { Profile } from './profile.ts';

interface OwnPullRequestsProps {
  data: Profile;
  /** The day instead of how long ago, for a page to print. */
  asDates?: boolean;
  /** All that the answer has when not given. */
  limit?: number;
  csvHref?: string;
}

/** The newest pull requests that the person opened. */
export function OwnPullRequests({ data, asDates = false, limit, csvHref }: OwnPullRequestsProps) {
  return (
    <DataTable
      caption="Newest pull requests of this person"
      captionHidden
      rows={data.recent_prs.slice(0, limit)}
      rowKey={({ repo_full_name: repo, number }) => `${repo}#${number}`}
      total={data.prs_opened}
      noun="pull requests opened in 90 days"
      csvHref={csvHref}
      empty={{ cause: 'No pull requests opened in 90 days.' }}
      columns={[
        { key: 'title', label: 'Pull request', cell: (row) => <TitleCell pullRequest={row} /> },
        { key: 'state', label: 'State', cell: (row) => <State pullRequest={row} /> },
        {
          key: 'lines',
          label: 'Lines',
          numeric: true,
          cell: ({ additions, deletions }) => `+${figures(additions)} −${figures(deletions)}`,
        },
        {
          key: 'opened',
          label: 'Opened',
          cell: ({ created_at: at }) => <Moment at={at} as={asDates ? 'date' : 'ago'} />,
        },
        {
          key: 'hours',
          label: 'Time to merge',
          numeric: true,
          cell: (row) => <Measurement value={{ value: row.hours_to_merge, unit: 'hours', reason: 'Not merged.' }} />,
        },
      ]}
    />
  );
}

type PullRequest = Profile['recent_prs'][number];

interface TitleCellProps {
  pullRequest: Pick<PullRequest, 'title' | 'repo_full_name' | 'number' | 'html_url'>;
}

/** A pull request with its place; the sample organization has none on the platform. */
export const TitleCell = ({ pullRequest: { title, repo_full_name: repo, number, html_url: url } }: TitleCellProps) => (
  <>
    {url === '#' ? title : <Link href={url}>{title}</Link>}{' '}
    <span className="muted">
      {repo}#{number}
    </span>
  </>
);

const states: Record<PullRequest['state'], Status> = { open: 'running', merged: 'pass', closed: 'void' };

const State = ({ pullRequest: { state, draft } }: { pullRequest: PullRequest }) => (
  <Badge status={states[state]}>{draft && state === 'open' ? 'draft' : state}</Badge>
);
