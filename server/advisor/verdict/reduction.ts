import type { Instant } from '../../metrics/kernel/facts.ts';
import { metric } from '../../metrics/kernel/metric.ts';

/** A part of the minutes that a reduction is made of. */
export interface ReductionPart {
  label: string;
  /** The UTC day; null for what is not of one day. */
  at: Instant | null;
  side: 'before' | 'after';
  /** null where not all jobs are stored. */
  minutes: number | null;
  note: string;
}

const sumOf = (parts: readonly ReductionPart[], wanted: ReductionPart['side']): number =>
  parts.reduce((sum, { side, minutes }) => (side === wanted ? sum + (minutes ?? 0) : sum), 0);

/** How many fewer billable minutes a workflow takes with a recommended change. */
export const advisorReduction = metric<ReductionPart>({
  key: 'advisor_reduction',
  label: 'Reduction of CI minutes',
  unit: 'percent',
  digits: 1,
  better: 'higher',
  source: 'parts of the minutes before and after a change',
  definition:
    'One minus the billable minutes of a workflow with a recommended change, divided by those without it. Once the change is merged: minutes per update, commit, run or day as measured at the last look, for the mix of these before the merge. Until then: minutes by day, as recorded and as the change would have made them.',
  counts: ({ minutes }) => minutes !== null || 'not all jobs of the day are stored',
  value(counted) {
    const before = sumOf(counted, 'before');
    return before === 0 ? null : 100 * (1 - sumOf(counted, 'after') / before);
  },
});
