import type { Saving } from '../../advisor/plan.ts';
import type { Domain } from '../../api/wire.ts';
import { roundBand } from './effect.ts';
import type { PlanTotal } from './plan-schema.ts';

/** A total as answers have it; null where there is none. */
export function toTotal(
  saving: Saving | null,
  { recommendations, mayCost }: { recommendations: number; mayCost: boolean },
): Domain<typeof PlanTotal> | null {
  if (saving === null) return null;
  const { minutesBefore, next } = saving;
  return {
    recommendations,
    minutesBefore: Math.round(minutesBefore),
    minutesSaved: roundBand(next.minutesSaved, 0),
    costSaved: next.costSaved === null || !mayCost ? null : roundBand(next.costSaved, 2),
    reductionPct: roundBand(next.reductionPct, 1),
    per: '28 days',
  };
}
