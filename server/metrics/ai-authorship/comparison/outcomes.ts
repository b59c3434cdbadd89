/** How differences of an outcome are taken, and shown. */
export type EffectUnit = 'points' | 'percent' | 'rounds';

export interface OutcomeDefinition {
  label: string;
  /** Of the values of both sides. */
  unit: 'percent' | 'hours' | 'rounds' | 'minutes';
  effectUnit: EffectUnit;
  /** Smaller differences are not reported, in the unit of effects. */
  leastEffect: number;
  better: 'higher' | 'lower' | 'neither';
}

/** What is compared; contract of the three answers, section 3.4. */
export const outcomes = {
  merged_30d: {
    label: 'Merged within 30 days',
    unit: 'percent',
    effectUnit: 'points',
    leastEffect: 3,
    better: 'higher',
  },
  first_review_hours: {
    label: 'Time to first review',
    unit: 'hours',
    effectUnit: 'percent',
    leastEffect: 10,
    better: 'lower',
  },
  review_rounds: { label: 'Review rounds', unit: 'rounds', effectUnit: 'rounds', leastEffect: 0.25, better: 'neither' },
  time_to_merge_hours: {
    label: 'Time to merge, of merged',
    unit: 'hours',
    effectUnit: 'percent',
    leastEffect: 10,
    better: 'lower',
  },
  reverted_30d: {
    label: 'Reverted within 30 days',
    unit: 'percent',
    effectUnit: 'points',
    leastEffect: 1,
    better: 'lower',
  },
  rework_30d: {
    label: 'Rework within 30 days',
    unit: 'percent',
    effectUnit: 'points',
    leastEffect: 2,
    better: 'lower',
  },
  ci_minutes: { label: 'CI minutes', unit: 'minutes', effectUnit: 'percent', leastEffect: 10, better: 'neither' },
  ci_failed_share: { label: 'Failed CI runs', unit: 'percent', effectUnit: 'points', leastEffect: 3, better: 'lower' },
} as const satisfies Record<string, OutcomeDefinition>;

export type OutcomeKey = keyof typeof outcomes;

export const outcomeKeys = Object.keys(outcomes) as OutcomeKey[];

/** Whether an outcome happened or did not: such ones have a risk. */
export const isBinary = (key: OutcomeKey): boolean =>
  key === 'merged_30d' || key === 'reverted_30d' || key === 'rework_30d';

/** On the scale on which differences are taken: a share as it is, of all else the logarithm, so that effects are ratios. */
export const toScale = (key: OutcomeKey, value: number): number =>
  outcomes[key].effectUnit === 'points' ? value : Math.log(value + 1);

/** A mean on that scale, in the unit of the outcome. */
export const toValue = (key: OutcomeKey, onScale: number): number =>
  outcomes[key].effectUnit === 'points' ? 100 * onScale : Math.exp(onScale) - 1;

/** A difference on that scale from a mean of comparable pull requests, in the unit of effects. */
export function toEffect(key: OutcomeKey, difference: number, comparable: number): number {
  const { effectUnit } = outcomes[key];
  if (effectUnit === 'points') return 100 * difference;
  return (effectUnit === 'percent' ? 100 : Math.exp(comparable)) * (Math.exp(difference) - 1);
}
