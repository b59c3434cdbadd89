import type { ReactNode } from 'react';
import { redirect, useLocation } from 'react-router';
import type { PanelRequest } from '../../../server/http/adapters.ts';
import { assertFound, type Deferred, deferStoredPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getDelivery } from '../../../server/reports/delivery/operations.ts';
import { getDeployments } from '../../../server/reports/deployments/operations.ts';
import { getOpenPullRequests } from '../../../server/reports/pull-requests/operations.ts';
import { getRepositorySummary } from '../../../server/reports/repositories/operations.ts';
import { getRepositoryOverview } from '../../../server/reports/workflows/operations.ts';
import { Link } from '../../charts/link.tsx';
import { reportsHref } from '../../components/data-coverage-link.tsx';
import { Renamed } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Columns, findSharedProblem, Panel, type PanelAnswer } from '../../components/panel.tsx';
import type { PanelProblem } from '../../components/panel-failure.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { AiInsights } from '../ai/insights.tsx';
import { insightsOffer } from '../ai/offer.ts';
import { CopyBadge } from '../copy-badge.tsx';
import { crumbs } from '../links.ts';
import { readSaving } from '../read-saving.ts';
import { SavingLine } from '../saving-line.tsx';
import { ShareLink } from '../share-link.tsx';
import type { Route } from './+types/overview';
import { describeWindows } from './delivery-cards.tsx';
import { DeliveryMethod, DeliveryPanel } from './delivery-panel.tsx';
import { describeLastWeek } from './delivery-week.tsx';
import { useRepositoryTabs } from './tabs.ts';
import { hasTracker } from './tracker.ts';
import { WaitingPanel } from './waiting-panel.tsx';
import { WorkflowStatePanel } from './workflow-state.tsx';

const shownWindow = {
  range: '90',
  shown: '30 and 90 days',
  compared: null,
  because: 'delivery metrics have fixed windows',
};

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const moved = findMovedHref(pageRequest);
  if (moved) throw redirect(moved, 308);
  const [delivery, waiting, workflows, saving] = await Promise.all([
    deferStoredPanels(pageRequest, { delivery: getDelivery, deployments: getDeployments }),
    deferStoredPanels({ ...pageRequest, extra: { bots: undefined } }, { openPullRequests: getOpenPullRequests }),
    deferStoredPanels(pageRequest, { summary: getRepositorySummary, workflows: getRepositoryOverview }),
    readSaving(pageRequest, { owner: params.owner, repo: params.repo }),
  ]);
  assertFound(workflows.panels, [404]);
  return {
    delivery: delivery.panels,
    waiting: waiting.panels,
    workflows: workflows.panels,
    saving: saving.panels,
    problem: findProblemOfAll([delivery.panels, waiting.panels, workflows.panels]),
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
  const { base, pages, hasDatabase, webUrl, hostName } = usePageContext();
  const { search } = useLocation();
  const { delivery, waiting, workflows, saving, problem, insights, isTracked } = loaderData;
  const name = `${params.owner}/${params.repo}`;
  const canSync = base === '' && hasDatabase && pages.includes('reports');
  return (
    <Page
      title={name}
      description={`Delivery metrics, open pull requests and workflow health of ${name}.`}
      lead={
        <WhenReady data={delivery} fallback={<span className="muted">Loading</span>} isFreshOnly>
          {describeLastWeek}
        </WhenReady>
      }
      breadcrumbs={crumbs(base)}
      tabs={useRepositoryTabs(name, 'Overview', isTracked)}
      actions={
        <>
          {canSync ? <Link href={reportsHref(params)}>Trends</Link> : null}
          {base ? null : <Link href={`${webUrl}/${name}`}>Open in {hostName}</Link>}
        </>
      }
    >
      <WhenReady data={delivery} fallback={<PeriodBar search={search} window={shownWindow} />}>
        {(ready) => <PeriodBar search={search} fixed={describeWindows(ready)} window={shownWindow} />}
      </WhenReady>
      <WhenReady data={workflows} fallback={null}>
        {({ summary }) => <Renamed name={name} current={summary.ok ? summary.notes.canonicalRepo : null} />}
      </WhenReady>
      <WhenReady data={delivery} fallback={<LoadingPanels titles={['Delivery']} />}>
        {(ready) => (
          <Part answers={ready} problem={problem} whenShared={(shared) => <Problem problem={shared} />}>
            <DeliveryPanel {...ready} repository={params} />
          </Part>
        )}
      </WhenReady>
      <Columns>
        <WhenReady data={waiting} fallback={<LoadingPanels titles={['Pull requests']} />}>
          {(ready) => (
            <Part answers={ready} problem={problem}>
              <WaitingPanel result={ready.openPullRequests} repository={params} />
            </Part>
          )}
        </WhenReady>
        <WhenReady data={workflows} fallback={<LoadingPanels titles={['Workflows']} />}>
          {(ready) => (
            <Part answers={ready} problem={problem}>
              <WorkflowStatePanel {...ready} repository={params} />
            </Part>
          )}
        </WhenReady>
      </Columns>
      <WhenReady data={saving} fallback={null}>
        {(ready) => <SavingLine {...ready} />}
      </WhenReady>
      <WhenReady data={delivery} fallback={null}>
        {(ready) => (
          <>
            <DeliveryMethod {...ready} repository={params} />
            {ready.delivery.ok || ready.deployments.ok ? <Published repository={params} /> : null}
          </>
        )}
      </WhenReady>
      <AiInsights offer={insights} />
    </Page>
  );
}

/** What of the page can be shown elsewhere. */
const Published = ({ repository }: { repository: Route.ComponentProps['params'] }) => (
  <>
    <CopyBadge repository={repository} kinds={badges} />
    <ShareLink />
  </>
);

const badges = {
  'lead-time': 'Lead time',
  'deploy-frequency': 'Release or merge frequency',
  'change-failure-rate': 'Reverts and hotfixes',
  'time-to-restore': 'Time to merge a fix',
  'coverage-of-data': 'Data coverage',
};

type Answers = Record<string, PanelAnswer<unknown>>;

/** The problem that all parts of the page have; null where one of them is there. */
function findProblemOfAll(parts: readonly Deferred<Answers>[]): Deferred<PanelProblem | null> {
  const find = (all: readonly Answers[]) => findSharedProblem(all.flatMap((part) => Object.values(part)));
  const known = parts.filter((part): part is Answers => !(part instanceof Promise));
  return known.length === parts.length ? find(known) : Promise.all(parts).then(find);
}

interface PartProps {
  answers: Answers;
  problem: Deferred<PanelProblem | null>;
  /** What the first part shows for all of them. */
  whenShared?(problem: PanelProblem): ReactNode;
  children: ReactNode;
}

/** One that failed waits for the others, since what all have in common is said once. */
function Part({ answers, problem, whenShared = () => null, children }: PartProps) {
  if (findSharedProblem(Object.values(answers)) === null) return children;
  return (
    <WhenReady data={problem} fallback={null}>
      {(shared) => (shared ? whenShared(shared) : children)}
    </WhenReady>
  );
}

function Problem({ problem }: { problem: PanelProblem }) {
  return (
    <Panel title="Overview" result={{ ok: false, problem }}>
      {() => null}
    </Panel>
  );
}
