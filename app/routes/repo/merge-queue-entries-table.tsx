import { reasonLabels } from '../../../server/domain/queue-reasons.ts';
import { Link } from '../../charts/link.tsx';
import { type Column, DataTable, withoutEmpty } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { outcomeLabels, type QueueEntriesData, toWholeMinutes } from './merge-queue-labels.ts';

type QueueStay = QueueEntriesData['entries'][number];

interface QueueStaysProps {
  data: QueueEntriesData;
  /** Whether attempts, builds, checks and batches have their columns too. */
  isWide: boolean;
  csvHref: string;
}

/** Entries in the order of the answer. */
export const QueueStays = ({ data: { entries, used }, isWide, csvHref }: QueueStaysProps) => (
  <DataTable
    caption="Entries of the merge queue, those in it first, then the last that left"
    captionHidden
    columns={withoutEmpty(isWide ? [...columns, ...furtherColumns] : columns, entries)}
    rows={entries}
    rowKey={({ number, entered_at: entered, left_at: left }) => `${number} ${entered} ${left}`}
    noun="entries"
    csvHref={csvHref}
    empty={{ cause: used ? 'No entries match.' : 'This branch has no merge queue.' }}
  />
);

const columns: readonly Column<QueueStay>[] = [
  {
    key: 'number',
    label: 'Pull request',
    heading: true,
    cell: ({ number, html_url: href }) =>
      href && href !== '#' ? <Link href={href}>{`#${number}`}</Link> : `#${number}`,
  },
  {
    key: 'outcome',
    label: 'Outcome',
    cell: (row) => (
      <>
        {outcomeLabels[row.outcome]}
        <span className="sub muted">{describeEnd(row)}</span>
      </>
    ),
  },
  { key: 'left', label: 'Left queue', cell: ({ left_at: at }) => <Moment at={at} /> },
  {
    key: 'minutes',
    label: 'In queue',
    numeric: true,
    value: ({ minutes }) => toWholeMinutes(minutes),
    unit: 'minutes',
    reason: 'When it was added is not known.',
  },
];

const furtherColumns: readonly Column<QueueStay>[] = [
  {
    key: 'attempts',
    label: 'Attempt',
    numeric: true,
    explain: 'Entries of the pull request up to this one',
    value: ({ attempts }) => attempts,
  },
  {
    key: 'rounds',
    label: 'Builds',
    numeric: true,
    explain: 'How often its merge group was built',
    value: ({ checks_rounds: rounds }) => rounds,
  },
  {
    key: 'checks',
    label: 'First checks',
    numeric: true,
    explain: 'How long the checks of the first build took',
    value: ({ checks_minutes: minutes }) => minutes,
    unit: 'minutes',
  },
  {
    key: 'batch',
    label: 'Batch',
    explain: 'The same for all that reached the branch in one push',
    value: ({ batch_id: batch }) => batch,
  },
];

/** Why it left, where its outcome does not say it, and what became of it. */
function describeEnd({ outcome, group, reason, failed_checks: failed, ...row }: QueueStay): string {
  if (outcome === 'open' || group === null) return '';
  if (outcome === 'merged') return row.inferred ? 'inferred from the pull request' : '';
  const label = group === 'unknown' && reason !== null ? `${reasonLabels.unknown}: ${reason}` : reasonLabels[group];
  const because = failed.length > 0 ? `${label}: ${failed.join(', ')}` : label;
  return row.merged_unchanged ? `${because}; later merged unchanged` : because;
}
