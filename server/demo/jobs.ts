import type { Conclusion, Instant, JobStep, WorkflowJob } from '../metrics/kernel/facts.ts';
import { type RandomStream, randomStream } from '../metrics/kernel/random-stream.ts';
import { second } from './calendar.ts';
import type { JobPlan, WorkflowPlan } from './plans.ts';
import { between, pickOne } from './random.ts';
import type { AttemptSketch } from './runs.ts';

/**
 * The jobs of one attempt, in agreement with it: they lie between its start and its end, the last one ends with it,
 * and one of them explains its conclusion.
 */
export function createAttemptJobs({ run, plan, wait }: AttemptSketch): WorkflowJob[] {
  const random = randomStream('jobs', run.id, run.attempt);
  const startedAt = run.startedAt ?? run.createdAt;
  if (run.status === 'queued') return firstStage(plan.jobs).map((job, at) => blank(run, job, at, startedAt, 'queued'));
  if (run.status === 'in_progress')
    return firstStage(plan.jobs).map((job, at) => running(run, job, at, startedAt, wait));
  if (run.conclusion === 'skipped') return plan.jobs.map((job, at) => skipped(run, job, at, run.updatedAt));
  const stages = [...new Set(plan.jobs.map((job) => job.stage))];
  const reached = between(random, 1, stages.length);
  const last = run.conclusion === 'success' || plan.failsLast ? stages.length : reached;
  const bounds = stageBounds(startedAt, run.updatedAt, wait, { count: last, usual: usualWork(run, plan, wait) });
  return plan.jobs.map((job, at) => {
    const position = stages.indexOf(job.stage);
    const span = bounds[position];
    if (!span) return skipped(run, job, at, run.updatedAt);
    const mates = plan.jobs.filter((one) => one.stage === job.stage);
    const decides = mates.indexOf(job) === run.id % mates.length;
    const conclusion = position === last - 1 && decides ? run.conclusion : 'success';
    return ended(run, job, at, { ...span, decides, conclusion: conclusion ?? 'success' }, random);
  });
}

type Run = AttemptSketch['run'];

interface Span {
  createdAt: Instant;
  startedAt: Instant;
  completedAt: Instant;
  /** When jobs end that did not hang. */
  usualEnd: Instant;
}

const firstStage = (jobs: JobPlan[]) => jobs.filter((job) => job.stage === jobs[0]?.stage);

/** Seconds that an attempt would have taken if nothing had hung. */
const usualWork = ({ conclusion, startedAt, createdAt, updatedAt }: Run, plan: WorkflowPlan, wait: number): number =>
  conclusion === 'timed_out' ? plan.seconds : Math.round((updatedAt - (startedAt ?? createdAt) - wait) / second);

/** Splits an attempt into its stages. The first waits for a machine as long as the attempt did, later ones hardly. */
function stageBounds(
  start: Instant,
  end: Instant,
  wait: number,
  { count, usual }: { count: number; usual: number },
): Span[] {
  const boundary = (index: number) =>
    index === count ? end : start + wait + Math.round((usual * index) / count) * second;
  return Array.from({ length: count }, (_, index) => ({
    createdAt: index === 0 ? start : boundary(index),
    startedAt: boundary(index),
    completedAt: boundary(index + 1),
    usualEnd: start + wait + Math.round((usual * (index + 1)) / count) * second,
  }));
}

function blank({ id, attempt, workflowName }: Run, plan: JobPlan, at: number, created: Instant, status: string) {
  const job: WorkflowJob = {
    id: id * 100 + attempt * 10 + at,
    runId: id,
    attempt,
    name: plan.name,
    workflowName,
    status,
    conclusion: null,
    createdAt: created,
    startedAt: null,
    completedAt: null,
    runnerName: null,
    runnerGroup: null,
    labels: plan.labels,
    htmlUrl: '#',
    steps: [],
  };
  return job;
}

const skipped = (run: Run, plan: JobPlan, at: number, when: Instant): WorkflowJob => ({
  ...blank(run, plan, at, when, 'completed'),
  conclusion: 'skipped',
  startedAt: when,
  completedAt: when,
  labels: [],
});

function running(run: Run, plan: JobPlan, at: number, start: Instant, wait: number): WorkflowJob {
  const random = randomStream('running', run.id, at);
  const startedAt = start + wait;
  const names = ['Set up job', ...plan.steps];
  const first: JobStep = step(1, 'Set up job', 'success', startedAt, startedAt + 2 * second);
  const open = (name: string, index: number): JobStep => ({
    ...step(index + 2, name, null, index === 0 ? startedAt + 2 * second : null, null),
    status: index === 0 ? 'in_progress' : 'queued',
  });
  return {
    ...blank(run, plan, at, start, 'in_progress'),
    startedAt,
    ...machine(plan, random),
    steps: [first, ...names.slice(1).map(open)],
  };
}

function ended(
  run: Run,
  plan: JobPlan,
  at: number,
  {
    createdAt,
    startedAt,
    completedAt,
    usualEnd,
    decides,
    conclusion,
  }: Span & { decides: boolean; conclusion: Conclusion },
  random: RandomStream,
): WorkflowJob {
  const length = Math.round(((decides ? completedAt : usualEnd) - startedAt) / second);
  const share = decides ? 1 : 0.4 + 0.5 * random();
  const end = startedAt + Math.round(length * share) * second;
  return {
    ...blank(run, plan, at, createdAt, 'completed'),
    conclusion,
    startedAt,
    completedAt: end,
    ...machine(plan, random),
    steps: stepsBetween(plan, startedAt, end, conclusion),
  };
}

function machine({ labels }: JobPlan, random: RandomStream) {
  const own = labels.includes('self-hosted');
  return {
    runnerName: own ? pickOne(random, ['quay-1', 'quay-2', 'quay-3']) : `Hosted ${between(random, 1, 900)}`,
    runnerGroup: own ? 'Harbour machines' : 'GitHub Actions',
  };
}

/** Steps that follow each other without a gap; the last real one carries the job's conclusion. */
function stepsBetween(plan: JobPlan, start: Instant, end: Instant, conclusion: Conclusion): JobStep[] {
  const names = ['Set up job', ...plan.steps];
  const seconds = Math.round((end - start) / second);
  const boundary = (index: number) => start + Math.round(seconds * (index / names.length) ** 2) * second;
  return names.map((name, index) => {
    const last = index === names.length - 1;
    return step(index + 1, name, last ? conclusion : 'success', boundary(index), boundary(index + 1));
  });
}

function step(
  number: number,
  name: string,
  conclusion: Conclusion | null,
  startedAt: Instant | null,
  completedAt: Instant | null,
): JobStep {
  return { number, name, status: conclusion === null ? 'queued' : 'completed', conclusion, startedAt, completedAt };
}
