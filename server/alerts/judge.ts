import type { Instant } from '../metrics/kernel/facts.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import type { Evaluation } from './metric.ts';

/** What a rule reports when it fires. */
export interface Judged {
  threshold: number;
  /** The larger of the metric's own and the rule's. */
  minSample: number;
  /** The rule is silent for so long after it fired. */
  windowHours: number;
  lastFiredAt: Instant | null;
}

export interface Judgement {
  /** The value has come to the threshold, whether or not the rule is silent. */
  breaching: boolean;
  fires: boolean;
  /** Why it does not fire. */
  reason?: 'no_data' | 'below' | 'cooldown';
}

/** Whether a rule fires at a moment. The value is compared as it is, unrounded; an unknown one never fires. */
export function judge(
  { threshold, minSample, windowHours, lastFiredAt }: Judged,
  evaluation: Evaluation,
  now: Instant,
): Judgement {
  const { value, sample, isNone, incomplete } = evaluation;
  if (isNone) return { breaching: false, fires: false, reason: 'below' };
  if (value === null || sample < minSample) return { breaching: false, fires: false, reason: 'no_data' };
  // A lower bound is not known to be below.
  if (value < threshold) return { breaching: false, fires: false, reason: incomplete ? 'no_data' : 'below' };
  const isSilent = lastFiredAt !== null && lastFiredAt > now - windowHours * hourMs;
  return isSilent ? { breaching: true, fires: false, reason: 'cooldown' } : { breaching: true, fires: true };
}
