import { count, duration } from '../../../../server/domain/quantity.ts';
import { HourGrid } from '../../../charts/hour-grid.tsx';
import { Link } from '../../../charts/link.tsx';
import { StackedBars } from '../../../charts/stacked-bars.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Columns, InColumn } from '../../../components/panel.tsx';
import { MeasurementCards } from './measurement-cards.tsx';
import type { OperationResult, Reliability } from './operations.ts';
import { timeColumn } from './time-column.tsx';

interface Props extends Pick<OperationResult, 'csv' | 'evidence'> {
  data: Reliability;
}

/** How long runs waited for a runner, when, and on which branches. */
export function Queue({ data, csv, evidence }: Props) {
  const { queue_hours, queue_branches, timezone, workday } = data;
  return (
    <>
      <MeasurementCards measurements={data.measurements} shown={['delayed_runs', 'wasted_queue']} evidence={evidence} />
      <Columns>
        <Histogram data={data} csvHref={csv('workflow-reliability', { table: 'queue_histogram' })} />
        <InColumn>
          <DataTable
            caption="Branches by total wait, top ten"
            columns={branchColumns}
            rows={queue_branches}
            rowKey={({ branch }) => branch ?? ''}
            noun="branches"
            csvHref={csv('workflow-reliability', { table: 'queue_branches' })}
            empty={{ cause: 'No known queue waits.' }}
          />
        </InColumn>
      </Columns>
      <HourGrid
        title="Queue wait by hour"
        summary="Total minutes waiting for a runner, by weekday and hour of creation."
        counts={fromMonday(queue_hours)}
        one="minute of wait"
        many="minutes of wait"
        workday={workday}
        zone={timezone}
        sample="runs with known queue wait"
      />
    </>
  );
}

/** Weeks are shown from Monday, and answered from Sunday. */
export const fromMonday = <Row,>(days: readonly Row[]): Row[] => [...days.slice(1), ...days.slice(0, 1)];

interface HistogramProps {
  data: Reliability;
  csvHref: string;
}

function Histogram({ data: { queue_histogram: bins }, csvHref }: HistogramProps) {
  const known = bins.reduce((sum, { runs }) => sum + runs, 0);
  return (
    <StackedBars
      title="Queue wait"
      summary="Runs by time waiting for a runner, excluding re-runs without job data."
      sample={`${count(known, 'run')} with known queue wait`}
      rowLabel="Waited"
      unit="count"
      parts={['runs']}
      note={<Link href={csvHref}>CSV</Link>}
      rows={
        known === 0
          ? []
          : bins.map(({ below_ms, runs }, index) => ({
              name: binName(bins[index - 1]?.below_ms ?? 0, below_ms),
              values: [runs],
            }))
      }
    />
  );
}

function binName(from: number, below: number | null): string {
  if (below === null) return `${duration(from)} and more`;
  return from === 0 ? `less than ${duration(below)}` : `${duration(from)} to ${duration(below)}`;
}

type BranchWait = Reliability['queue_branches'][number];

const branchColumns: readonly Column<BranchWait>[] = [
  { key: 'branch', label: 'Branch', heading: true, cell: ({ branch }) => branch ?? 'no branch' },
  { key: 'runs', label: 'Runs', numeric: true, cell: ({ runs }) => runs },
  timeColumn('wait', 'Total wait', ({ wait_ms }) => wait_ms),
  {
    key: 'delayed',
    label: 'Delayed',
    numeric: true,
    explain: 'Runs waiting more than five minutes.',
    cell: ({ delayed }) => delayed,
  },
];
