import { figures, quantity } from '../../../../server/domain/quantity.ts';
import { formatSooner } from '../../../../server/domain/sooner.ts';
import { BandBar } from '../../../charts/band.tsx';

interface Range {
  low: number;
  mid: number;
  high: number;
}

/** What is saved in 28 days. */
interface Saving {
  reduction_pct: Range;
  minutes_saved: Range;
  cost_saved: Range | null;
}

export interface PredictedEffect {
  reason: { text: string } | null;
  ceiling: Ceiling | null;
  next_28_days: (Saving & Other & { from: string }) | null;
}

/** Of a change that saves something else than minutes: what is added in 28 days, negative is less. */
interface Other {
  saves: 'minutes' | 'wall_time' | 'cost';
  cost_saved: Range | null;
  wall_p50_change_s: Range | null;
  wall_p90_change_s: Range | null;
  minutes_added: Range | null;
}

/** What a change of unknown effect saves at most. */
interface Ceiling {
  measure: string;
  value: number;
  unit: string;
}

/** What a change saves: the share of the minutes with its range, and what that comes to in 28 days. */
export function Predicted({ effect, max }: { effect: PredictedEffect; max: number }) {
  const { reason, next_28_days: next, ceiling } = effect;
  if (ceiling !== null) return <span className="muted">Not predicted. {formatCeiling(ceiling)}</span>;
  if (next === null)
    return <span className="muted">{reason === null ? 'About security.' : `Not predicted. ${reason.text}`}</span>;
  const other = formatOther(next);
  if (other !== null) return <strong>{other}</strong>;
  return (
    <>
      {next.reduction_pct.low > 0 ? <BandBar {...next.reduction_pct} max={max} /> : null}
      <strong>{formatShare(next)}</strong>
      <span className="sub muted">{formatAmounts(next)}</span>
    </>
  );
}

export const formatCeiling = ({ measure, value, unit }: Ceiling): string =>
  `No more than ${figures(value)} ${unit} a job can be saved (${measure}).`;

/**
 * How much earlier runs end or how much less they cost, and for how much; null for a change that saves minutes. Where it
 * is not known when runs end, what costs less is shown with its minutes.
 */
export function formatOther(next: Saving & Other): string | null {
  const { saves, wall_p50_change_s: p50, wall_p90_change_s: p90, minutes_added: added, cost_saved: cost } = next;
  if (saves === 'minutes') return null;
  const times = formatSooner({ p50, p90 });
  if (saves === 'cost') return formatCost(cost, p50 === null && p90 === null ? formatMinutes(next) : times);
  const most = figures(Math.max(0, Math.ceil(added?.high ?? 0)), 0);
  return (added?.high ?? 0) <= 0 ? times : `${times}, for up to ${most} more min in 28 days`;
}

/** Of other runners: they may take more. */
function formatMinutes(next: Saving): string {
  const { low, high } = next.reduction_pct;
  if (next.minutes_saved.low > 0) return `${formatShare(next)}, ${formatAmounts({ ...next, cost_saved: null })}`;
  return next.minutes_saved.high < 0
    ? `${figures(Math.floor(0 - high))}–${quantity(Math.ceil(0 - low), 'percent')} more minutes`
    : formatShare(next);
}

/** With what else there is to say. Costs are not shown to everybody. */
function formatCost(cost: Range | null, more: string): string {
  if (cost === null) return more;
  if (cost.low > 0) return `${quantity(cost.low, 'usd')} to ${quantity(cost.high, 'usd')} less in 28 days. ${more}`;
  return cost.low < 0 ? `${more}, for up to ${quantity(-cost.low, 'usd')} more in 28 days` : more;
}

/** Rounded outward, so that the range that is shown holds the one that was computed. */
export function formatShare({ reduction_pct: { low, high }, minutes_saved: minutes }: Saving): string {
  const [from, to] = [Math.floor(low), quantity(Math.ceil(high), 'percent')];
  if (minutes.low > 0) return `${figures(from)}–${to} fewer minutes`;
  return low < 0 ? `No saving certain: ${figures(from)} to ${to}` : `No saving certain, up to ${to}`;
}

export function formatAmounts(
  { minutes_saved: minutes, cost_saved: cost }: Omit<Saving, 'reduction_pct'>,
  period = ' in 28 days',
): string {
  const most = figures(Math.ceil(minutes.high), 0);
  if (minutes.low <= 0) return `up to ${most} min${period}`;
  const saved = `${figures(Math.floor(minutes.low), 0)}–${most} min${period}`;
  if (cost === null) return saved;
  if (cost.high > 0 && cost.mid < 0.01) return `${saved}, less than ${quantity(0.01, 'usd')}`;
  // Own machines, and standard runners of public repositories.
  return cost.high === 0 ? `${saved}, runner time and no money` : `${saved}, ≈ ${quantity(cost.mid, 'usd')}`;
}

/** The end of the scale that all rows share. */
export const scaleEnd = (rows: readonly { effect: PredictedEffect }[]): number =>
  Math.max(1, ...rows.map(({ effect }) => effect.next_28_days?.reduction_pct.high ?? 0));
