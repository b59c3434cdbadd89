import { count, figures } from '../../../../server/domain/quantity.ts';
import { Link } from '../../../charts/link.tsx';
import { Trend } from '../../../charts/trend.tsx';
import { type Column, DataTable, withoutEmpty } from '../../../components/data-table.tsx';
import { PullRequestLink } from '../../../components/host-links.tsx';
import { Measurement } from '../../../components/measurement.tsx';
import { MetricCard, type MetricCardProps, MetricCards } from '../../../components/metric-card.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Empty } from '../../../components/notice.tsx';
import type { OperationResult, WorkflowCost } from './operations.ts';

type CostTotal = WorkflowCost['total'];

/** What the runs are estimated to cost, and what of it was for nothing. */
export function Cost({
  data,
  zone,
  csv,
  evidence,
  repository,
}: { data: WorkflowCost; repository: string } & Pick<OperationResult, 'zone' | 'csv' | 'evidence'>) {
  if (data.runs_costed === 0) return <Empty cause={data.runs_under_way > 0 ? 'No completed runs.' : 'No runs yet.'} />;
  return (
    <>
      {isFree(data) ? (
        <p className="prose">Standard runners are free in a public repository: these runs cost nothing.</p>
      ) : (
        <Costs data={data} zone={zone} evidence={evidence} />
      )}
      <details className="source">
        <summary>How cost is estimated</summary>
        <p>
          Job minutes at the runner’s list price, before included minutes and discounts.
          {data.visibility === 'public' ? ' Standard runners are free in a public repository.' : null}
        </p>
      </details>
      <DataTable
        caption="Wasted spend of these runs"
        columns={withoutEmpty(wasteColumns, data.waste)}
        rows={data.waste}
        rowKey={({ class: name }) => name}
        csvHref={csv('workflow-cost', { table: 'waste' })}
        empty={{ cause: 'No wasted spend in these runs.' }}
      />
      <DataTable
        caption="Pull requests, most expensive first"
        columns={withoutEmpty(pullRequestColumns(repository), data.pull_requests)}
        rows={data.pull_requests.slice(0, maxShown)}
        rowKey={({ number, head_branch }) => `${number} ${head_branch}`}
        total={data.pull_requests.length}
        noun="pull requests"
        csvHref={csv('workflow-cost', { table: 'pull_requests' })}
        empty={{ cause: 'No runs for pull requests.' }}
      />
      <DataTable
        caption="Runs, newest first"
        columns={withoutEmpty(runColumns, data.runs)}
        rows={data.runs.slice(0, maxRuns)}
        rowKey={({ run_id }) => run_id}
        total={data.runs.length}
        noun="runs"
        csvHref={csv('workflow-cost')}
      />
    </>
  );
}

const isFree = ({ visibility, runs }: WorkflowCost) =>
  visibility === 'public' && runs.every(({ est_cost }) => est_cost === 0);

function Costs({ data, zone, evidence }: { data: WorkflowCost } & Pick<OperationResult, 'zone' | 'evidence'>) {
  return (
    <>
      <Trend
        title="Estimated cost per run"
        summary={`Latest ${count(data.runs.length, 'run')}.`}
        unit="usd"
        zone={zone}
        withTime
        series={[
          {
            label: 'cost',
            points: data.runs.map(({ created_at: at, run_number, est_cost: value }) => ({
              at,
              value,
              name: `Run ${run_number}`,
            })),
          },
        ]}
      />
      <Cards data={data} evidence={evidence} />
    </>
  );
}

const maxShown = 10;
const maxRuns = 20;

