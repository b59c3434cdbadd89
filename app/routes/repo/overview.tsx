import { deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getDelivery } from '../../../server/reports/delivery/operations.ts';
import { getDeployments } from '../../../server/reports/deployments/operations.ts';
import { getOpenPullRequests } from '../../../server/reports/pull-requests/operations.ts';
import { getRepositorySummary } from '../../../server/reports/repositories/operations.ts';
import { getRepositoryOverview } from '../../../server/reports/workflows/operations.ts';
import { Trend } from '../../charts/trend.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { AiInsights } from '../ai/insights.tsx';
import { insightsOffer } from '../ai/offer.ts';
import { crumbs } from '../links.ts';
import type { Route } from './+types/overview';
import { DeliveryPanel } from './delivery-panel.tsx';
import { describeLastWeek } from './delivery-week.tsx';
import { Facts } from './facts.tsx';
import { PullRequestPanel } from './pull-request-life.tsx';
import { useRepositoryTabs } from './tabs.ts';
import { hasTracker } from './tracker.ts';
import { type Overview, WorkflowTable } from './workflow-table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { panels } = await deferPanels(pageRequest, {
    summary: getRepositorySummary,
    workflows: getRepositoryOverview,
    delivery: getDelivery,
    deployments: getDeployments,
    openPullRequests: getOpenPullRequests,
  });
  const summary = panels instanceof Promise ? null : panels.summary;
  if (summary && !summary.ok && summary.problem.code === 'not_found') throw new Response(null, { status: 404 });
  return { panels, isTracked: await hasTracker(pageRequest), insights: await insightsOffer(pageRequest) };
};

/** What the page shows, once it is known. */
export type OverviewPanels = Awaited<Route.ComponentProps['loaderData']['panels']>;

export default function RepositoryOverviewPage({ loaderData, params }: Route.ComponentProps) {
  const { base, pages, hasDatabase, webUrl, hostName } = usePageContext();
  const { panels, insights, isTracked } = loaderData;
  const name = `${params.owner}/${params.repo}`;
  const canSync = base === '' && hasDatabase && pages.includes('reports');
  return (
    <Page
      title={name}
      description={`Delivery metrics, open pull requests and workflow health of ${name}.`}
      lead={
        <WhenReady data={panels} fallback={<span className="muted">Loading</span>}>
          {describeLastWeek}
        </WhenReady>
      }
      breadcrumbs={crumbs(base)}
      tabs={useRepositoryTabs(name, 'Overview', isTracked)}
      actions={
        <>
          {canSync ? <a href={`/reports?owner=${params.owner}&repo=${params.repo}`}>Trends and sync</a> : null}
          {base ? null : <a href={`${webUrl}/${name}`}>Open in {hostName}</a>}
        </>
      }
    >
      <WhenReady
        data={panels}
        fallback={<LoadingPanels titles={['State', 'Delivery', 'Pull requests', 'Workflows']} />}
      >
        {(ready) => <OverviewContent panels={ready} insights={insights} repository={params} />}
      </WhenReady>
    </Page>
  );
}

interface ContentProps {
  panels: OverviewPanels;
  insights: Route.ComponentProps['loaderData']['insights'];
  repository: { owner: string; repo: string };
}

function OverviewContent({ panels, insights, repository }: ContentProps) {
  const { now, zone, base } = usePageContext();
  const { summary, workflows } = panels;
  const { owner, repo } = repository;
  const name = `${owner}/${repo}`;
  const here = `${base}/repos/${name}`;
  const renamed = summary.ok ? summary.notes.canonicalRepo : null;
  const csvHref = base ? undefined : `/api/codehost/repo-overview?owner=${owner}&repo=${repo}&format=csv`;
  return (
    <>
      {renamed && renamed !== name ? <Notice title="Renamed.">Renamed to {renamed}.</Notice> : null}
      <Panel title="State" result={summary} now={now} zone={zone} retryHref={here}>
        {(data) => <Facts summary={data} now={now} zone={zone} />}
      </Panel>
      <AiInsights offer={insights} />
      <DeliveryPanel {...panels} repository={repository} />
      <PullRequestPanel result={panels.openPullRequests} repository={repository} />
      <Panel
        title="Workflows"
        result={workflows}
        now={now}
        zone={zone}
        retryHref={here}
        whenPartial="Days before the oldest loaded run are not shown."
      >
        {(data) => <WorkflowTable rows={data} here={here} now={now} zone={zone} csvHref={csvHref} />}
      </Panel>
      {workflows.ok && workflows.data.length > 0 ? (
        <Section title="Durations">
          <Durations rows={workflows.data} zone={zone} />
        </Section>
      ) : null}
    </>
  );
}

const shown = 5;

/** The slowest workflows: the last twenty runs of each that passed or failed. */
function Durations({ rows, zone }: { rows: Overview[]; zone: string }) {
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

const last = (points: Overview['dur_points']) => points.at(-1)?.duration_ms ?? 0;
