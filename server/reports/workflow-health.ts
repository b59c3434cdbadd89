import { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { Metric } from '../metrics/metric.ts';
import { queueWaitOf } from '../metrics/queue-wait.ts';
import { averageDuration, medianQueueWait, slowDuration } from '../metrics/run-times.ts';
import {
  durationOf,
  failureStreak,
  isDefaultBranchRun,
  type MeasuredRun,
  successRate,
} from '../metrics/workflow-runs.ts';
import { type Explanation, explained, runNote } from './explained.ts';
import { iso, provenance } from './instants.ts';
import { noteCanonicalName, noteFreshness, noteListing } from './notes.ts';

export const Measurement = z
  .object({
    key: z.string(),
    label: z.string(),
    value: z.number().nullable().meta({ description: 'null when it cannot be said.' }),
    unit: z.string(),
    better: z.enum(['higher', 'lower', 'neither']),
    sample: z.int(),
    source: z.string(),
    definition: z.string().nullable(),
    left_out: z
      .array(z.object({ reason: z.string(), count: z.int() }))
      .meta({ description: 'What was not counted, and why.' }),
  })
  .meta({ id: 'Measurement' });

export const WorkflowHealth = z
  .object({ runs_read: z.int(), measurements: z.array(Measurement), ...provenance })
  .meta({ id: 'WorkflowHealth' });

interface Input {
  owner: string;
  repo: string;
  workflow_id: number;
  per_page: number;
}

/** The headline numbers of a workflow's newest runs, each with what it counts and what it leaves out. */
export async function workflowHealth(
  input: Input,
  context: Context,
  reply: Reply,
): Promise<z.input<typeof WorkflowHealth>> {
  const { runs, onDefault, asOf } = await runsOf(input, context, reply);
  return {
    runs_read: runs.length,
    measurements: [...overall.map((metric) => measure(metric, runs)), measure(failureStreak, onDefault)],
    generated_at: iso(asOf),
    data_source: 'live',
  };
}

const overall: readonly Metric<MeasuredRun>[] = [successRate, averageDuration, slowDuration, medianQueueWait];

async function runsOf(input: Input, context: Context, reply: Reply) {
  const codehost = await context.codehost();
  const [repository, listing] = await Promise.all([
    codehost.repositories.about(input),
    codehost.runs.ofWorkflow(input, input.workflow_id, input.per_page),
  ]);
  noteListing(reply, { ...listing, partial: false });
  noteFreshness(reply, repository);
  noteCanonicalName(reply, codehost, input);
  const onDefault = listing.items.filter((run) => isDefaultBranchRun(run, repository.defaultBranch));
  return { runs: listing.items, onDefault, asOf: Math.min(listing.asOf, repository.asOf) };
}

const ofWorkflow = (metric: Metric<MeasuredRun>, measured: (run: MeasuredRun) => number | null): Explanation => ({
  key: metric.key,
  feature: null,
  needs: ['owner', 'repo', 'workflow_id'],
  async explain(asked, context, reply) {
    const { owner = '', repo = '', workflow_id = 0, per_page = 50 } = asked;
    const { runs, onDefault, asOf } = await runsOf({ owner, repo, workflow_id, per_page }, context, reply);
    const counted = metric === failureStreak ? onDefault : runs;
    return explained(metric, counted, { window: null, partial: false, asOf, source: 'live', item: runItem(measured) });
  },
});

const runItem = (measured: (run: MeasuredRun) => number | null) => (run: MeasuredRun) => ({
  label: `Run ${run.runNumber}, attempt ${run.attempt}`,
  url: run.htmlUrl,
  at: iso(run.createdAt),
  value: measured(run),
  note: runNote(run),
});

const uncounted = () => null;

/** What each headline number of a workflow is made of. */
export const workflowExplanations: readonly Explanation[] = [
  ofWorkflow(successRate, uncounted),
  ofWorkflow(averageDuration, (run) => durationOf(run)),
  ofWorkflow(slowDuration, (run) => durationOf(run)),
  ofWorkflow(medianQueueWait, (run) => queueWaitOf(run).ms),
  ofWorkflow(failureStreak, uncounted),
];

/** A metric's value together with everything that explains it. */
export function measure(metric: Metric<MeasuredRun>, runs: readonly MeasuredRun[]): z.input<typeof Measurement> {
  const { key, label, better, definition } = metric;
  const { value, unit, sample, source } = metric(runs);
  const reasons = Map.groupBy(metric.evidence(runs).leftOut, ({ reason }) => reason);
  const left_out = [...reasons].map(([reason, facts]) => ({ reason, count: facts.length }));
  return { key, label, value, unit, better, sample, source, definition, left_out };
}
