import type { WorkflowJob } from '../kernel/facts.ts';
import { roundTo } from '../kernel/statistics.ts';
import { isLabelledOwn } from '../runs/runner-labels.ts';
import { findPrice, findSku, type LargerRunnerLabels, standardSkus } from './runner-prices.ts';

/** What decides a job's price beside the job itself. */
export interface Pricing {
  /** Whether the repository is public; internal ones are not. */
  isPublic: boolean;
  largerRunnerLabels?: LargerRunnerLabels;
}

/** What one job of one attempt is estimated to cost. */
export interface JobCost {
  /** null for self-hosted and unknown runners. */
  sku: string | null;
  /** Full minutes, each job rounded up; null while it runs or when its times are not known. */
  minutes: number | null;
  /** USD; null when it is unknown, never a guess. */
  usd: number | null;
}

/** What of a job decides what it costs. */
export type PricedJob = Pick<
  WorkflowJob,
  'status' | 'conclusion' | 'startedAt' | 'completedAt' | 'runnerName' | 'runnerGroup' | 'labels' | 'steps'
>;

/**
 * An estimate from the price list, rounded up to full minutes. A job no runner took costs nothing, nor does a
 * self-hosted runner, nor a standard runner in a public repository. A runner that the labels do not identify is null.
 */
export function jobCost(job: PricedJob, pricing: Pricing): JobCost {
  const { sku, usdPerMinute } = findMinutePrice(job, pricing);
  const minutes = billedMinutes(job);
  if (minutes === null) return { sku, minutes, usd: null };
  if (minutes === 0) return { sku, minutes, usd: 0 };
  return { sku, minutes, usd: usdPerMinute === null ? null : roundTo(minutes * usdPerMinute, 6) };
}

/** What the platform charges for a minute. */
interface MinutePrice {
  /** null for self-hosted and unknown runners. */
  sku: string | null;
  /** USD; 0 for own machines and for standard runners in public repositories, null when it cannot be said. */
  usdPerMinute: number | null;
}

/**
 * The price of a minute of the runner that took a job, at the time when the job started. Self-hosted runners are free by
 * their label alone: a larger runner may be in a group of any name.
 */
export function findMinutePrice(
  { labels, startedAt }: Pick<WorkflowJob, 'labels' | 'startedAt'>,
  { isPublic, largerRunnerLabels = {} }: Pricing,
): MinutePrice {
  if (isLabelledOwn(labels)) return { sku: null, usdPerMinute: 0 };
  const sku = findSku(labels, largerRunnerLabels);
  if (sku === null || startedAt === null) return { sku, usdPerMinute: null };
  if (isPublic && standardSkus.has(sku)) return { sku, usdPerMinute: 0 };
  return { sku, usdPerMinute: findPrice(sku, startedAt)?.usdPerMinute ?? null };
}

/** Full minutes that a runner worked for an ended job, whatever it came to; 0 when none took it. */
export function billedMinutes(job: PricedJob): number | null {
  if (job.status !== 'completed') return null;
  return wasTaken(job) ? fullMinutes(job) : 0;
}

/** From start to end, rounded up; null when either is not known or the end lies before the start. */
export function fullMinutes({ startedAt, completedAt }: Pick<WorkflowJob, 'startedAt' | 'completedAt'>): number | null {
  if (startedAt === null || completedAt === null || completedAt < startedAt) return null;
  return Math.ceil((completedAt - startedAt) / 60_000);
}

/** Whether a runner took the job; one that was cancelled or failed while it waited has a start all the same. */
export function wasTaken({
  conclusion,
  runnerName,
  steps,
}: Pick<PricedJob, 'conclusion' | 'runnerName' | 'steps'>): boolean {
  return conclusion !== 'skipped' && (runnerName !== null || steps.length > 0);
}
