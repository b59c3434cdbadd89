import type { Instant } from '../metrics/kernel/facts.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import type { Evaluation, Feed } from './metric.ts';

/** What a rule reports when it fires. */
export interface Judged {
  threshold: number;
  /** The larger of the metric's own and the rule's. */
  minSample: number;
  /** The rule is silent for so long after it fired. */
  quietHours: number;
  lastFiredAt: Instant | null;
}

export interface Judgement {
  /** The value has come to the threshold, whether or not the rule is silent. */
  breaching: boolean;
  fires: boolean;
  /** Why it does not fire. */
  reason?: 'no_data' | 'below' | 'cooldown';
}

/**
 * How long a rule is silent after it fired: its window; of facts that are read every night up to an hour less, as a night
 * that is read a little earlier than the one before must not be skipped.
 */
export const computeQuietHours = (windowHours: number, feed: Feed): number =>
  isReadNightly(feed) ? windowHours - Math.min(1, windowHours / 24) : windowHours;

const isReadNightly = (feed: Feed) => feed === 'pull-requests' || feed === 'commits' || feed === 'actions';

/** Whether a rule fires at a moment. The value is compared as it is, unrounded; an unknown one never fires. */
export function judge(
  { threshold, minSample, quietHours, lastFiredAt }: Judged,
  evaluation: Evaluation,
  now: Instant,
): Judgement {
  const { value, sample, isNone, incomplete } = evaluation;
  if (isNone) return { breaching: false, fires: false, reason: 'below' };
  if (value === null || sample < minSample) return { breaching: false, fires: false, reason: 'no_data' };
  // A lower bound is not known to be below.
  if (value < threshold) return { breaching: false, fires: false, reason: incomplete ? 'no_data' : 'below' };
  const isSilent = lastFiredAt !== null && lastFiredAt > now - quietHours * hourMs;
  return isSilent ? { breaching: true, fires: false, reason: 'cooldown' } : { breaching: true, fires: true };
}
