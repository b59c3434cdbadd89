import { useLocation } from 'react-router';
import type { Context } from '../../../server/access/context.ts';
import { loadPanels, panel } from '../../../server/http/adapters.ts';
import { isOffered } from '../../../server/http/page-access.ts';
import { nonceContext, requestContext } from '../../../server/http/router-context.ts';
import { getRunDetails } from '../../../server/reports/runs/operations.ts';
import { getWorkflows } from '../../../server/reports/workflows/operations.ts';
import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { getPeriodFilters } from '../../components/period-filters.ts';
import { explanationOffer } from '../ai/offer.ts';
import { crumbs, explainHref, repositoryCrumb } from '../links.ts';
import type { Route } from './+types/workflow';
import { hasTracker } from './tracker.ts';
import { AiExplanations } from './workflow/ai-explanations.tsx';
import { ChosenRun } from './workflow/chosen-run.tsx';
import {
  type BesideAnswers,
  besideOperations,
  type OperationResult,
  type WorkflowAnswers,
  workflowOperations,
} from './workflow/operations.ts';
import { activeRuns, Refresh } from './workflow/refresh.tsx';
import { findSlowest } from './workflow/slowest-runs.ts';
import { TabPanels } from './workflow/tab-panels.tsx';
import { besideTabs, requestedTab, type WorkflowTab, workflowTabs } from './workflow/tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const request = context.get(requestContext);
  const query = request.url.searchParams;
  const extra = { workflow_id: params.workflowId, per_page: query.get('per_page') ?? usualSize };
  const pageRequest = { context: request, params, extra };
  const wanted = workflowTabs[requestedTab(query)];
  const operations = Object.fromEntries(wanted.map((name) => [name, workflowOperations[name]]));
  const besides = (besideTabs[requestedTab(query)] ?? []).map((name) => [name, besideOperations[name]] as const);
  const [answers, beside, workflows] = await Promise.all([
    loadPanels(pageRequest, operations) as Promise<Partial<WorkflowAnswers>>,
    loadPanels({ ...pageRequest, isOptional: true }, Object.fromEntries(besides)) as Promise<Partial<BesideAnswers>>,
    panel(getWorkflows, pageRequest),
  ]);
  const first = answers[wanted[0]];
  if (first && !first.ok && [400, 404].includes(first.problem.status))
    throw new Response(null, { status: first.problem.status });
  const slowest = answers.jobStats?.ok ? findSlowest(answers.jobStats.data.waterfall)[0]?.run_id : undefined;
  const run = query.get('run') ?? (slowest === undefined ? null : String(slowest));
  const attempt = query.get('attempt') ?? endedAttempt(run, answers);
  const jobs = run ? await panel(getRunDetails, { ...pageRequest, extra: { run_id: run, attempt } }) : null;
  const tabs = await offeredTabs(request);
  const listed = workflows.ok && workflows.data.find((one) => String(one.id) === params.workflowId);
  const explanation = explained.has(requestedTab(query)) ? await explanationOffer({ context: request, params }) : null;
  const [name, path] = listed ? [listed.name, listed.path] : [null, null];
  const isTracked = await hasTracker({ context: request, params });
  return { answers, beside, jobs, run, tabs, name, path, explanation, isTracked, nonce: context.get(nonceContext) };
};

/** The tabs that tell of unusual and failed runs. */
const explained: ReadonlySet<WorkflowTab> = new Set(['overview', 'reliability']);

/** The tabs whose first operation, which they are about, is granted. */
async function offeredTabs(context: Context): Promise<WorkflowTab[]> {
  const tabs = Object.entries(workflowTabs) as [WorkflowTab, (typeof workflowTabs)[WorkflowTab]][];
  const offered = await Promise.all(tabs.map(([, [about]]) => isOffered(workflowOperations[about], context)));
  return tabs.filter((_, index) => offered[index]).map(([tab]) => tab);
}

/** One workflow: its runs, where their time goes, how far they can be relied on, what sets them off and what they cost. */
export default function WorkflowPage({ loaderData, params }: Route.ComponentProps) {
  const { now, zone, base } = usePageContext();
  const { search, pathname } = useLocation();
  const query = new URLSearchParams(search);
  const tab = requestedTab(query);
  const { answers, beside, jobs, run, name, path, tabs, nonce, explanation, isTracked } = loaderData;
  const here = `${pathname}${search}`;
  const active = activeRuns(answers);
  const asOf = (answers.runs?.ok && answers.runs.notes.asOf) || now;
  const { owner, repo, workflowId: workflow_id } = params;
  const size = query.get('per_page') ?? usualSize;
  const csv: OperationResult['csv'] = (operation, more = {}) =>
    base
      ? undefined
      : `/api/codehost/${operation}?${new URLSearchParams({ owner, repo, workflow_id, per_page: size, ...more, format: 'csv' })}`;
  const evidence: OperationResult['evidence'] = (metric, more) =>
    explainHref(base, { metric, owner, repo, workflow_id, per_page: query.get('per_page'), ...more });
  const chosen =
    jobs && run ? <ChosenRun jobs={jobs} run={run} answers={answers} search={search} now={now} zone={zone} /> : null;
  const range = beside.durations?.ok && beside.durations.data.sample > 0 ? beside.durations.data.range : null;
  return (
    <Page
      title={name ?? `Workflow ${workflow_id}`}
      description={`Runs, durations, reliability and cost of a workflow of ${owner}/${repo}.`}
      lead={
        active > 0 ? (
          <Refresh
            active={active}
            asOf={asOf}
            zone={zone}
            nonce={nonce}
            here={base || explanation?.text ? null : here}
          />
        ) : undefined
      }
      breadcrumbs={crumbs(base, repositoryCrumb(base, `${owner}/${repo}`))}
      tabs={tabs.map((key) => ({
        label: tabLabels[key],
        href: withChoices(search, { ...onlyHere, tab: key === 'overview' ? null : key }),
        current: key === tab,
      }))}
    >
      <FilterBar
        search={search}
        filters={range === null ? [sampleSize(size)] : [sampleSize(size), ...getRangeFilter(query)]}
      />
      <TabPanels
        tab={tab}
        answers={answers}
        beside={beside}
        path={path}
        chosen={chosen}
        isTracked={isTracked}
        search={search}
        run={run}
        now={now}
        zone={zone}
        csv={csv}
        evidence={evidence}
        here={here}
      />
      <AiExplanations offer={explanation} />
    </Page>
  );
}

/** The range of the durations that are stored. */
const getRangeFilter = (query: URLSearchParams) => getPeriodFilters(query).filter(({ name }) => name === 'range');

/** Runs that are requested when the address does not say. */
const usualSize = '50';

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

/** The latest attempt of a listed run that has ended: requested by number, its jobs are stored for good. */
function endedAttempt(run: string | null, { runs, jobStats }: Partial<WorkflowAnswers>): string | undefined {
  const listed = runs?.ok ? runs.data.find(({ id }) => String(id) === run) : undefined;
  if (listed) return listed.outcome === 'running' ? undefined : String(listed.run_attempt);
  const sampled = jobStats?.ok ? jobStats.data.waterfall.find(({ run_id }) => String(run_id) === run) : undefined;
  return sampled && String(sampled.run_attempt);
}

const sampleSize = (value: string) => ({
  kind: 'links' as const,
  name: 'per_page',
  label: 'Last runs',
  value,
  options: ['20', '50', '100'].map((size) => ({ value: size, label: size })),
});
