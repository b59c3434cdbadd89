import { dayNumber, dayOfNumber } from '../../charts/zone-time.ts';

/** Days of deployments are of 30 × 24 hours. */
const period = 30;

/**
 * The total of the same day a period before, for the dashed line over the bars. A single day would be no line, and a period
 * without any deployment has nothing to see.
 */
export function compareDays(before: readonly { date: string; value: number | null }[] | null | undefined) {
  const known = (before ?? []).flatMap(({ date, value }) => (value === null ? [] : [[date, value] as const]));
  if (known.length < 2 || known.every(([, value]) => value === 0)) return null;
  const values = new Map(known);
  return {
    label: `previous ${period} days`,
    find: (date: string): number | null => values.get(dayOfNumber(dayNumber(date) - period)) ?? null,
  };
}
