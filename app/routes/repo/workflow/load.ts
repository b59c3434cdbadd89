import { z } from 'zod';
import {
  type FailedPanel,
  findRejected,
  loadPanels,
  type Panel,
  type PanelRequest,
  panel,
} from '../../../../server/http/adapters.ts';
import { deferAnswers } from '../../../../server/http/deferred-panels.ts';
import { getCiWorkflows } from '../../../../server/reports/ci/operations.ts';
import { getRunDetails, getRuns } from '../../../../server/reports/runs/operations.ts';
import { getWorkflows } from '../../../../server/reports/workflows/operations.ts';
import { type ExplanationOffer, explanationOffer } from '../../ai/offer.ts';
import {
  type BesideAnswers,
  besideOperations,
  type RunJob,
  type WorkflowAnswers,
  workflowOperations,
} from './operations.ts';
import { findSlowest } from './slowest-runs.ts';
import { besideTabs, maxSize, requestedTab, usualSize, type WorkflowTab, workflowTabs } from './tabs.ts';

/** What the shown tab of a workflow is drawn from, besides what is shown beside it. */
export interface LoadedWorkflow {
  answers: Partial<WorkflowAnswers>;
  /** The answer that the tab is about. */
  first: Panel<unknown> | undefined;
  /** The jobs of the chosen run; null where none is chosen. */
  jobs: Panel<RunJob[]> | null;
  /** The chosen run, else the slowest. */
  run: string | null;
  /** Name and file of the workflow; null where they are not known. */
  name: string | null;
  path: string | null;
  explanation: ExplanationOffer | null;
}

/** Everything that the shown tab asks for, in three parts, so that stored figures wait for nothing that is requested. */
export async function deferWorkflow({ context, params }: PanelRequest) {
  const query = context.url.searchParams;
  const tab = requestedTab(query);
  const branch = tab === 'runs' ? query.get('branch') || undefined : undefined;
  const extra = { workflow_id: params.workflowId, per_page: query.get('per_page') || usualSize, branch };
  const pageRequest = { context, params, extra };
  const rejected = findRejected(pageRequest, choices);
  const deferBeside = (part: 'stored' | 'requested') => {
    const names = besideTabs[tab]?.[part] ?? [];
    const loading = rejected ? failBeside(names, rejected) : loadBeside(pageRequest, names);
    return deferAnswers({ context, isOptional: true }, Promise.resolve(loading), (failed) => failBeside(names, failed));
  };
  const [stored, requested, { panels }] = await Promise.all([
    deferBeside('stored'),
    deferBeside('requested'),
    deferAnswers(pageRequest, rejected ? rejectWorkflow(pageRequest, rejected) : loadWorkflow(pageRequest), (failed) =>
      failWorkflow(pageRequest, failed),
    ),
  ]);
  return { stored: stored.panels, requested: requested.panels, panels };
}

/** Where the workflow is not found, nothing more is requested. */
async function loadWorkflow(pageRequest: PanelRequest): Promise<LoadedWorkflow> {
  const { context, params } = pageRequest;
  const query = context.url.searchParams;
  const tab = requestedTab(query);
  const wanted = workflowTabs[tab];
  const operations = Object.fromEntries(wanted.map((name) => [name, workflowOperations[name]]));
  const [answers, workflows] = await Promise.all([
    loadPanels(pageRequest, operations) as Promise<Partial<WorkflowAnswers>>,
    panel(getWorkflows, pageRequest),
  ]);
  const first = answers[wanted[0]];
  const slowest = answers.jobStats?.ok ? findSlowest(answers.jobStats.data.waterfall)[0]?.run_id : undefined;
  const run = query.get('run') ?? (slowest === undefined ? null : String(slowest));
  const { name, path } = findNames(workflows, pageRequest);
  if (first && !first.ok && [400, 404].includes(first.problem.status))
    return { answers, first, jobs: null, run, name, path, explanation: null };
  const attempt = query.get('attempt') ?? endedAttempt(run, answers);
  const jobs = run ? await panel(getRunDetails, { ...pageRequest, extra: { run_id: run, attempt } }) : null;
  const explanation = explained.has(tab) ? await explanationOffer({ context, params }) : null;
  return { answers, first, jobs, run, name, path, explanation };
}

/** The choices of the bar, whether or not the tab has them. */
const choices = getCiWorkflows.input
  .pick({ range: true, compare: true })
  .extend({ per_page: z.int().min(1).max(maxSize).optional(), branch: getRuns.input.shape.branch });

/** The figures are those of the list of all workflows, which names a repository in one word. */
async function loadBeside(
  request: PanelRequest,
  names: readonly (keyof BesideAnswers)[],
): Promise<Partial<BesideAnswers>> {
  const { owner, repo } = request.params;
  const extras: Partial<Record<keyof BesideAnswers, PanelRequest['extra']>> = {
    figures: { repo: `${owner}/${repo}`, org: undefined, q: undefined, sort: undefined, direction: undefined },
    marks: { repo: `${owner}/${repo}`, org: undefined },
  };
  const answers = await Promise.all(
    names.map(async (name) => {
      const wanted = { ...request, extra: { ...request.extra, ...extras[name] }, isOptional: true };
      return [name, await panel<z.ZodObject, z.ZodType>(besideOperations[name], wanted)] as const;
    }),
  );
  return Object.fromEntries(answers) as Partial<BesideAnswers>;
}

const failBeside = (names: readonly (keyof BesideAnswers)[], failed: FailedPanel): Partial<BesideAnswers> =>
  Object.fromEntries(names.map((name) => [name, failed]));

/** The same where nothing was answered after the page had been sent. */
function failWorkflow({ context }: PanelRequest, failed: FailedPanel): LoadedWorkflow {
  const wanted = workflowTabs[requestedTab(context.url.searchParams)];
  const answers = Object.fromEntries(wanted.map((name) => [name, failed]));
  return { answers, first: failed, jobs: null, run: null, name: null, path: null, explanation: null };
}

/** The same where the choices of the address are refused: the workflow is still named. */
async function rejectWorkflow(request: PanelRequest, rejected: FailedPanel): Promise<LoadedWorkflow> {
  const workflows = await panel(getWorkflows, { ...request, isOptional: true });
  return { ...failWorkflow(request, rejected), first: undefined, ...findNames(workflows, request) };
}

function findNames(workflows: Panel<z.output<typeof getWorkflows.output>>, { params }: PanelRequest) {
  const listed = workflows.ok && workflows.data.find((one) => String(one.id) === params.workflowId);
  return listed ? { name: listed.name, path: listed.path } : { name: null, path: null };
}

/** The tabs that tell of unusual and failed runs. */
const explained: ReadonlySet<WorkflowTab> = new Set(['overview', 'reliability']);

/** The latest attempt of a listed run that has ended: requested by number, its jobs are stored for good. */
function endedAttempt(run: string | null, { runs, jobStats }: Partial<WorkflowAnswers>): string | undefined {
  const listed = runs?.ok ? runs.data.find(({ id }) => String(id) === run) : undefined;
  if (listed) return listed.outcome === 'running' ? undefined : String(listed.run_attempt);
  const sampled = jobStats?.ok ? jobStats.data.waterfall.find(({ run_id }) => String(run_id) === run) : undefined;
  return sampled && String(sampled.run_attempt);
}
