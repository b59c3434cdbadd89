import { useLocation } from 'react-router';
import type { Context } from '../../../server/access/context.ts';
import { assertFound, deferAnswers } from '../../../server/http/deferred-panels.ts';
import { isOffered } from '../../../server/http/page-access.ts';
import { nonceContext, requestContext } from '../../../server/http/router-context.ts';
import { withChoices } from '../../components/choices.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { findSharedProblem, Panel } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { allRuns } from '../../components/period-filters.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { CopyBadge } from '../copy-badge.tsx';
import { crumbs, explainHref, repositoryCrumb } from '../links.ts';
import { ShareLink } from '../share-link.tsx';
import type { Route } from './+types/workflow';
import { hasTracker } from './tracker.ts';
import { AiExplanations } from './workflow/ai-explanations.tsx';
import { ChosenRun } from './workflow/chosen-run.tsx';
import { DurationsPanel } from './workflow/durations.tsx';
import { failWorkflow, type LoadedWorkflow, loadWorkflow } from './workflow/load.ts';
import { type OperationResult, workflowOperations } from './workflow/operations.ts';
import { activeRuns, Refresh } from './workflow/refresh.tsx';
import { chooseSample, describeSample, getSampleFilters } from './workflow/sample.ts';
import { TabPanels } from './workflow/tab-panels.tsx';
import { requestedTab, usualSize, type WorkflowTab, workflowTabs } from './workflow/tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const request = context.get(requestContext);
  const pageRequest = { context: request, params };
  const { panels } = await deferAnswers(pageRequest, loadWorkflow(pageRequest), (failed) =>
    failWorkflow(pageRequest, failed),
  );
  if (!(panels instanceof Promise)) assertFound({ first: panels.first });
  const tabs = await offeredTabs(request);
  return { panels, tabs, isTracked: await hasTracker(pageRequest), nonce: context.get(nonceContext) };
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
  const { panels, tabs, nonce, isTracked } = loaderData;
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
      <WhenReady data={panels} fallback={<PeriodBar search={search} fixed={allRuns} />}>
        {({ beside }) => (
          <PeriodBar
            search={search}
            filters={getSampleFilters(query, chooseSample(query, beside, workflowId), tab)}
            fixed={describeSample(query, chooseSample(query, beside, workflowId), tab)}
          />
        )}
      </WhenReady>
      <WhenReady data={panels} fallback={<LoadingPanels titles={loadingTitles[tab]} />}>
        {(loaded) => <LoadedTab loaded={loaded} tab={tab} repository={params} isTracked={isTracked} />}
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

interface LoadedTabProps {
  loaded: LoadedWorkflow;
  tab: WorkflowTab;
  repository: Route.ComponentProps['params'];
  isTracked: boolean;
}

function LoadedTab({ loaded, tab, repository: { owner, repo, workflowId: workflow_id }, isTracked }: LoadedTabProps) {
  const { now, zone, base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const { answers, beside, jobs, run, path, explanation } = loaded;
  const size = query.get('per_page') ?? usualSize;
  const sample = chooseSample(query, beside, workflow_id);
  const csv: OperationResult['csv'] = (operation, more = {}) =>
    `${base}/api/codehost/${operation}?${new URLSearchParams({ owner, repo, workflow_id, per_page: size, ...more, format: 'csv' })}`;
  const evidence: OperationResult['evidence'] = (metric, more) =>
    explainHref(base, { metric, owner, repo, workflow_id, per_page: query.get('per_page'), ...more });
  const problem = findSharedProblem([...Object.values(answers), beside.jobStats, jobs]);
  if (problem)
    return (
      <>
        <Panel title={tabLabels[tab]} result={{ ok: false, problem }}>
          {() => null}
        </Panel>
        <DurationsPanel
          beside={beside}
          answers={{}}
          path={path}
          zone={zone}
          sample={sample}
          repository={`${owner}/${repo}`}
        />
      </>
    );
  const chosen =
    jobs && run ? <ChosenRun jobs={jobs} run={run} answers={answers} search={search} now={now} zone={zone} /> : null;
  return (
    <>
      <TabPanels
        tab={tab}
        answers={answers}
        beside={beside}
        path={path}
        chosen={chosen}
        isTracked={isTracked}
        search={search}
        run={run}
        zone={zone}
        csv={csv}
        evidence={evidence}
        sample={sample}
        repository={`${owner}/${repo}`}
      />
      <AiExplanations offer={explanation} />
      <CopyBadge repository={{ owner, repo }} workflowId={workflow_id} kinds={badges} />
      <ShareLink />
    </>
  );
}

const badges = { workflow: 'Latest result' };

/** Choices that mean nothing on another tab. */
const onlyHere = { run: null, attempt: null, sort: null, ai: null };

const tabLabels = {
  overview: 'Overview',
  performance: 'Performance',
  reliability: 'Reliability',
  triggers: 'Triggers',
  cost: 'Cost',
  runs: 'Runs',
} satisfies Record<keyof typeof workflowTabs, string>;

/** What each tab begins with. */
const loadingTitles: Record<WorkflowTab, readonly string[]> = {
  overview: ['Health', 'Critical path', 'Durations'],
  performance: ['Critical path', 'Durations', 'Jobs'],
  reliability: ['Timeline', 'Recovery and flakiness'],
  triggers: ['Triggers'],
  cost: ['Estimated cost'],
  runs: ['Runs'],
};
