import {
  type Cost,
  costPerPullRequest,
  estimatedCost,
  medianRunCost,
  type PullRequestCost,
  pullRequestCosts,
  type RunCost,
  runCosts,
} from '../../metrics/cost/run-cost.ts';
import { type JudgedAttempt, wastedCost, wastedMinutes } from '../../metrics/cost/waste.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { type Explanation, explainMetric, runNote } from '../kernel/evidence.ts';
import { type CostReading, readCosts } from './reading.ts';

/** A number of what a workflow costs, opened into what it was summed from. */
const explainWorkflow = <Fact>(
  metric: Metric<Fact>,
  getFacts: (reading: CostReading) => readonly Fact[],
  item: Parameters<typeof explainMetric<Fact>>[2]['item'],
): Explanation => ({
  key: metric.key,
  feature: 'costAnalytics',
  needs: ['owner', 'repo', 'workflow_id'],
  async explain({ owner = '', repo = '', workflow_id = 0, per_page = 30 }, context, reply) {
    const input = { owner, repo, workflow_id, per_page: Math.min(per_page, maxRuns) };
    const reading = await readCosts(input, context, reply);
    const { asOf, jobs } = reading;
    const partial = !jobs.coverage.complete;
    return explainMetric(metric, getFacts(reading), { window: null, partial, asOf, source: jobs.source, item });
  },
});

const maxRuns = 50;

const costNote = ({ minutes, unknownJobs }: Cost) =>
  unknownJobs === 0 ? `${minutes} min` : `${minutes} min, ${unknownJobs} of its jobs without a known price`;

const runItem = ({ run, ...cost }: RunCost) => ({
  label: `Run ${run.runNumber}`,
  url: run.htmlUrl,
  at: run.createdAt,
  value: cost.estCost,
  note: `${runNote(run)}, ${costNote(cost)}`,
});

const pullRequestItem = ({ number, headBranch, runs, ...cost }: PullRequestCost) => ({
  label: number === null ? `branch ${headBranch}` : `#${number}`,
  url: null,
  at: runs[0] ? runs[0].run.createdAt : null,
  value: cost.estCost,
  note: `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}, ${costNote(cost)}`,
});

const attemptItem =
  (getAmount: (cost: Cost) => number | null) =>
  ({ attempt: { run, ...cost }, waste }: JudgedAttempt) => ({
    label: `Run ${run.runNumber}, attempt ${run.attempt}`,
    url: run.htmlUrl,
    at: run.startedAt ?? run.createdAt,
    value: getAmount(cost),
    note: [waste?.replaceAll('_', ' ') ?? runNote(run), costNote(cost)].join(', '),
  });

const listPullRequests = ({ attempts, repository }: CostReading) =>
  pullRequestCosts(runCosts(attempts), repository.defaultBranch);

/** The headline numbers of what a workflow costs. */
export const workflowCostExplanations: readonly Explanation[] = [
  explainWorkflow(estimatedCost, ({ attempts }) => runCosts(attempts), runItem),
  explainWorkflow(medianRunCost, ({ attempts }) => runCosts(attempts), runItem),
  explainWorkflow(costPerPullRequest, listPullRequests, pullRequestItem),
  explainWorkflow(
    wastedCost,
    ({ judged }) => judged,
    attemptItem(({ estCost }) => estCost),
  ),
  explainWorkflow(
    wastedMinutes,
    ({ judged }) => judged,
    attemptItem(({ minutes }) => minutes),
  ),
];
