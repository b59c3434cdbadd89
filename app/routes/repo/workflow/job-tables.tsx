import { figures } from '../../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { InColumn } from '../../../components/panel.tsx';
import { asGiven, orderSection } from '../../../components/row-order.ts';
import type { JobStats } from './operations.ts';
import { timeColumn } from './time-column.tsx';

type Job = JobStats['jobs'][number];
type Step = JobStats['steps'][number];

const nothing = 'No completed jobs.';
const noQueue = 'Runner data is only available for single runs.';

/** Below this the 90th percentile says little. */
const fewest = 20;

const Sample = ({ value }: { value: number }) => (
  <>
    {value}
    {value < fewest ? <span className="muted"> few</span> : null}
  </>
);

const sampleColumn = <Row extends { sample: number }>(): Column<Row> => ({
  key: 'sample',
  label: 'Sample',
  numeric: true,
  sort: 'desc',
  sortLabel: 'sample',
  value: ({ sample }) => sample,
  explain: 'Number of durations. Few: p90 is unreliable below 20.',
  cell: ({ sample }) => <Sample value={sample} />,
});

const failedColumn = <Row extends { failure: number; runs: number }>(): Column<Row> => ({
  key: 'failed',
  label: 'Failed',
  numeric: true,
  sort: 'desc',
  sortLabel: 'failures',
  value: ({ failure }) => failure,
  cell: ({ failure, runs }) => `${figures(failure)} of ${figures(runs)}`,
});

const jobColumns: readonly Column<Job>[] = [
  { key: 'job', label: 'Job', heading: true, sort: 'asc', value: ({ name }) => name },
  timeColumn('p50', 'Median', ({ p50_ms }) => p50_ms, nothing),
  timeColumn('p90', 'p90', ({ p90_ms }) => p90_ms, nothing),
  timeColumn('queue', 'Queue wait, median', ({ queue_p50_ms }) => queue_p50_ms, noQueue),
  failedColumn(),
  sampleColumn(),
];

interface Props {
  data: JobStats;
  search: string;
  csvHref: string;
}

export function JobTable({ data: { jobs }, search, csvHref }: Props) {
  const { rows, sorting } = orderSection(jobs, jobColumns, asGiven, { search, section: 'job-times' });
  return (
    <InColumn id="job-times">
      <DataTable
        caption="Jobs"
        columns={jobColumns}
        rows={rows}
        sorting={sorting}
        rowKey={({ name }) => name}
        noun="jobs"
        csvHref={csvHref}
      />
    </InColumn>
  );
}

const stepColumns: readonly Column<Step>[] = [
  {
    key: 'step',
    label: 'Step',
    heading: true,
    sort: 'asc',
    sortLabel: 'name',
    value: ({ step }) => step,
    cell: ({ step, job }) => (
      <>
        {step} <span className="sub muted">{job}</span>
      </>
    ),
  },
  timeColumn('p50', 'Median', ({ p50_ms }) => p50_ms, nothing),
  timeColumn('p90', 'p90', ({ p90_ms }) => p90_ms, nothing),
  failedColumn(),
  sampleColumn(),
];

/** The first ten of all steps in the order that is asked for. */
export function StepTable({ data: { steps }, search, csvHref }: Props) {
  const { rows, sorting, sortLabel } = orderSection(steps, stepColumns, asGiven, { search, section: 'step-times' });
  return (
    <InColumn id="step-times">
      <DataTable
        caption={sortLabel ? `Steps by ${sortLabel}` : 'The ten slowest steps'}
        columns={stepColumns}
        rows={rows.slice(0, 10)}
        sorting={sorting}
        rowKey={({ job, step, number }) => JSON.stringify([job, step, number])}
        total={steps.length}
        noun="steps"
        csvHref={csvHref}
      />
    </InColumn>
  );
}
