import { predictedDays } from '../../advisor/replay/band.ts';
import type { Effect } from '../../advisor/replay/predict.ts';
import type { Domain } from '../../api/wire.ts';
import { roundBand } from './effect.ts';
import type { PlanTotal } from './plan-schema.ts';

/** A total as answers have it; null where nothing is predicted. */
export function toTotal({ history, next, days }: Effect, mayCost: boolean): Domain<typeof PlanTotal> | null {
  if (history === null || next === null) return null;
  const stable = days.filter(({ day }) => day >= next.from);
  const recorded = stable.reduce((sum, { before }) => sum + before.minutes, 0);
  return {
    minutesBefore: Math.round((recorded * predictedDays) / stable.length),
    minutesSaved: roundBand(next.minutesSaved, 0),
    costSaved: next.costSaved === null || !mayCost ? null : roundBand(next.costSaved, 2),
    reductionPct: roundBand(next.reductionPct, 1),
    per: '28 days',
  };
}
