import type { PlanTotal as TotalOf } from '../../advisor/plan.ts';
import { predictedDays } from '../../advisor/replay/band.ts';
import type { Domain } from '../../api/wire.ts';
import { roundBand } from './effect.ts';
import type { PlanTotal } from './plan-schema.ts';

/** A total as answers have it. */
export function toTotal(total: TotalOf | null, mayCost: boolean): Domain<typeof PlanTotal> | null {
  const next = total?.effect.next ?? null;
  if (total === null || next === null) return null;
  const { days } = total.effect;
  const stable = days.filter(({ day }) => day >= next.from);
  const recorded = stable.reduce((sum, { before }) => sum + before.minutes, 0);
  return {
    recommendations: total.selected.length,
    minutesBefore: Math.round((recorded * predictedDays) / stable.length),
    minutesSaved: roundBand(next.minutesSaved, 0),
    costSaved: next.costSaved === null || !mayCost ? null : roundBand(next.costSaved, 2),
    reductionPct: roundBand(next.reductionPct, 1),
    per: '28 days',
  };
}
