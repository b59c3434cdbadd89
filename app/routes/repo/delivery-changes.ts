import { type Change, changeInPercent } from '../../components/measurement.tsx';
import type { MetricCardProps } from '../../components/metric-card.tsx';
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

export function releaseChange({ release_change: change }: Delivery): Change | undefined {
  if (change === null) return undefined;
  const by = changeInPercent(change.released, change.released_before);
  return { by, unit: 'percent', better: 'higher', verdict: change.verdict, ...monthly };
}

export function restoreChange({ mttr_change: change }: Delivery): Change | undefined {
  if (change === null) return undefined;
  const by = changeInPercent(change.median_ms, change.median_ms_before);
  return { by, unit: 'percent', better: 'lower', verdict: change.verdict, ...monthly };
}

type Trend = MetricCardProps['trend'];

/** The running week is left out: it would look like a slump. None where nothing happened in any other. */
function weekTrend(weeks: Delivery['throughput_by_week'] | null, label: string): Trend {
  const counts = (weeks ?? []).slice(0, -1).map(({ count, partial }) => (partial ? null : count));
  return counts.some((count) => count) ? { values: counts, label, unit: 'count', kind: 'bars' } : undefined;
}

export const mergeTrend = ({ throughput_by_week: weeks }: Delivery): Trend => weekTrend(weeks, 'Merged per week');
export const releaseTrend = ({ releases_by_week: weeks }: Delivery): Trend => weekTrend(weeks, 'Releases per week');
export const fixTrend = ({ fixes_by_week: weeks }: Delivery): Trend =>
  weekTrend(weeks, 'Reverts and hotfixes per week');
