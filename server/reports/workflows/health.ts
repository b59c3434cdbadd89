import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { recentSuccessRate, runHealth } from '../../metrics/runs/health.ts';
import { averageQueueWait, highQueueWait, queueWait, slowQueueWait } from '../../metrics/runs/queue-delays.ts';
import { getQueueWait } from '../../metrics/runs/queue-wait.ts';
import {
  averageDuration,
  slowDuration,
  workflowMedianDuration,
  workflowP90Duration,
} from '../../metrics/runs/times.ts';
import {
  failureStreak,
  getDuration,
  isDefaultBranchRun,
  type MeasuredRun,
  mayBeLonger,
  successRate,
} from '../../metrics/runs/workflow-runs.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { type Explanation, explainMetric, runNote } from '../kernel/evidence.ts';
import { provenance } from '../kernel/instants.ts';
import { knownUntil } from '../repositories/facts.ts';
import { type RunsInput, readWorkflowRuns } from '../runs/report.ts';
import { computeCourse, WorkflowCourse } from './course.ts';

export const Measurement = z
  .object({
    key: z.string(),
    label: z.string(),
    value: z.number().nullable().meta({ description: 'null when it is unknown.' }),
    unit: z.string(),
    better: z.enum(['higher', 'lower', 'neither']),
    lower_bound: z.boolean().meta({ description: 'What was not read may add to the value.' }),
    sample: z.int(),
    source: z.string(),
    definition: z.string().nullable(),
    left_out: z
      .array(z.object({ reason: z.string(), count: z.int() }))
      .meta({ description: 'What was not counted, and why.' }),
  })
  .meta({ id: 'Measurement' });

export const WorkflowHealth = z
  .object({ runs_read: z.int(), measurements: z.array(Measurement), course: WorkflowCourse, ...provenance })
  .meta({ id: 'WorkflowHealth' });

/** The headline numbers of a workflow's newest runs, each with what it counts and what it leaves out. */
export async function workflowHealth(
  input: RunsInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof WorkflowHealth>> {
  const { runs, onDefault, isComplete, until, asOf } = await readRuns(input, context, reply);
  const calendar = await teamCalendar(context);
  return {
    runsRead: runs.length,
    measurements: [...overall.map((metric) => measure(metric, runs)), measureStreak(onDefault, isComplete)],
    course: computeCourse(runs, { now: until, calendar, isComplete }),
    generatedAt: asOf,
    dataSource: 'live',
  };
}

const overall: readonly Metric<MeasuredRun>[] = [
  successRate,
  workflowMedianDuration,
  workflowP90Duration,
  averageDuration,
  slowDuration,
  queueWait,
  highQueueWait,
  averageQueueWait,
];

async function readRuns(input: RunsInput, context: Context, reply: Reply) {
  const { repository, listing } = await readWorkflowRuns(input, context, reply);
  const onDefault = listing.items.filter((run) => isDefaultBranchRun(run, repository.defaultBranch));
  const isComplete = listing.totalCount !== null && listing.totalCount <= listing.items.length;
  const { defaultBranch, asOf } = repository;
  const until = knownUntil(context.services.clock.now(), [listing]);
  return { runs: listing.items, onDefault, defaultBranch, isComplete, until, asOf: Math.min(listing.asOf, asOf) };
}

const uncounted = () => null;

const explainWorkflow = (metric: Metric<MeasuredRun>, measured: (run: MeasuredRun) => number | null): Explanation =>
  explainRuns(metric.key, () => metric, measured);

/** A number of which the default branch decides what counts. */
const explainRuns = (
  key: string,
  getMetric: (defaultBranch: string | null) => Metric<MeasuredRun>,
  measured: (run: MeasuredRun) => number | null = uncounted,
): Explanation => ({
  key,
  feature: null,
  needs: ['owner', 'repo', 'workflow_id'],
  async explain(input, context, reply) {
    const { owner = '', repo = '', workflow_id = 0, per_page = 50 } = input;
    const read = await readRuns({ owner, repo, workflow_id, per_page }, context, reply);
    const { runs, onDefault, defaultBranch, isComplete, asOf } = read;
    const metric = getMetric(defaultBranch);
    const isStreak = metric === failureStreak;
    return explainMetric(metric, isStreak ? onDefault : runs, {
      window: null,
      partial: isStreak && mayBeLonger(failureStreak(onDefault), isComplete),
      asOf,
      source: 'live',
      item: runItem(measured),
    });
  },
});

export const runItem = (measured: (run: MeasuredRun) => number | null) => (run: MeasuredRun) => ({
  label: `Run ${run.runNumber}, attempt ${run.attempt}`,
  url: run.htmlUrl,
  at: run.createdAt,
  value: measured(run),
  note: runNote(run),
});

const durationOf = (run: MeasuredRun) => getDuration(run);
const queueWaitOf = (run: MeasuredRun) => getQueueWait(run).ms;

/** What each headline number of a workflow is made of. */
export const workflowExplanations: readonly Explanation[] = [
  explainWorkflow(successRate, uncounted),
  explainWorkflow(workflowMedianDuration, durationOf),
  explainWorkflow(workflowP90Duration, durationOf),
  explainWorkflow(averageDuration, durationOf),
  explainWorkflow(slowDuration, durationOf),
  explainWorkflow(queueWait, queueWaitOf),
  explainWorkflow(highQueueWait, queueWaitOf),
  explainWorkflow(slowQueueWait, queueWaitOf),
  explainWorkflow(averageQueueWait, queueWaitOf),
  explainWorkflow(failureStreak, uncounted),
  explainRuns('recent_success_rate', recentSuccessRate),
  explainRuns('run_health', runHealth),
];

/** Failures in a row; a lower bound where they go back to the oldest run that was read. */
export function measureStreak(onDefault: readonly MeasuredRun[], isComplete: boolean): Domain<typeof Measurement> {
  return measure(failureStreak, onDefault, mayBeLonger(failureStreak(onDefault), isComplete));
}

/** A metric's value together with everything that explains it. */
export function measure<Fact>(
  metric: Metric<Fact>,
  facts: readonly Fact[],
  lowerBound = false,
): Domain<typeof Measurement> {
  const { key, label, better, definition } = metric;
  const { value, unit, sample, source } = metric(facts);
  const reasons = Map.groupBy(metric.evidence(facts).excluded, ({ reason }) => reason);
  const leftOut = [...reasons].map(([reason, left]) => ({ reason, count: left.length }));
  return { key, label, value, unit, better, lowerBound, sample, source, definition, leftOut };
}
