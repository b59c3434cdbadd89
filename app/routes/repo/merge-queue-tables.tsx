import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { entriesHref, etaReasonLabels, type MergeQueue, type QueueEntry, stateLabels } from './merge-queue-labels.ts';
import type { RepositoryPath } from './panels.ts';

interface Props {
  data: MergeQueue;
}

/** What is in the queue now, in its order. */
export function QueueEntries({ data, repository }: Props & { repository: RepositoryPath }) {
  const { base, hostName } = usePageContext();
  const { now, branch, entries } = data;
  if (!now) return <Empty cause="The queue could not be read just now. The figures below are of what is stored." />;
  if (data.config === null && data.url === null)
    return (
      <Empty cause={`${branch ?? 'The branch'} has no merge queue now. The figures below are of when it had one.`} />
    );
  const csv = new URLSearchParams({ ...repository, ...(branch && { branch }), format: 'csv' });
  return (
    <>
      <p className="prose">
        {now.length === 0 ? 'Nothing waits' : `${count(now.length, 'pull request waits', 'pull requests wait')}`} for
        the merge into {branch}
        {now.oldest_minutes === null ? '' : `, the longest for ${quantity(now.oldest_minutes, 'minutes')}`}. Positions
        as of <Moment at={now.as_of} as="time" />
        {data.url ? (
          <>
            ; <Link href={data.url}>the queue on {hostName}</Link>
          </>
        ) : null}
        .
      </p>
      {now.paused_hint ? (
        <Notice tone="partial">
          Nothing has left the queue for longer than at any time of 28 days: it may be paused, or its checks stalled.
        </Notice>
      ) : null}
      {entries.length > 0 ? (
        <QueueTable rows={entries} total={now.length} csvHref={`${base}/api/codehost/merge-queue?${csv}`} />
      ) : null}
      {entries.length > 0 ? <Estimates data={data} /> : null}
    </>
  );
}

interface QueueTableProps {
  rows: readonly QueueEntry[];
  total: number | null;
  csvHref?: string;
}

/** Pull requests in the queue, in its order. */
export function QueueTable({ rows, total, csvHref }: QueueTableProps) {
  const { hostName } = usePageContext();
  return (
    <DataTable
      caption="Pull requests in the queue, in its order"
      captionHidden
      columns={entryColumns(hostName)}
      rows={rows}
      rowKey={({ number }) => number}
      total={total}
      noun="pull requests"
      csvHref={csvHref}
    />
  );
}

/** Of fewer a share says little. */
const fewestJudged = 20;

/** How often the times above were right. */
function Estimates({ data: { estimates } }: Props) {
  const { judged, covered_pct: covered } = estimates;
  if (covered === null) return null;
  if (judged < fewestJudged)
    return <p className="source">Too few estimates were judged to tell how often they are right.</p>;
  const isOff = judged >= 200 && (covered < 75 || covered > 85);
  return (
    <p className="source">
      Of the last {figures(judged)} estimates on entry {figures(covered)} % were right (80 % intended).
      {isOff ? ' Take the expected times with caution.' : ''}
    </p>
  );
}

const entryColumns = (hostName: string): readonly Column<QueueEntry>[] => [
  { key: 'position', label: 'Position', numeric: true, cell: ({ position }) => figures(position) },
  {
    key: 'title',
    label: 'Pull request',
    heading: true,
    cell: ({ number, title, html_url: href }) => (
      <>
        {href && href !== '#' ? <Link href={href}>{`#${number}`}</Link> : `#${number}`} {title}
      </>
    ),
  },
  { key: 'state', label: 'State', cell: ({ state }) => stateLabels[state] },
  { key: 'minutes', label: 'Waiting', numeric: true, value: ({ minutes }) => minutes, unit: 'minutes' },
  {
    key: 'checks',
    label: 'Checks',
    cell: ({ checks: { run, failed_so_far: failed } }) =>
      run === null ? null : (
        <>
          {run.html_url && run.html_url !== '#' ? <Link href={run.html_url}>{run.workflow}</Link> : run.workflow}
          {failed > 0 ? <span className="sub muted">{count(failed, 'failed run')}</span> : null}
        </>
      ),
  },
  {
    key: 'eta',
    label: 'Expected',
    explain: 'Four in five entries that merge do so in this time',
    cell: ({ eta, eta_reason: reason }) =>
      eta ? (
        <>
          <Moment at={eta.low} as="time" />–<Moment at={eta.high} as="time" />
          <span className="sub muted">{`${figures(eta.chance_pct)} % likely to merge`}</span>
        </>
      ) : (
        <span className="muted">{reason ? etaReasonLabels[reason] : '–'}</span>
      ),
  },
  {
    key: 'platform',
    label: `${hostName} expects`,
    explain: `${hostName}’s own estimate: a point without a band`,
    cell: ({ platform_eta: at }) => <Moment at={at} as="time" />,
  },
];

/** As answers name a check. */
const nameCheck = ({ workflow, job }: { workflow: string; job: string | null }) =>
  job === null ? workflow : `${workflow} / ${job}`;

/** Which checks the queue waits for. */
export const DecidingChecks = ({ data: { slowest_checks: rows } }: Props) => (
  <DataTable
    caption="Checks that decide the pace: how often each ended last"
    columns={[
      { key: 'check', label: 'Check', heading: true, value: (check) => nameCheck(check) },
      {
        key: 'last',
        label: 'Ended last',
        numeric: true,
        value: ({ last_to_finish_pct: share }) => share,
        unit: 'percent',
      },
      { key: 'p50', label: 'Median', numeric: true, value: ({ minutes_p50: value }) => value, unit: 'minutes' },
      { key: 'p90', label: 'p90', numeric: true, value: ({ minutes_p90: value }) => value, unit: 'minutes' },
    ]}
    rows={rows}
    rowKey={(check) => nameCheck(check)}
    noun="checks"
    empty={{ cause: 'No finished builds of merge groups are stored.' }}
  />
);

/** Which checks ejected pull requests, and how many of these passed later without a change. */
export function EjectingChecks({ data, repository }: Props & { repository: RepositoryPath }) {
  const { base } = usePageContext();
  return (
    <DataTable
      caption="Checks that ejected pull requests"
      columns={[
        { key: 'check', label: 'Check', heading: true, value: (check) => nameCheck(check) },
        {
          key: 'ejections',
          label: 'Ejections',
          numeric: true,
          cell: ({ ejections, ...check }) => (
            <Link href={entriesHref(base, repository, data, { check: nameCheck(check) })}>{figures(ejections)}</Link>
          ),
        },
        {
          key: 'passed',
          label: 'Then merged unchanged',
          numeric: true,
          value: ({ then_passed: passed }) => passed,
          unit: 'count',
        },
      ]}
      rows={data.top_failing_checks}
      rowKey={(check) => nameCheck(check)}
      noun="checks"
      empty={{ cause: 'No ejections by checks with stored runs.' }}
    />
  );
}
