import type { JobDetail } from '../facts/job-repository.ts';
import type { JobStep, WorkflowJob } from '../metrics/kernel/facts.ts';
import { isCarriedOver, jobQueueWait, stepsInOrder } from '../metrics/runs/jobs.ts';
import { type AttemptFacts, attemptStart } from './attempt-spans.ts';
import { attemptSpanId, jobSpanId, queueSpanId, stepSpanId, traceId } from './ids.ts';
import { type Interval, toInterval } from './interval.ts';
import { toResult } from './result.ts';
import { type Attributes, type AttributeValue, type PipelineSpan, toAttributes, toSpanName } from './span.ts';

/** A job, and how much is known of it. */
export type JobFacts = WorkflowJob & { detail: JobDetail };

/** Spans of a completed job: itself, its wait in the queue where that is known, and its steps (contract-open §4.2). */
export function jobSpans(facts: AttemptFacts, job: JobFacts): PipelineSpan[] {
  if (job.status !== 'completed' || isCarriedOver(facts, job)) return [];
  const wait = job.detail === 'full' ? jobQueueWait(job) : null;
  const floor = job.createdAt ?? attemptStart(facts) ?? facts.completedAt;
  const interval = toInterval(pickedUpAt(job), job.completedAt, floor);
  const ids = { trace: traceId(facts), attempt: attemptSpanId(facts), job: jobSpanId(facts, job.id) };
  const context = { facts, job, ids };
  const steps = stepsInOrder(job).map((step) => stepSpan(context, step, interval.startAt));
  const queue = wait === null || job.createdAt === null ? [] : queueSpan(context, job.createdAt, wait);
  return [jobSpan(context, interval, wait), queue, steps].flat();
}

/** A job with the ids that all of its spans need: hashing takes longer than all else about a span. */
interface JobContext {
  facts: AttemptFacts;
  job: JobFacts;
  ids: { trace: string; attempt: string; job: string };
}

/** The platform has been seen to report the enqueue time as the start, so the first step's start counts when later. */
function pickedUpAt(job: WorkflowJob) {
  const firstStep = stepsInOrder(job)[0]?.startedAt ?? null;
  return job.startedAt === null ? firstStep : Math.max(job.startedAt, firstStep ?? job.startedAt);
}

function jobSpan({ job, ids }: JobContext, interval: Interval, wait: number | null): PipelineSpan {
  const hasRunner = job.runnerName !== null;
  return {
    ...childSpan(ids.trace, interval, job.name, `job ${job.id}`),
    spanId: ids.job,
    parentSpanId: ids.attempt,
    ...toTask(interval, toResult(job.conclusion, 'step_failure'), {
      'cicd.pipeline.task.name': job.name,
      'cicd.pipeline.task.run.id': String(job.id),
      'cicd.pipeline.task.run.url.full': job.htmlUrl,
      'cicd.worker.name': job.runnerName,
      'das.runner.labels': hasRunner ? job.labels : null,
      'das.queue.wait_ms': wait,
      'das.job.detail': job.detail,
    }),
  };
}

function queueSpan({ facts, job, ids }: JobContext, createdAt: number, waitMs: number): PipelineSpan {
  const interval = toInterval(createdAt, createdAt + waitMs, createdAt);
  return {
    ...childSpan(ids.trace, interval, `queue ${job.name}`, `queue ${job.id}`),
    spanId: queueSpanId(facts, job.id),
    parentSpanId: ids.attempt,
    isError: false,
    attributes: toAttributes({
      'cicd.pipeline.run.state': 'pending',
      'cicd.pipeline.task.run.id': String(job.id),
      'das.runner.group': job.runnerGroup,
    }),
  };
}

function stepSpan({ facts, job, ids }: JobContext, step: JobStep, jobStart: number): PipelineSpan {
  const interval = toInterval(step.startedAt, step.completedAt, jobStart);
  return {
    ...childSpan(ids.trace, interval, step.name, `step ${step.number}`),
    spanId: stepSpanId(facts, job.id, step.number),
    parentSpanId: ids.job,
    ...toTask(interval, toResult(step.conclusion, '_OTHER'), {
      'cicd.pipeline.task.name': step.name,
      'cicd.pipeline.task.run.id': `${job.id}/${step.number}`,
      'cicd.pipeline.task.run.url.full': `${job.htmlUrl}#step:${step.number}:1`,
      'das.step.number': step.number,
    }),
  };
}

const childSpan = (trace: string, interval: Interval, name: string, otherwise: string) => ({
  traceId: trace,
  name: toSpanName(name, otherwise),
  kind: 'internal' as const,
  link: null,
  ...interval,
});

/** Error and attributes of a job or a step. */
const toTask = (
  { isCorrected }: Interval,
  { result, errorType }: ReturnType<typeof toResult>,
  values: Readonly<Record<string, AttributeValue | null>>,
): { isError: boolean; attributes: Attributes } => ({
  isError: errorType !== null,
  attributes: toAttributes({
    ...values,
    'cicd.pipeline.task.run.result': result,
    'error.type': errorType,
    'das.time.corrected': isCorrected || null,
  }),
});
