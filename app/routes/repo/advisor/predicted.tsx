import { figures, quantity } from '../../../../server/domain/quantity.ts';
import { BandBar } from '../../../charts/band.tsx';

interface Range {
  low: number;
  mid: number;
  high: number;
}

export interface PredictedEffect {
  reason: { text: string } | null;
  next_28_days: { reduction_pct: Range; minutes_saved: Range; cost_saved: Range | null } | null;
}

/** What a change saves: the share of the minutes with its range, and what that comes to in 28 days. */
export function Predicted({ effect, max }: { effect: PredictedEffect; max: number }) {
  const { reason, next_28_days: next } = effect;
  if (next === null) return <span className="muted">Not predicted. {reason?.text}</span>;
  return (
    <>
      <BandBar {...next.reduction_pct} max={max} />
      <strong>{formatShare(next.reduction_pct)}</strong>
      <span className="sub muted">{formatAmounts(next)}</span>
    </>
  );
}

/** Rounded outward, so that the range that is shown holds the one that was computed. */
export function formatShare({ low, high }: Range): string {
  const [from, to] = [Math.floor(low), Math.ceil(high)];
  return low <= 0
    ? `no saving certain: ${figures(from)} to ${quantity(to, 'percent')}`
    : `${figures(from)}–${quantity(to, 'percent')} fewer minutes`;
}

export function formatAmounts({
  minutes_saved: minutes,
  cost_saved: cost,
}: NonNullable<PredictedEffect['next_28_days']>) {
  const saved = `${figures(Math.floor(minutes.low), 0)}–${figures(Math.ceil(minutes.high), 0)} min in 28 days`;
  return cost === null || cost.high <= 0 ? saved : `${saved}, about ${quantity(cost.mid, 'usd')}`;
}

/** The end of the scale that all rows share. */
export const scaleEnd = (rows: readonly { effect: PredictedEffect }[]): number =>
  Math.max(1, ...rows.map(({ effect }) => effect.next_28_days?.reduction_pct.high ?? 0));
