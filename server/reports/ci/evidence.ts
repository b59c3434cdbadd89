import type { Context } from '../../access/context.ts';
import { monthlyCost, type WorkflowSpend, wastedMonthlyCost } from '../../metrics/cost/workflow-spend.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { scopeQueueWait } from '../../metrics/runs/queue-delays.ts';
import { getQueueWait } from '../../metrics/runs/queue-wait.ts';
import { computeRunFigures, type RunFigures, type RunTally, tallyRuns } from '../../metrics/runs/run-figures.ts';
import { medianDuration, p90Duration } from '../../metrics/runs/times.ts';
import {
  cancelledShare,
  failureRate,
  getDuration,
  type MeasuredRun,
  scopeRuns,
  totalRunTime,
} from '../../metrics/runs/workflow-runs.ts';
import { invalidRequest } from '../../platform/problem.ts';
import { type ExplainInput, type Explanation, explainMetric, runNote } from '../kernel/evidence.ts';
import { findMissing, isReadInPart } from '../kernel/stored-coverage.ts';
import { assertOwner } from '../repositories/visibility.ts';
import { sampleCi } from './demo.ts';
import { readScope, readSpend } from './reading.ts';
import { coverRuns } from './scope-coverage.ts';

/** So many runs of a window are opened, the newest ones; the value is that of all of them. */
const maxRuns = 5_000;

/** The runs of a scope, or of one workflow of a repository. */
async function read(input: ExplainInput, context: Context) {
  const { org, range = '30' } = input;
  const named = nameRepository(input);
  const workflowId = input.workflow_id ?? null;
  const scope = await readScope({ org, repo: named }, range, context, (items) => sampleCi(items, context));
  if (org && !named && scope.visible === 0) await assertOwner(org, context);
  const { source, repositories, window } = scope;
  const repoIds = [...repositories.keys()];
  const [tally, stored, syncedThrough] = await Promise.all([
    source.tally(repoIds, window),
    source.storedWindows(repoIds),
    source.syncedThrough(repoIds),
  ]);
  const now = context.services.clock.now();
  const about = {
    window,
    partial: findMissing('runs', { stored, repoIds, now }, window).length > 0,
    ...(named === undefined && coverRuns(scope, { stored, window, now })),
    asOf: syncedThrough ?? window.to,
    source: 'database' as const,
  };
  const workflows =
    workflowId === null ? tally.workflows : tally.workflows.filter((one) => one.workflowId === workflowId);
  const total: RunTally = workflowId === null ? tally.total : (workflows[0] ?? tallyRuns([]));
  const isUnread = tally.total.runs === 0 && !isReadInPart(stored, window);
  return { scope, tally: { total, workflows }, workflowId, isUnread, about };
}

/** `owner/name`; undefined where no repository is requested. */
export function nameRepository({ owner, repo }: ExplainInput): string | undefined {
  // One without the other would be answered with the number of everything.
  if ((owner === undefined) !== (repo === undefined)) throw missing(owner === undefined ? 'owner' : 'repo');
  return owner && repo ? `${owner}/${repo}` : undefined;
}

const missing = (field: 'owner' | 'repo') =>
  invalidRequest([{ field, reason: 'missing', message: `${field} is required: a repository is named by both.` }]);

/** A number of one workflow is named after it. */
function nameWorkflow(label: string, { workflowId, tally: { workflows } }: Awaited<ReturnType<typeof read>>): string {
  if (workflowId === null) return label;
  return `${label}: ${workflows[0]?.workflow ?? `workflow ${workflowId}`}`;
}

/** What is known of a number; `part` of a share alone: how many of the sample it is made of. */
type Figure = [value: number | null, sample: number, part?: number];

/** The runs behind a number; all of its figure is of every run, also where only the newest are opened. */
const explainRuns = (
  metric: Metric<MeasuredRun>,
  getFigure: (figures: RunFigures) => Figure,
  measured: (run: MeasuredRun) => number | null,
): Explanation => ({
  key: metric.key,
  feature: 'reports',
  needs: [],
  async explain(input, context) {
    const reading = await read(input, context);
    const { scope, tally, workflowId, isUnread, about } = reading;
    const runs = await scope.source.runs([...scope.repositories.keys()], about.window, maxRuns, workflowId);
    const nameByRun = new Map<MeasuredRun, string>(
      runs.map((run) => [run, scope.repositories.get(run.repoId)?.name ?? '']),
    );
    const answer = explainMetric<MeasuredRun>(metric, runs, {
      ...about,
      partial: about.partial || tally.total.runs > runs.length,
      item: (run) => ({
        label: `${nameByRun.get(run)}: ${run.workflowName ?? 'workflow'} #${run.runNumber}`,
        url: context.isDemo ? null : run.htmlUrl,
        at: run.createdAt,
        value: measured(run),
        note: runNote(run),
      }),
    });
    const [value, sample, part] = getFigure(computeRunFigures(tally.total, null));
    const known = isUnread ? null : value;
    return {
      ...answer,
      label: nameWorkflow(answer.label, reading),
      value: known,
      sample,
      part: known === null ? null : (part ?? null),
    };
  },
});

/** The workflows behind an amount. */
const explainCost = (
  metric: Metric<WorkflowSpend>,
  getAmount: (spend: WorkflowSpend) => number | null,
): Explanation => ({
  key: metric.key,
  feature: 'costAnalytics',
  needs: [],
  async explain(input, context) {
    const reading = await read(input, context);
    const { scope, tally, about } = reading;
    const days = scope.dayCount;
    const spend = await readSpend(scope, { tally, window: about.window, days }, context);
    const web = context.services.env.CODEHOST_WEB_URL;
    const answer = explainMetric<WorkflowSpend>(metric, spend, {
      ...about,
      partial: about.partial || spend.some(({ costedRuns, completedRuns }) => costedRuns < completedRuns),
      item: (one) => ({
        label: `${one.repo}: ${one.workflow ?? `workflow ${one.workflowId}`}`,
        url: context.isDemo ? null : `${web}/${one.repo}/actions`,
        at: null,
        value: getAmount(one),
        note: `${one.costedRuns} of ${one.completedRuns} completed runs with stored jobs`,
      }),
    });
    return { ...answer, label: nameWorkflow(answer.label, reading) };
  },
});

/** The headline numbers of a scope's workflows. */
export const ciExplanations: readonly Explanation[] = [
  explainRuns(
    medianDuration,
    ({ medianMs, durationSample }) => [medianMs, durationSample],
    (run) => getDuration(run),
  ),
  explainRuns(
    p90Duration,
    ({ p90Ms, durationSample }) => [p90Ms, durationSample],
    (run) => getDuration(run),
  ),
  explainRuns(
    failureRate,
    (figures) => [figures.failureRate, figures.failureRateSample, figures.failedRuns],
    () => null,
  ),
  explainRuns(
    cancelledShare,
    (figures) => [figures.cancelledShare, figures.cancelledShareSample, figures.cancelledRuns],
    () => null,
  ),
  explainRuns(
    scopeQueueWait,
    ({ queueWaitMs, queueWaitSample }) => [queueWaitMs, queueWaitSample],
    (run) => getQueueWait(run).ms,
  ),
  explainRuns(
    totalRunTime,
    ({ runTimeMs, runTimeSample }) => [runTimeMs, runTimeSample],
    (run) => getDuration(run),
  ),
  explainRuns(
    scopeRuns,
    ({ runs }) => [runs, runs],
    () => null,
  ),
  explainCost(monthlyCost, ({ perMonth }) => perMonth),
  explainCost(wastedMonthlyCost, ({ wastedPerMonth }) => wastedPerMonth),
];
