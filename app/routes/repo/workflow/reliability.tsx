import { count, figures } from '../../../../server/domain/quantity.ts';
import { Scatter } from '../../../charts/scatter.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { CommitLink } from '../../../components/host-links.tsx';
import { Measurement } from '../../../components/measurement.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Empty } from '../../../components/notice.tsx';
import { RunLink } from '../../tables/run-columns.tsx';
import { MeasurementCards } from './measurement-cards.tsx';
import type { OperationResult, Reliability, Run } from './operations.ts';
import type { Sample } from './sample.ts';
import { timeColumn } from './time-column.tsx';

interface Props extends OperationResult {
  data: Reliability;
  sample: Sample;
}

const headlines = ['ci_recovery', 'flaky_rate', 'flaky_cost', 'rerun_rate'];

/** Of a range the rate stands above, as everywhere; the one of the latest runs would be a second value. */
const getHeadlines = (sample: Sample) =>
  sample.by === 'range' && sample.workflow ? headlines.filter((key) => key !== 'flaky_rate') : headlines;

/** How long the default branch keeps failing, and what fails without a reason. */
export function Recovery({ data, sample, evidence, csv }: Props) {
  if (data.runs_read === 0) return <Empty cause="No runs yet." />;
  const shown = data.recoveries.slice(0, maxShown);
  return (
    <>
      <MeasurementCards measurements={data.measurements} shown={getHeadlines(sample)} evidence={evidence} />
      <DataTable
        caption={`Failing periods of ${data.default_branch ?? 'the default branch'}, newest first`}
        columns={recoveryColumns}
        rows={shown}
        rowKey={({ failed }) => `${failed.id} ${failed.attempt}`}
        total={data.recoveries.length}
        noun="failing periods"
        csvHref={csv('workflow-reliability', { table: 'recoveries' })}
        empty={{ cause: describeNoFailures(data) }}
      />
    </>
  );
}

const maxShown = 10;

/** Of no run that passed or failed, none is said to have passed. */
function describeNoFailures({ measurements, default_branch, runs_read: runs }: Reliability): string {
  const judged = measurements.find(({ key }) => key === 'failure_streak')?.sample ?? 0;
  const branch = default_branch ?? 'the default branch';
  return judged > 0
    ? `No failures in the latest ${count(judged, 'run')} of ${branch}.`
    : `No run of ${branch} among the latest ${count(runs, 'run')} passed or failed.`;
}

type RecoveryRow = Reliability['recoveries'][number];

const recoveryColumns: readonly Column<RecoveryRow>[] = [
  { key: 'failed', label: 'Failed with', heading: true, cell: ({ failed }) => <RunLink run={failed} /> },
  { key: 'at', label: 'At', cell: ({ failed_at: at }) => <Moment at={at} as="date-time" /> },
  { key: 'failures', label: 'Failures', numeric: true, cell: ({ failures }) => failures },
  {
    key: 'recovered',
    label: 'Recovered with',
    cell: ({ recovered }) => (recovered ? <RunLink run={recovered} /> : 'not recovered yet'),
  },
  {
    key: 'took',
    label: 'Took',
    numeric: true,
    cell: ({ duration_ms: value, may_be_longer }) => (
      <Measurement
        value={{
          value,
          unit: 'milliseconds',
          reason: 'Ongoing.',
          ...(may_be_longer && { quality: 'floor' as const }),
        }}
      />
    ),
  },
];

/** Commits, and with stored jobs also jobs and steps, that failed and passed on the same code. */
export function Flaky({ data, csv, repository }: Pick<Props, 'data' | 'csv'> & { repository: string }) {
  const { flaky_commits: commits, flaky_jobs: jobs } = data;
  const { attempts_with_jobs: withJobs, attempts_without_jobs: without } = data;
  return (
    <>
      <DataTable
        caption="Commits that failed and then passed, newest first"
        columns={commitColumns(repository)}
        rows={commits.slice(0, maxShown)}
        rowKey={({ head_sha }) => head_sha}
        total={commits.length}
        noun="flaky commits"
        csvHref={csv('workflow-reliability', { table: 'flaky_commits' })}
        empty={{
          cause: (
            <>
              No flaky commits since <Moment at={data.flaky_since} as="date-time" />.
            </>
          ),
        }}
      />
      {commits.length > 0 ? (
        <DataTable
          caption="Flaky jobs"
          columns={jobColumns}
          rows={jobs.slice(0, maxShown)}
          rowKey={({ job, step }) => JSON.stringify([job, step])}
          total={jobs.length}
          noun="flaky jobs"
          csvHref={csv('workflow-reliability', { table: 'flaky_jobs' })}
          empty={{ cause: without > 0 ? 'Jobs of these attempts are not stored.' : 'No flaky jobs.' }}
        />
      ) : null}
      {without > 0 ? (
        <p className="source">
          {`Jobs known for ${withJobs} of ${count(withJobs + without, 'attempt')} on these commits. `} Jobs are synced
          when a run is opened.
        </p>
      ) : null}
    </>
  );
}

const commitColumns = (repository: string): readonly Column<Reliability['flaky_commits'][number]>[] => [
  {
    key: 'commit',
    label: 'Commit',
    heading: true,
    cell: ({ head_sha: sha }) => <CommitLink repository={repository} sha={sha} />,
  },
  { key: 'branch', label: 'Branch', cell: ({ head_branch }) => head_branch ?? 'no branch' },
  { key: 'run', label: 'Passed with', cell: ({ run }) => <RunLink run={run} /> },
  { key: 'failed', label: 'Failed attempts', numeric: true, cell: ({ failed_attempts }) => failed_attempts },
  { key: 'at', label: 'First attempt', cell: ({ at }) => <Moment at={at} as="date-time" /> },
  timeColumn('lost', 'Time lost', ({ lost_ms }) => lost_ms),
];

const jobColumns: readonly Column<Reliability['flaky_jobs'][number]>[] = [
  { key: 'job', label: 'Job', heading: true, cell: ({ job }) => job },
  { key: 'step', label: 'Failed step', cell: ({ step }) => step ?? 'not known' },
  { key: 'commits', label: 'Commits', numeric: true, cell: ({ commits }) => commits },
  { key: 'failures', label: 'Failures', numeric: true, cell: ({ failures }) => failures },
  timeColumn('lost', 'Time lost', ({ lost_ms }) => lost_ms),
];

/** Passed and failed runs over time and by how long they took. */
export function Timeline({ runs, zone }: { runs: readonly Run[]; zone: string }) {
  const withOutcome = (outcome: Run['outcome']) => runs.filter((run) => run.outcome === outcome);
  const [passed, failed] = [withOutcome('pass'), withOutcome('fail')];
  return (
    <Scatter
      title="Passed and failed runs"
      summary={`${figures(passed.length)} passed, ${figures(failed.length)} failed.`}
      sample={`${passed.length + failed.length} of ${count(runs.length, 'run')}`}
      x={{ label: 'Created', zone }}
      y={{ label: 'Duration', unit: 'milliseconds', log: true }}
      series={[
        { label: 'passed', points: passed.map(placed) },
        { label: 'failed', points: failed.map(placed) },
      ]}
    />
  );
}

const placed = (run: Run) => ({
  name: `Run ${run.run_number}`,
  x: run.created_at,
  y: run.duration_ms,
  ...(run.html_url !== '#' && { href: run.html_url }),
});
