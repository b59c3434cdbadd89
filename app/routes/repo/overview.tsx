import { redirect, useLocation } from 'react-router';
import type { PanelRequest } from '../../../server/http/adapters.ts';
import { assertFound, type Deferred, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getDelivery } from '../../../server/reports/delivery/operations.ts';
import { getDeployments } from '../../../server/reports/deployments/operations.ts';
import { getOpenPullRequests } from '../../../server/reports/pull-requests/operations.ts';
import { getRepositorySummary } from '../../../server/reports/repositories/operations.ts';
import { getRepositoryOverview } from '../../../server/reports/workflows/operations.ts';
import { reportsHref } from '../../components/data-coverage-link.tsx';
import { Renamed } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Columns, Panel, type PanelAnswer } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { findSharedProblem } from '../../components/shared-problem.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { AiInsights } from '../ai/insights.tsx';
import { insightsOffer } from '../ai/offer.ts';
import { crumbs } from '../links.ts';
import type { Route } from './+types/overview';
import { DeliveryMethod, DeliveryPanel } from './delivery-panel.tsx';
import { describeLastWeek } from './delivery-week.tsx';
import { useRepositoryTabs } from './tabs.ts';
import { hasTracker } from './tracker.ts';
import { WaitingPanel } from './waiting-panel.tsx';
import { WorkflowStatePanel } from './workflow-state.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const moved = findMovedHref(pageRequest);
  if (moved) throw redirect(moved, 308);
  const [delivery, waiting, workflows] = await Promise.all([
    deferPanels(pageRequest, { delivery: getDelivery, deployments: getDeployments }),
    deferPanels(pageRequest, { openPullRequests: getOpenPullRequests }),
    deferPanels(pageRequest, { summary: getRepositorySummary, workflows: getRepositoryOverview }),
  ]);
  assertFound(workflows.panels, [404]);
  return {
    delivery: delivery.panels,
    waiting: waiting.panels,
    workflows: workflows.panels,
    isTracked: await hasTracker(pageRequest),
    insights: await insightsOffer(pageRequest),
  };
};

/** The list of all open pull requests stood here before it had a page of its own. */
function findMovedHref({ context: { url, isDemo }, params }: PanelRequest): string | null {
  const page = `${isDemo ? '/demo' : ''}/repos/${params.owner}/${params.repo}/pull-requests`;
  return url.searchParams.has('open') ? `${page}${url.search}` : null;
}

/** A repository at a glance: how changes get through, who waits for whom, and which workflows fail. */
export default function RepositoryOverviewPage({ loaderData, params }: Route.ComponentProps) {
  const { base, pages, hasDatabase, webUrl, hostName, now, zone } = usePageContext();
  const { search } = useLocation();
  const { delivery, waiting, workflows, insights, isTracked } = loaderData;
  const name = `${params.owner}/${params.repo}`;
  const problem = findProblemOfAll([delivery, waiting, workflows]);
  const canSync = base === '' && hasDatabase && pages.includes('reports');
  return (
    <Page
      title={name}
      description={`Delivery metrics, open pull requests and workflow health of ${name}.`}
      lead={
        <WhenReady data={delivery} fallback={<span className="muted">Loading</span>}>
          {describeLastWeek}
        </WhenReady>
      }
      breadcrumbs={crumbs(base)}
      tabs={useRepositoryTabs(name, 'Overview', isTracked)}
      actions={
        <>
          {canSync ? <a href={reportsHref(params)}>Trends</a> : null}
          {base ? null : <a href={`${webUrl}/${name}`}>Open in {hostName}</a>}
        </>
      }
    >
      <PeriodBar search={search} fixed={['Last 90 days', 'Deployments: 30 days']} />
      <WhenReady data={workflows} fallback={null}>
        {({ summary }) => <Renamed name={name} current={summary.ok ? summary.notes.canonicalRepo : null} />}
      </WhenReady>
      {problem ? (
        <Panel
          title="Overview"
          result={{ ok: false, problem }}
          now={now}
          zone={zone}
          retryHref={`${base}/repos/${name}${search}`}
        >
          {() => null}
        </Panel>
      ) : (
        <>
          <WhenReady data={delivery} fallback={<LoadingPanels titles={['Delivery']} />}>
            {(ready) => <DeliveryPanel {...ready} repository={params} />}
          </WhenReady>
          <Columns>
            <WhenReady data={waiting} fallback={<LoadingPanels titles={['Pull requests']} />}>
              {({ openPullRequests }) => <WaitingPanel result={openPullRequests} repository={params} />}
            </WhenReady>
            <WhenReady data={workflows} fallback={<LoadingPanels titles={['Workflows']} />}>
              {(ready) => <WorkflowStatePanel {...ready} repository={params} />}
            </WhenReady>
          </Columns>
          <WhenReady data={delivery} fallback={null}>
            {(ready) => <DeliveryMethod {...ready} repository={params} />}
          </WhenReady>
        </>
      )}
      <AiInsights offer={insights} />
    </Page>
  );
}

/** Only of what is known before the page is sent. */
const findProblemOfAll = (parts: readonly Deferred<Record<string, PanelAnswer<unknown>>>[]) =>
  findSharedProblem(
    parts.flatMap((part) => (part instanceof Promise ? [{ ok: true, data: null }] : Object.values(part))),
  );
