import { quantity, refineRate } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { Spark } from '../../charts/spark.tsx';
import { type Column, DataTable, withoutEmpty } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { asGiven, orderSection } from '../../components/row-order.ts';
import type { CiWorkflow } from '../ci/views.ts';
import { HowToRead, summaryColumns } from '../tables/summary-columns.tsx';
import type { WorkflowOverview } from './panels.ts';
import { sortFailingFirst } from './workflow-state.tsx';

interface Props {
  rows: WorkflowOverview[];
  /** What the report on CI says of them in the last 30 days, where their runs are stored. */
  figures: readonly CiWorkflow[];
  /** The repository's own address. */
  here: string;
  search: string;
  csvHref?: string;
}

/** Without a summary none of its runs was read. */
type Row = Omit<WorkflowOverview, 'summary'> & { summary: WorkflowOverview['summary'] | null };

const toRow = (overview: WorkflowOverview): Row => ({
  ...overview,
  summary: overview.partial && overview.summary.latest_run_at === null ? null : overview.summary,
});

export function WorkflowTable({ rows: overviews, figures, here, search, csvHref }: Props) {
  const rows = sortFailingFirst(overviews).map(toRow);
  const shown = withoutEmpty(columns({ figures, here }), rows);
  const ordered = orderSection(rows, shown, asGiven, { search, section: 'workflows' });
  return (
    <>
      <DataTable
        caption="Workflows"
        captionHidden
        columns={shown}
        rows={ordered.rows}
        sorting={ordered.sorting}
        rowKey={(row) => row.id}
        noun="workflows"
        csvHref={csvHref}
        empty={{ cause: 'No workflows, or Actions is disabled.' }}
      />
      {rows.length > 0 ? <HowToRead /> : null}
    </>
  );
}

const columns = ({ figures, here }: Pick<Props, 'figures' | 'here'>): Column<Row>[] => {
  const runs = summaryColumns<Row>({ unread: () => 'No runs loaded.' });
  return [
    {
      key: 'name',
      label: 'Workflow',
      heading: true,
      sort: 'asc',
      value: ({ name }) => name,
      cell: ({ id, name, path, state, partial }) => (
        <>
          <Link href={`${here}/workflows/${id}`}>{name}</Link>
          <span className="sub muted">
            {[path, state === 'active' ? '' : state.replaceAll('_', ' '), partial ? 'not all runs loaded' : '']
              .filter(Boolean)
              .join(' · ')}
          </span>
        </>
      ),
    },
    runs.latest,
    runs.health,
    runs.success,
    runs.recent,
    {
      key: 'duration',
      label: 'Duration',
      numeric: true,
      explain: 'Latest run that passed or failed',
      sort: 'desc',
      value: ({ dur_points }) => dur_points.at(-1)?.duration_ms ?? null,
      cell: ({ dur_points }) => quantity(dur_points.at(-1)?.duration_ms ?? null, 'milliseconds'),
    },
    {
      key: 'durations',
      label: 'Last 20 durations',
      isEmpty: ({ dur_points }) => dur_points.length === 0,
      cell: ({ dur_points }) => (
        <Spark
          unit="milliseconds"
          label="Duration of the last 20 runs that passed or failed"
          values={dur_points.map((point) => point.duration_ms)}
        />
      ),
    },
    runs.month,
    {
      key: 'flaky',
      label: 'Flaky rate',
      numeric: true,
      explain: 'Commits on which an attempt failed and a later one passed, last 30 days',
      cell: ({ id, flaky }) => {
        const stored = figures.find(({ workflow_id }) => workflow_id === id);
        if (!stored) return <LiveFlakyRate flaky={flaky} />;
        const { flaky_rate: rate, flaky_commits: part, flaky_sample: sample, reruns_unread: unread } = stored;
        const quality = unread > 0 ? 'floor' : undefined;
        return (
          <Link href={`${here}/workflows/${id}?tab=reliability&range=30`}>
            <Measurement
              value={{
                value: refineRate(rate, part, sample),
                unit: 'percent',
                quality,
                sample,
                reason: needsCommits(sample),
              }}
            />
          </Link>
        );
      },
    },
  ];
};

const needsCommits = (sample: number) => `Needs ten commits with a result; ${sample} so far.`;

/** Of the runs that were read, where none is stored. */
const LiveFlakyRate = ({ flaky }: Pick<Row, 'flaky'>) => (
  <Measurement
    value={{
      value: refineRate(flaky.rate_pct, flaky.flaky_commits, flaky.sample),
      unit: 'percent',
      sample: flaky.sample,
      reason:
        flaky.reruns_fixed === null
          ? 'Earlier attempts of re-runs are unknown. Sync the repository to load them.'
          : needsCommits(flaky.sample),
    }}
  />
);