function Cards({ data, evidence }: { data: WorkflowCost; evidence: OperationResult['evidence'] }) {
  const { total, wasted_cost, wasted_minutes } = data;
  const unknown = total.unknown_jobs > 0 ? `excludes ${count(total.unknown_jobs, 'job')} without a known price` : null;
  return (
    <MetricCards>
      <MetricCard
        label="All runs together"
        evidenceHref={evidence('estimated_cost')}
        value={{ ...estimate(total.est_cost), sample: data.est_cost_sample, source: 'runs' }}
        note={unknown}
      />
      <MetricCard
        label="Run, median"
        evidenceHref={evidence('median_run_cost')}
        value={{
          ...estimate(data.median_run_cost),
          sample: data.median_run_cost_sample,
          source: 'runs with a known price',
        }}
        trend={findRunTrend(data)}
      />
      <MetricCard
        label="Pull request, median"
        evidenceHref={evidence('cost_per_pull_request')}
        value={{
          ...estimate(data.cost_per_pull_request),
          sample: data.cost_per_pull_request_sample,
          source: 'pull requests',
        }}
      />
      <MetricCard
        label="Wasted in these runs"
        evidenceHref={evidence('wasted_cost')}
        value={{ ...estimate(wasted_cost), sample: data.wasted_cost_sample, source: 'wasted attempts' }}
        note={`${count(wasted_minutes, 'minute')}, of ${count(data.attempts_judged, 'attempt')} judged`}
      />
    </MetricCards>
  );
}

/** Fewer runs are no course. */
const minRuns = 3;

/** What each run cost, oldest first. */
function findRunTrend({ runs }: WorkflowCost): MetricCardProps['trend'] {
  const values = runs.map(({ est_cost: cost }) => cost).toReversed();
  return values.filter((value) => value !== null).length < minRuns
    ? undefined
    : { values, label: `Estimated cost of the latest ${count(values.length, 'run')}` };
}

const unpriced = 'Runner price unknown.';

const estimate = (value: number | null) => ({
  value,
  unit: 'usd' as const,
  quality: 'estimated' as const,
  reason: unpriced,
});

const costColumns = <Row extends CostTotal>(): Column<Row>[] => [
  { key: 'minutes', label: 'Minutes', numeric: true, cell: ({ minutes }) => minutes },
  {
    key: 'cost',
    label: 'Estimated cost',
    numeric: true,
    cell: ({ est_cost: value }) => <Measurement value={{ value, unit: 'usd', reason: unpriced }} />,
  },
  {
    key: 'unknown',
    label: 'Jobs without price',
    numeric: true,
    value: ({ unknown_jobs: jobs }) => jobs || null,
    cell: ({ unknown_jobs, jobs }) => `${figures(unknown_jobs)} of ${figures(jobs)}`,
  },
];

const wasteNames: Record<WorkflowCost['waste'][number]['class'], string> = {
  superseded: 'Superseded by a newer run',
  rerun_after_flake: 'Failed, then passed on re-run',
  cancelled_in_queue: 'Cancelled before start',
};

const wasteColumns: readonly Column<WorkflowCost['waste'][number]>[] = [
  {
    key: 'class',
    label: 'Why',
    heading: true,
    cell: ({ class: name, definition }) => <span title={definition}>{wasteNames[name]}</span>,
  },
  { key: 'attempts', label: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
  ...costColumns<WorkflowCost['waste'][number]>(),
];

const pullRequestColumns = (repository: string): readonly Column<WorkflowCost['pull_requests'][number]>[] => [
  {
    key: 'name',
    label: 'Pull request',
    heading: true,
    cell: ({ number, head_branch }) =>
      number === null ? (head_branch ?? 'not known') : <PullRequestLink repository={repository} number={number} />,
  },
  { key: 'runs', label: 'Runs', numeric: true, cell: ({ runs }) => runs },
  ...costColumns<WorkflowCost['pull_requests'][number]>(),
];

const runColumns: readonly Column<WorkflowCost['runs'][number]>[] = [
  {
    key: 'run',
    label: 'Run',
    heading: true,
    cell: ({ run_number, html_url }) =>
      html_url === '#' ? `#${run_number}` : <Link href={html_url}>{`#${run_number}`}</Link>,
  },
  { key: 'created', label: 'Created', cell: ({ created_at: at }) => <Moment at={at} as="date-time" /> },
  { key: 'attempts', label: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
  ...costColumns<WorkflowCost['runs'][number]>(),
];
