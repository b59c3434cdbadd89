import { type Change, changeInPercent } from '../../components/measurement.tsx';
import type { Delivery } from './panels.ts';

/** Changes are of the last 30 days against the 30 before, beside values of 90. */
const monthly = { against: 'the previous 30 days', window: '30 days' };

export function leadTimeChange({ lead_time_change: change }: Delivery): Change | undefined {
  if (change === null) return undefined;
  const by = changeInPercent(change.median_ms, change.median_ms_before);
  return { by, unit: 'percent', better: 'lower', verdict: change.verdict, ...monthly };
}

export function mergeChange({ merge_change: change }: Delivery): Change | undefined {
  if (change === null) return undefined;
  const by = changeInPercent(change.merged, change.merged_before);
  return { by, unit: 'percent', better: 'higher', verdict: change.verdict, ...monthly };
}

export function fixChange({ change_failure_rate_change: change }: Delivery): Change | undefined {
  if (change === null) return undefined;
  const by = change.rate - change.rate_before;
  return { by, unit: 'points', better: 'lower', verdict: change.verdict, ...monthly };
}
