import { useLocation } from 'react-router';
import { assertFound, deferPanels, deferStoredPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getCiWorkflows } from '../../../server/reports/ci/operations.ts';
import { getRepositoryOverview } from '../../../server/reports/workflows/operations.ts';
import { Trend } from '../../charts/trend.tsx';
import { Empty } from '../../components/notice.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import type { CiWorkflow } from '../ci/views.ts';
import { CopyBadge } from '../copy-badge.tsx';
import type { Route } from './+types/workflows';
import type { RepositoryPanels, RepositoryPath, WorkflowOverview } from './panels.ts';
import { RepositoryPage } from './repository-page.tsx';
import { hasTracker } from './tracker.ts';
import { WorkflowTable } from './workflow-table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const [listed, stored] = await Promise.all([
    deferStoredPanels(pageRequest, { workflows: getRepositoryOverview }),
    deferPanels({ ...pageRequest, extra: figuresOf(params), isOptional: true }, { figures: getCiWorkflows }),
  ]);
  assertFound(listed.panels);
  return { panels: listed.panels, stored: stored.panels, isTracked: await hasTracker(pageRequest) };
};

/** The window that the live rate is of. */
const figuresOf = ({ owner, repo }: RepositoryPath) => ({
  repo: `${owner}/${repo}`,
  org: undefined,
  q: undefined,
  range: '30',
  compare: 'off',
  sort: undefined,
  direction: undefined,
});

/** Every workflow of a repository with its recent runs, and how long they take. */
export default function WorkflowsPage({ loaderData: { panels, stored, isTracked }, params }: Route.ComponentProps) {
  const { base, hasDatabase, pages } = usePageContext();
  const name = `${params.owner}/${params.repo}`;
  const hasRuns = pages.includes('ci') && (base !== '' || hasDatabase);
  return (
    <RepositoryPage
      repository={params}
      tab="Workflows"
      description={`State, health and durations of the workflows of ${name}.`}
      actions={hasRuns ? <a href={`${base}/ci?repo=${encodeURIComponent(name)}`}>CI report</a> : null}
      isTracked={isTracked}
    >
      <PeriodBar
        search={useLocation().search}
        fixed={['Latest runs of each workflow']}
        window={{ shown: 'latest runs' }}
      />
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Workflows', 'Durations']} />}>
        {({ workflows }) => (
          <WhenReady data={stored} fallback={<Workflows result={workflows} repository={params} figures={[]} />}>
            {({ figures }) => (
              <>
                <Workflows result={workflows} repository={params} figures={figures.ok ? figures.data.workflows : []} />
                {workflows.ok ? <CopyBadge repository={params} kinds={badges} /> : null}
              </>
            )}
          </WhenReady>
        )}
      </WhenReady>
    </RepositoryPage>
  );
}

const badges = { 'success-rate': 'Success rate', duration: 'Duration', queue: 'Queue wait' };

interface Props {
  result: RepositoryPanels['workflows'];
  repository: RepositoryPath;
  /** Of the stored runs, where there are any. */
  figures: readonly CiWorkflow[];
}

function Workflows({ result, repository, figures }: Props) {
  const { zone, base } = usePageContext();
  const search = useSearch();
  const here = `${base}/repos/${repository.owner}/${repository.repo}`;
  const query = new URLSearchParams({ ...repository, format: 'csv' });
  const csvHref = `${base}/api/codehost/repo-overview?${query}`;
  return (
    <>
      <Panel
        title="Workflows"
        id="workflows"
        result={result}
        retryHref={`${here}/workflows`}
        whenPartial="Days before the oldest loaded run are not shown."
      >
        {(data) => <WorkflowTable rows={data} figures={figures} here={here} search={search} csvHref={csvHref} />}
      </Panel>
      {result.ok && result.data.length > 0 ? (
        <Section title="Durations">
          <Durations rows={result.data} zone={zone} />
        </Section>
      ) : null}
    </>
  );
}

const shown = 5;

/** The slowest workflows: the last twenty runs of each that passed or failed. */
function Durations({ rows, zone }: { rows: WorkflowOverview[]; zone: string }) {
  const slowest = rows
    .map((row) => ({ label: row.name, points: row.dur_points }))
    .filter(({ points }) => points.length > 1)
    .sort((a, b) => last(b.points) - last(a.points))
    .slice(0, shown);
  if (slowest.length === 0) return <Empty cause="No workflow has two runs that passed or failed yet." />;
  const names = slowest.map(({ label }) => label).join(', ');
  return (
    <Trend
      title={slowest.length === shown ? 'Five slowest workflows' : 'Duration of workflows'}
      summary={`Duration of the last runs of ${names}.`}
      sample={`${slowest.reduce((sum, { points }) => sum + points.length, 0)} runs`}
      source="live"
      unit="milliseconds"
      zone={zone}
      withTime
      isCapped
      series={slowest.map(({ label, points }) => ({
        label,
        points: points.map((point) => ({
          at: point.created_at,
          value: point.duration_ms,
          name: `Run ${point.run_number}`,
        })),
      }))}
    />
  );
}

const last = (points: WorkflowOverview['dur_points']) => points.at(-1)?.duration_ms ?? 0;
