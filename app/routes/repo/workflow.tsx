import { useLocation } from 'react-router';
import type { Context } from '../../../server/access/context.ts';
import { assertFound } from '../../../server/http/deferred-panels.ts';
import { isOffered } from '../../../server/http/page-access.ts';
import { nonceContext, requestContext } from '../../../server/http/router-context.ts';
import { withChoices } from '../../components/choices.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import { allRuns } from '../../components/period-filters.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { crumbs, repositoryCrumb } from '../links.ts';
import type { Route } from './+types/workflow';
import { hasTracker } from './tracker.ts';
import { deferWorkflow, type LoadedWorkflow } from './workflow/load.ts';
import { LoadedTab, StoredTab } from './workflow/loaded-tab.tsx';
import { workflowOperations } from './workflow/operations.ts';
import { activeRuns, Refresh } from './workflow/refresh.tsx';
import { chooseSample, describeSample, getSampleFilters } from './workflow/sample.ts';
import { loadingTitles, requestedTab, tabLabels, type WorkflowTab, workflowTabs } from './workflow/tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const request = context.get(requestContext);
  const pageRequest = { context: request, params };
  const { stored, requested, panels } = await deferWorkflow(pageRequest);
  if (!(panels instanceof Promise)) assertFound({ first: panels.first });
  const tabs = await offeredTabs(request);
  return {
    stored,
    requested,
    panels,
    tabs,
    isTracked: await hasTracker(pageRequest),
    nonce: context.get(nonceContext),
  };
};

/** The tabs whose first operation, which they are about, is granted. */
async function offeredTabs(context: Context): Promise<WorkflowTab[]> {
  const tabs = Object.entries(workflowTabs) as [WorkflowTab, (typeof workflowTabs)[WorkflowTab]][];
  const offered = await Promise.all(tabs.map(([, [about]]) => isOffered(workflowOperations[about], context)));
  return tabs.filter((_, index) => offered[index]).map(([tab]) => tab);
}

/** One workflow: its runs, where their time goes, how far they can be relied on, what sets them off and what they cost. */
export default function WorkflowPage({ loaderData, params }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const tab = requestedTab(query);
  const { stored, requested, panels, tabs, nonce, isTracked } = loaderData;
  const { owner, repo, workflowId } = params;
  const known = panels instanceof Promise ? null : panels;
  const unnamed = `Workflow ${workflowId}`;
  return (
    <Page
      title={known?.name ?? unnamed}
      heading={
        <WhenReady data={panels} fallback={unnamed}>
          {({ name }) => name ?? unnamed}
        </WhenReady>
      }
      description={`Runs, durations, reliability and cost of a workflow of ${owner}/${repo}.`}
      lead={
        known && activeRuns(known.answers) === 0 ? undefined : (
          <WhenReady data={panels} fallback={null}>
            {(loaded) => <ActiveRuns loaded={loaded} nonce={nonce} />}
          </WhenReady>
        )
      }
      breadcrumbs={crumbs(base, repositoryCrumb(base, `${owner}/${repo}`))}
      tabs={tabs.map((key) => ({
        label: tabLabels[key],
        href: withChoices(search, { ...onlyHere, tab: key === 'overview' ? null : key }),
        current: key === tab,
      }))}
    >
      <WhenReady data={stored} fallback={<PeriodBar search={search} fixed={allRuns} />}>
        {(beside) => (
          <PeriodBar
            search={search}
            filters={getSampleFilters(query, chooseSample(query, beside, workflowId), tab)}
            fixed={describeSample(query, chooseSample(query, beside, workflowId), tab)}
          />
        )}
      </WhenReady>
      <WhenReady data={stored} fallback={<LoadingPanels titles={loadingTitles[tab]} />}>
        {(beside) => (
          <WhenReady data={panels} fallback={<StoredTab beside={beside} tab={tab} repository={params} />}>
            {(loaded) => (
              <LoadedTab
                loaded={loaded}
                beside={beside}
                requested={requested}
                tab={tab}
                repository={params}
                isTracked={isTracked}
              />
            )}
          </WhenReady>
        )}
      </WhenReady>
    </Page>
  );
}

function ActiveRuns({ loaded: { answers, explanation }, nonce }: { loaded: LoadedWorkflow; nonce: string }) {
  const { now, zone, base } = usePageContext();
  const { search, pathname } = useLocation();
  const active = activeRuns(answers);
  if (active === 0) return null;
  const asOf = (answers.runs?.ok && answers.runs.notes.asOf) || now;
  const here = base || explanation?.text ? null : `${pathname}${search}`;
  return <Refresh active={active} asOf={asOf} zone={zone} nonce={nonce} here={here} />;
}

/** Choices that mean nothing on another tab. */
const onlyHere = {
  run: null,
  attempt: null,
  sort: null,
  branch: null,
  'job-times': null,
  'step-times': null,
  ai: null,
};
