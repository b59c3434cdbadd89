import type { z } from 'zod';
import { count, figures } from '../../../server/domain/quantity.ts';
import type { getRepositoryAttention } from '../../../server/reports/attention/operations.ts';
import { Link } from '../../charts/link.tsx';
import { Badge, type Status } from '../../components/badge.tsx';
import { DataCoverageLink } from '../../components/data-coverage-link.tsx';
import { type Column, DataTable, withoutEmpty } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { HowToRead, summaryColumns } from './summary-columns.tsx';

export type AttentionData = z.output<(typeof getRepositoryAttention)['output']>;
export type AttentionRow = AttentionData['items'][number];

interface Props {
  data: AttentionData;
  base: string;
  csvHref: string;
  /** Whether a filter left repositories out. */
  filtered: boolean;
}

export function RepositoryTable({ data, base, csvHref, filtered }: Props) {
  const isShared = usePageContext().mode === 'organization';
  return (
    <>
      <DataTable
        caption="Repositories, needs attention first"
        captionHidden
        columns={withoutEmpty(columns(data.items, base), data.items)}
        rows={data.items}
        rowKey={(row) => row.repository.id}
        noun="repositories"
        csvHref={csvHref}
        empty={{
          cause: filtered
            ? 'No repositories match these filters.'
            : isShared
              ? 'Your account has no repositories.'
              : 'The token cannot see any repositories. Fine-grained tokens list only granted repositories.',
          next: filtered
            ? { label: 'Clear filters', href: `${base}/repositories` }
            : isShared
              ? undefined
              : { label: 'Use another token', href: '/setup' },
        }}
      />
      {data.items.length > 0 ? <HowToRead /> : null}
      {data.heads_read < data.total ? <ChecksKnown data={data} /> : null}
      {data.items.length > 0 && base === '' ? <SlowingKnown data={data} /> : null}
    </>
  );
}

const ChecksKnown = ({ data: { heads_read: read, total } }: { data: AttentionData }) => (
  <p className="source">
    Checks of the default branch known for {figures(read)} of {count(total, 'repository', 'repositories')}.
  </p>
);

/** Silence about durations says nothing of a repository whose runs are not stored. */
const SlowingKnown = ({ data: { durations_known: known, total } }: { data: AttentionData }) => (
  <p className="source">
    Slowing: passed runs on the default branch have become slower in the last 14 days. Known for {known}
    {' of '}
    {count(total, 'repository', 'repositories')} with recent stored runs. <DataCoverageLink scope={null} />
  </p>
);

const unread = ({ problem }: AttentionRow) => problem?.error ?? 'Not loaded.';

/** A reason that every row has is said above the table. */
const isOneReason = (rows: readonly AttentionRow[]): boolean =>
  rows.length > 1 && new Set(rows.map(({ problem }) => problem?.error)).size === 1;

/** Without a single state there is nothing to say of runs and pull requests. */
function columns(rows: readonly AttentionRow[], base: string): Column<AttentionRow>[] {
  const saysWhy = !isOneReason(rows);
  const runs = summaryColumns<AttentionRow>({ unread });
  const named: Column<AttentionRow>[] = [
    { key: 'name', label: 'Repository', heading: true, cell: (row) => <Name row={row} base={base} /> },
    { key: 'attention', label: 'Attention', cell: (row) => <Level row={row} saysWhy={saysWhy} /> },
  ];
  if (rows.every(({ summary }) => summary === null)) return named;
  return [
    ...named,
    runs.latest,
    runs.health,
    runs.success,
    runs.recent,
    runs.month,
    {
      key: 'open',
      label: 'Open PRs',
      numeric: true,
      isEmpty: ({ summary }) => (summary?.open_prs ?? null) === null,
      cell: ({ summary }) =>
        summary ? <Measurement value={{ value: summary.open_prs, unit: 'count', reason: 'Not loaded.' }} /> : null,
    },
  ];
}

function Name({ row: { repository }, base }: { row: AttentionRow; base: string }) {
  const marks = [repository.private ? 'private' : '', repository.fork ? 'fork' : '', repository.language ?? ''].filter(
    Boolean,
  );
  return (
    <>
      <Link href={`${base}/repos/${repository.full_name}`}>{repository.full_name}</Link>
      <span className="sub brief muted" title={repository.description ?? undefined}>
        {[...marks, repository.description ?? ''].filter(Boolean).join(' · ')}
      </span>
    </>
  );
}

const levels: Record<AttentionRow['attention']['level'], Status> = {
  failing: 'fail',
  slowing: 'warning',
  active: 'pass',
  quiet: 'void',
  archived: 'void',
};

/** Why a repository comes so early, and what of it could not be read. Without its checks it is not called active. */
function Level({ row, saysWhy }: { row: AttentionRow; saysWhy: boolean }) {
  const { level, reason } = row.attention;
  const isUnread = level === 'active' && !row.head_read;
  const saysMore = level !== 'active' && reason.toLowerCase() !== `${level}.`;
  return (
    <>
      <span className="beside">
        {isUnread ? <Badge status="void">not read</Badge> : <Badge status={levels[level]}>{level}</Badge>}{' '}
        {saysMore ? <span className="muted">{reason}</span> : null}
      </span>
      {saysWhy && (row.problem || isUnread) ? <span className="sub muted">{unread(row)}</span> : null}
    </>
  );
}
