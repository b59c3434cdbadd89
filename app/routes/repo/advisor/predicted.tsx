import { figures, quantity } from '../../../../server/domain/quantity.ts';
import { BandBar } from '../../../charts/band.tsx';

interface Range {
  low: number;
  mid: number;
  high: number;
}

export interface PredictedEffect {
  reason: { text: string } | null;
  ceiling: Ceiling | null;
  next_28_days: { from: string; reduction_pct: Range; minutes_saved: Range; cost_saved: Range | null } | null;
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
  if (next === null) return <span className="muted">Not predicted. {reason?.text}</span>;
  return (
    <>
      {next.reduction_pct.low > 0 ? <BandBar {...next.reduction_pct} max={max} /> : null}
      <strong>{formatShare(next.reduction_pct)}</strong>
      <span className="sub muted">{formatAmounts(next)}</span>
    </>
  );
}

export const formatCeiling = ({ measure, value, unit }: Ceiling): string =>
  `No more than ${figures(value)} ${unit} a job can be saved (${measure}).`;

/** Rounded outward, so that the range that is shown holds the one that was computed. */
export function formatShare({ low, high }: Range): string {
  const [from, to] = [Math.floor(low), quantity(Math.ceil(high), 'percent')];
  if (low === 0) return `No saving certain, up to ${to}`;
  return low < 0 ? `No saving certain: ${figures(from)} to ${to}` : `${figures(from)}–${to} fewer minutes`;
}

export function formatAmounts({
  minutes_saved: minutes,
  cost_saved: cost,
}: Pick<NonNullable<PredictedEffect['next_28_days']>, 'minutes_saved' | 'cost_saved'>): string {
  const most = figures(Math.ceil(minutes.high), 0);
  if (minutes.low <= 0) return `up to about ${most} min in 28 days`;
  const saved = `${figures(Math.floor(minutes.low), 0)}–${most} min in 28 days`;
  if (cost === null) return saved;
  // Own machines, and standard runners of public repositories.
  return cost.high === 0 ? `${saved}, runner time and no money` : `${saved}, about ${quantity(cost.mid, 'usd')}`;
}

/** The end of the scale that all rows share. */
export const scaleEnd = (rows: readonly { effect: PredictedEffect }[]): number =>
  Math.max(1, ...rows.map(({ effect }) => effect.next_28_days?.reduction_pct.high ?? 0));
