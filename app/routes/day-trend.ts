import { dayText } from '../../server/domain/day-text.ts';
import type { MetricCardProps } from '../components/metric-card.tsx';

interface Day {
  date: string;
  /** The window begins or ends within it. */
  partial: boolean;
}

/** Fewer days are no course. */
const minDays = 3;

/** The values of whole days as the spark line of a card; nothing while too few are known. */
export function findDayTrend<T extends Day>(
  all: readonly T[],
  name: string,
  getValue: (day: T) => number | null,
): Pick<NonNullable<MetricCardProps['trend']>, 'values' | 'label'> | undefined {
  // A day that has only begun would look like a fall.
  const days = all.filter(({ partial }) => !partial);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || days.filter((day) => getValue(day) !== null).length < minDays) return undefined;
  return { values: days.map(getValue), label: `${name} per day, ${dayText(first.date)} to ${dayText(last.date)}` };
}
