import { ActionLink, Link } from '../../charts/link.tsx';
import { Badge, type Status } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { Health, summaryColumns } from '../tables/summary-columns.tsx';
import type { RepositoryPanels, RepositoryPath, RepositorySummary, WorkflowOverview } from './panels.ts';

type Props = Pick<RepositoryPanels, 'summary' | 'workflows'> & { repository: RepositoryPath };

/** Workflows listed on the overview. */
const maxRows = 5;

/** Whether the default branch is green, and which of its workflows is not; failing ones first. */
export function WorkflowStatePanel({ summary, workflows, repository }: Props) {
  const { base } = usePageContext();
  const here = `${base}/repos/${repository.owner}/${repository.repo}`;
  return (
    <Panel
      title="Workflows"
      result={workflows}
      // No days stand here, and each row says whether its runs are all there.
      whenPartial={null}
      aside={
        <ActionLink href={`${here}/workflows`}>
          {workflows.ok && workflows.data.length > 0 ? `All ${workflows.data.length}` : 'Details'}
        </ActionLink>
      }
    >
      {(rows) => (
        <>
          {summary.ok ? <State summary={summary.data} /> : null}
          <DataTable
            caption="Workflows on the default branch, failing first"
            captionHidden
            columns={columns(here)}
            rows={sortFailingFirst(rows.filter(({ state }) => state === 'active')).slice(0, maxRows)}
            rowKey={({ id }) => id}
            empty={{ cause: rows.length > 0 ? 'No active workflows.' : 'No workflows, or Actions is disabled.' }}
          />
        </>
      )}
    </Panel>
  );
}

const heads: Record<string, [Status, string]> = {
  success: ['pass', 'checks pass'],
  failure: ['fail', 'checks fail'],
  error: ['fail', 'checks errored'],
  pending: ['running', 'checks running'],
};

/** The default branch in two facts; rate and health look at the same runs. */
function State({ summary }: { summary: RepositorySummary }) {
  const [status, words] = heads[summary.head_status ?? ''] ?? ['void', 'no checks'];
  const { default_branch: branch, success_rate: value, success_rate_sample: sample } = summary;
  const kind = [summary.fork ? 'fork' : '', summary.archived ? 'archived' : ''].filter(Boolean).join(', ');
  return (
    <Facts
      facts={[
        {
          label: 'Default branch',
          value: branch ? (
            <>
              {branch} <Badge status={status}>{words}</Badge>
            </>
          ) : (
            'none (empty repository)'
          ),
        },
        {
          label: 'Success',
          value:
            value === null ? (
              <span className="muted">no run passed or failed</span>
            ) : (
              <>
                <Measurement value={{ value, unit: 'percent', sample }} showSample /> <Health health={summary.health} />
              </>
            ),
        },
        ...(kind ? [{ label: 'Repository', value: kind }] : []),
      ]}
    />
  );
}

/** Active ones that fail, then those that pass, then those without a result; among them the latest run first. */
export const sortFailingFirst = (rows: readonly WorkflowOverview[]): WorkflowOverview[] =>
  rows.toSorted(
    (a, b) =>
      getRank(a) - getRank(b) ||
      (b.summary.latest_run_at ?? '').localeCompare(a.summary.latest_run_at ?? '', 'en') ||
      a.name.localeCompare(b.name, 'en'),
  );

function getRank({ state, default_branch: latest, summary }: WorkflowOverview): number {
  if (state !== 'active') return 4;
  if (latest) return latest.conclusion === 'failed' ? 0 : 1;
  return summary.latest_run_at === null ? 3 : 2;
}

const columns = (here: string): Column<WorkflowOverview>[] => {
  const runs = summaryColumns<WorkflowOverview>({ unread: () => 'No runs loaded.' });
  return [
    {
      key: 'name',
      label: 'Workflow',
      heading: true,
      cell: ({ id, name, partial }) => (
        <>
          <Link href={`${here}/workflows/${id}`}>{name}</Link>
          {partial ? <span className="sub muted">not all runs loaded</span> : null}
        </>
      ),
    },
    {
      key: 'branch',
      label: 'Latest',
      explain: 'Latest run on the default branch that passed or failed',
      cell: (row) => <DefaultBranch row={row} />,
    },
    runs.recent,
  ];
};

function DefaultBranch({ row: { default_branch: latest, state } }: BranchProps) {
  if (!latest) return <span className="muted">{state === 'active' ? 'no result' : state.replaceAll('_', ' ')}</span>;
  const isFailing = latest.conclusion === 'failed';
  return (
    <>
      <Badge status={isFailing ? 'fail' : 'pass'}>{latest.conclusion}</Badge> <Moment at={latest.run_at} />
      {isFailing && latest.failures > 1 ? <span className="sub muted">{describeStreak(latest)}</span> : null}
    </>
  );
}

const describeStreak = ({ failures, failures_lower_bound: isFloor }: NonNullable<WorkflowOverview['default_branch']>) =>
  `${isFloor ? 'at least ' : ''}${failures} in a row`;

interface BranchProps {
  row: WorkflowOverview;
}
