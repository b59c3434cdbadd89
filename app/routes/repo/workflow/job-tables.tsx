import { figures } from '../../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import type { JobStats } from './operations.ts';
import { timeColumn } from './time-column.tsx';

type Job = JobStats['jobs'][number];
type Step = JobStats['steps'][number];

const nothing = 'No completed jobs.';
const noQueue = 'Runner data is only available for single runs.';

/** Below this the 95th percentile says little. */
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
  explain: 'Number of durations. Few: p95 is unreliable below 20.',
  cell: ({ sample }) => <Sample value={sample} />,
});

const jobColumns: readonly Column<Job>[] = [
  { key: 'job', label: 'Job', heading: true, cell: ({ name }) => name },
  timeColumn('p50', 'Median', ({ p50_ms }) => p50_ms, nothing),
  timeColumn('p95', 'p95', ({ p95_ms }) => p95_ms, nothing),
  timeColumn('queue', 'Queue, median', ({ queue_p50_ms }) => queue_p50_ms, noQueue),
  timeColumn('queue95', 'Queue, p95', ({ queue_p95_ms }) => queue_p95_ms, noQueue),
  {
    key: 'failed',
    label: 'Failed',
    numeric: true,
    cell: ({ failure, runs }) => `${figures(failure)} of ${figures(runs)}`,
  },
  sampleColumn(),
];

export function JobTable({ data: { jobs }, csvHref }: { data: JobStats; csvHref: string | undefined }) {
  return (
    <DataTable
      caption="Jobs"
      columns={jobColumns}
      rows={jobs}
      rowKey={({ name }) => name}
      noun="jobs"
      csvHref={csvHref}
    />
  );
}

const stepColumns: readonly Column<Step>[] = [
  {
    key: 'step',
    label: 'Step',
    heading: true,
    cell: ({ step, job }) => (
      <>
        {step} <span className="sub muted">{job}</span>
      </>
    ),
  },
  timeColumn('p50', 'Median', ({ p50_ms }) => p50_ms, nothing),
  timeColumn('p95', 'p95', ({ p95_ms }) => p95_ms, nothing),
  {
    key: 'failed',
    label: 'Failed',
    numeric: true,
    cell: ({ failure, runs }) => `${figures(failure)} of ${figures(runs)}`,
  },
  sampleColumn(),
];

export function StepTable({ data: { steps }, csvHref }: { data: JobStats; csvHref: string | undefined }) {
  return (
    <DataTable
      caption="The ten slowest steps"
      columns={stepColumns}
      rows={steps.slice(0, 10)}
      rowKey={({ job, step, number }) => JSON.stringify([job, step, number])}
      total={steps.length}
      noun="steps"
      csvHref={csvHref}
    />
  );
}
