import { Link } from '../../charts/link.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { entriesHref, type QueueBatchesData, toWholeMinutes } from './merge-queue-labels.ts';
import type { RepositoryPath } from './panels.ts';

type Batch = QueueBatchesData['batches'][number];

interface Props {
  data: QueueBatchesData;
  repository: RepositoryPath;
  csvHref: string;
}

/** Batches in the order of the answer. */
export function QueueBatchesTable({ data: { batches, used, branch }, repository, csvHref }: Props) {
  const { base } = usePageContext();
  const toEntry = (number: number) =>
    entriesHref(base, repository, { branch, window_days: 90 }, { number: `${number}` });
  const deployed = batches.filter(({ deployed_at: at }) => at !== null);
  const isByTime = deployed.length > 0 && deployed.every(({ deployed_basis: basis }) => basis === 'time');
  return (
    <>
      <DataTable
        caption="Batches of the merge queue, the last merged first"
        captionHidden
        columns={listColumns(toEntry, !isByTime)}
        rows={batches}
        rowKey={({ id }) => id}
        noun="batches"
        csvHref={csvHref}
        empty={{ cause: used ? 'No batches match.' : 'This branch has no merge queue.' }}
      />
      {isByTime ? (
        <p className="source">Deployments by time alone: no deployed commit is a merge that is known.</p>
      ) : null}
    </>
  );
}

const listColumns = (toEntry: (number: number) => string, hasBasis: boolean): Column<Batch>[] => [
  {
    key: 'numbers',
    label: 'Pull requests',
    heading: true,
    wide: true,
    cell: ({ numbers, basis }) => (
      <>
        {numbers.map((number, index) => (
          <span key={number}>
            {index > 0 ? ', ' : ''}
            <Link href={toEntry(number)}>{`#${number}`}</Link>
          </span>
        ))}
        {basis === 'time' ? <span className="sub muted">by time alone</span> : null}
      </>
    ),
  },
  { key: 'merged', label: 'Merged', cell: ({ left_at: at }) => <Moment at={at} /> },
  {
    key: 'waited',
    label: 'Merged to deployed',
    explain: 'Until the first successful production deployment with all of it',
    numeric: true,
    cell: ({ left_at: merged, deployed_at: deployed, deployed_basis: basis }) => (
      <>
        <Measurement
          value={{ value: toWholeMinutes(minutesBetween(merged, deployed)), unit: 'minutes', reason: notDeployed }}
        />
        {hasBasis && basis === 'time' ? <span className="sub muted">by time alone</span> : null}
      </>
    ),
  },
];

const notDeployed = 'Not deployed yet, or deployments of that time are not stored.';

const minutesBetween = (merged: string, deployed: string | null): number | null =>
  deployed === null ? null : Math.max(0, (Date.parse(deployed) - Date.parse(merged)) / 60_000);
