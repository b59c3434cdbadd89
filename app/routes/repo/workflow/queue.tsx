import { count, duration } from '../../../../server/domain/quantity.ts';
import { HourGrid } from '../../../charts/hour-grid.tsx';
import { StackedBars } from '../../../charts/stacked-bars.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Columns } from '../../../components/panel.tsx';
import type { OperationResult, Reliability } from './operations.ts';
import { timeColumn } from './time-column.tsx';

/** How long runs waited for a runner, when, and on which branches. */
export function Queue({ data, csv }: { data: Reliability; csv: OperationResult['csv'] }) {
  const { queue_hours, queue_branches, timezone, workday } = data;
  return (
    <>
      <Columns>
        <Histogram data={data} csvHref={csv('workflow-reliability', { table: 'queue_histogram' })} />
        <DataTable
          caption="Branches by waiting, at most ten"
          columns={branchColumns}
          rows={queue_branches}
          rowKey={({ branch }) => branch ?? ''}
          noun="branches"
          csvHref={csv('workflow-reliability', { table: 'queue_branches' })}
          empty={{ cause: 'No queue wait is known.' }}
        />
      </Columns>
      <HourGrid
        title="When runs waited"
        summary="Minutes waited for a runner, summed by the weekday and hour in which runs were created."
        counts={fromMonday(queue_hours)}
        one="minute waited"
        many="minutes waited"
        workday={workday}
        zone={timezone}
        sample="runs whose queue wait is known"
      />
    </>
  );
}

/** Weeks are shown from Monday, and answered from Sunday. */
export const fromMonday = <Row,>(days: readonly Row[]): Row[] => [...days.slice(1), ...days.slice(0, 1)];

interface HistogramProps {
  data: Reliability;
  csvHref: string | undefined;
}

function Histogram({ data: { queue_histogram: bins }, csvHref }: HistogramProps) {
  const known = bins.reduce((sum, { runs }) => sum + runs, 0);
  return (
    <StackedBars
      title="Queue wait"
      summary="How many runs waited how long for a runner. Re-runs without job data are not among them."
      sample={`${count(known, 'run')} whose queue wait is known`}
      rowLabel="Waited"
      unit="count"
      parts={['runs']}
      note={csvHref ? <a href={csvHref}>CSV</a> : null}
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
  timeColumn('wait', 'Waited in all', ({ wait_ms }) => wait_ms),
  {
    key: 'delayed',
    label: 'Delayed',
    numeric: true,
    explain: 'Runs that waited more than five minutes.',
    cell: ({ delayed }) => delayed,
  },
];
