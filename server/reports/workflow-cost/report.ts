import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import {
  costPerPullRequest,
  estimatedCost,
  medianRunCost,
  type PullRequestCost,
  pullRequestCosts,
  type RunCost,
  runCosts,
  sumCosts,
} from '../../metrics/cost/run-cost.ts';
import { wasteByClass, wasteDefinitions, wastedCost, wastedMinutes } from '../../metrics/cost/waste.ts';
import type { RunsInput } from '../runs/report.ts';
import { readCosts } from './reading.ts';
import type { CostTable, WorkflowCostReport } from './schema.ts';

type Answer = Domain<typeof WorkflowCostReport>;

export interface WorkflowCostInput extends RunsInput {
  table: CostTable;
}

/** What the newest runs of a workflow are estimated to cost, for whom, and for nothing. */
export async function workflowCost(input: WorkflowCostInput, context: Context, reply: Reply): Promise<Answer> {
  const { repository, attempts, judged, jobs, asOf } = await readCosts(input, context, reply);
  const runs = runCosts(attempts);
  const pullRequests = pullRequestCosts(runs, repository.defaultBranch);
  const run = medianRunCost(runs);
  const pullRequest = costPerPullRequest(pullRequests);
  const wasted = wastedCost(judged);
  return {
    table: input.table,
    repo: `${repository.owner}/${repository.repo}`,
    workflowId: input.workflow_id,
    visibility: repository.visibility,
    runsRequested: input.per_page,
    runsCosted: runs.length,
    runsUnderWay: jobs.underWay,
    total: { ...sumCosts(runs), estCost: estimatedCost(runs).value },
    estCostSample: estimatedCost(runs).sample,
    medianRunCost: run.value,
    medianRunCostSample: run.sample,
    costPerPullRequest: pullRequest.value,
    costPerPullRequestSample: pullRequest.sample,
    runs: runs.map(runItem),
    pullRequests: pullRequests.map(pullRequestItem),
    waste: wasteByClass(judged).map((waste) => ({ ...waste, definition: wasteDefinitions[waste.class] })),
    wastedMinutes: wastedMinutes(judged).value ?? 0,
    wastedCost: wasted.value,
    wastedCostSample: wasted.sample,
    attemptsJudged: judged.length,
    coverage: jobs.coverage,
    partial: !jobs.coverage.complete,
    generatedAt: asOf,
    dataSource: jobs.source,
  };
}

const runItem = ({ run, attempts, ...cost }: RunCost): Answer['runs'][number] => ({
  ...run,
  runId: run.id,
  attempts: attempts.length,
  ...cost,
});

const pullRequestItem = ({ runs, ...pullRequest }: PullRequestCost): Answer['pullRequests'][number] => ({
  ...pullRequest,
  runs: runs.length,
});
