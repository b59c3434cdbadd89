import type { Metric } from '../metrics/metric.ts';
import {
  type Cost,
  costPerPullRequest,
  estimatedCost,
  medianRunCost,
  type PullRequestCost,
  pullRequestCosts,
  type RunCost,
  runCosts,
} from '../metrics/run-cost.ts';
import { type JudgedAttempt, wastedCost, wastedMinutes } from '../metrics/waste.ts';
import { type Explanation, explained, runNote } from './explained.ts';
import { iso } from './instants.ts';
import { type CostReading, readCosts } from './workflow-cost-reading.ts';

/** A number of what a workflow costs, opened into what it was summed from. */
const ofWorkflow = <Fact>(
  metric: Metric<Fact>,
  factsOf: (reading: CostReading) => readonly Fact[],
  item: Parameters<typeof explained<Fact>>[2]['item'],
): Explanation => ({
  key: metric.key,
  feature: 'costAnalytics',
  needs: ['owner', 'repo', 'workflow_id'],
  async explain({ owner = '', repo = '', workflow_id = 0, per_page = 30 }, context, reply) {
    const asked = { owner, repo, workflow_id, per_page: Math.min(per_page, mostRuns) };
    const reading = await readCosts(asked, context, reply);
    const { asOf, jobs } = reading;
    const partial = !jobs.coverage.complete;
    return explained(metric, factsOf(reading), { window: null, partial, asOf, source: jobs.source, item });
  },
});

const mostRuns = 50;

const costNote = ({ minutes, unknownJobs }: Cost) =>
  unknownJobs === 0 ? `${minutes} min` : `${minutes} min, ${unknownJobs} of its jobs without a known price`;

const runItem = ({ run, ...cost }: RunCost) => ({
  label: `Run ${run.runNumber}`,
  url: run.htmlUrl,
  at: iso(run.createdAt),
  value: cost.usd,
  note: `${runNote(run)}, ${costNote(cost)}`,
});

const pullRequestItem = ({ number, headBranch, runs, ...cost }: PullRequestCost) => ({
  label: number === null ? `branch ${headBranch}` : `#${number}`,
  url: null,
  at: runs[0] ? iso(runs[0].run.createdAt) : null,
  value: cost.usd,
  note: `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}, ${costNote(cost)}`,
});

const attemptItem =
  (amountOf: (cost: Cost) => number | null) =>
  ({ attempt: { run, ...cost }, waste }: JudgedAttempt) => ({
    label: `Run ${run.runNumber}, attempt ${run.attempt}`,
    url: run.htmlUrl,
    at: iso(run.startedAt ?? run.createdAt),
    value: amountOf(cost),
    note: [waste?.replaceAll('_', ' ') ?? runNote(run), costNote(cost)].join(', '),
  });

const pullRequestsOf = ({ attempts, repository }: CostReading) =>
  pullRequestCosts(runCosts(attempts), repository.defaultBranch);

/** The headline numbers of what a workflow costs. */
export const workflowCostExplanations: readonly Explanation[] = [
  ofWorkflow(estimatedCost, ({ attempts }) => runCosts(attempts), runItem),
  ofWorkflow(medianRunCost, ({ attempts }) => runCosts(attempts), runItem),
  ofWorkflow(costPerPullRequest, pullRequestsOf, pullRequestItem),
  ofWorkflow(
    wastedCost,
    ({ judged }) => judged,
    attemptItem(({ usd }) => usd),
  ),
  ofWorkflow(
    wastedMinutes,
    ({ judged }) => judged,
    attemptItem(({ minutes }) => minutes),
  ),
];
