import { figures } from '../../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
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
  explain: 'Number of durations. Few: p90 is unreliable below 20.',
  cell: ({ sample }) => <Sample value={sample} />,
});

const jobColumns: readonly Column<Job>[] = [
  { key: 'job', label: 'Job', heading: true, cell: ({ name }) => name },
  timeColumn('p50', 'Median', ({ p50_ms }) => p50_ms, nothing),
  timeColumn('p90', 'p90', ({ p90_ms }) => p90_ms, nothing),
  timeColumn('queue', 'Queue wait, median', ({ queue_p50_ms }) => queue_p50_ms, noQueue),
  {
    key: 'failed',
    label: 'Failed',
    numeric: true,
    cell: ({ failure, runs }) => `${figures(failure)} of ${figures(runs)}`,
  },
  sampleColumn(),
];

export function JobTable({ data: { jobs }, csvHref }: { data: JobStats; csvHref: string }) {
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
  timeColumn('p90', 'p90', ({ p90_ms }) => p90_ms, nothing),
  {
    key: 'failed',
    label: 'Failed',
    numeric: true,
    cell: ({ failure, runs }) => `${figures(failure)} of ${figures(runs)}`,
  },
  sampleColumn(),
];

export function StepTable({ data: { steps }, csvHref }: { data: JobStats; csvHref: string }) {
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
