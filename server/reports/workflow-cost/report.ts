import type { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import { toWire } from '../../domain/wire.ts';
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

type Answer = z.input<typeof WorkflowCostReport>;

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
    workflow_id: input.workflow_id,
    visibility: repository.visibility,
    runs_requested: input.per_page,
    runs_costed: runs.length,
    runs_under_way: jobs.underWay,
    total: { ...toWire(sumCosts(runs)), est_cost: estimatedCost(runs).value },
    est_cost_sample: estimatedCost(runs).sample,
    median_run_cost: run.value,
    median_run_cost_sample: run.sample,
    cost_per_pull_request: pullRequest.value,
    cost_per_pull_request_sample: pullRequest.sample,
    runs: runs.map(runItem),
    pull_requests: pullRequests.map(pullRequestItem),
    waste: wasteByClass(judged).map((waste) => ({ ...toWire(waste), definition: wasteDefinitions[waste.class] })),
    wasted_minutes: wastedMinutes(judged).value ?? 0,
    wasted_cost: wasted.value,
    wasted_cost_sample: wasted.sample,
    attempts_judged: judged.length,
    coverage: jobs.coverage,
    partial: !jobs.coverage.complete,
    generated_at: asOf,
    data_source: jobs.source,
  };
}

const runItem = ({ run, attempts, ...cost }: RunCost): Answer['runs'][number] => ({
  ...toWire(run),
  run_id: run.id,
  attempts: attempts.length,
  ...toWire(cost),
});

const pullRequestItem = ({ runs, ...pullRequest }: PullRequestCost): Answer['pull_requests'][number] => ({
  ...toWire(pullRequest),
  runs: runs.length,
});
