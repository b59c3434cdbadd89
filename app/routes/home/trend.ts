import { dayText } from '../../../server/domain/day-text.ts';
import { dayNumber, dayOfNumber, startOfDay } from '../../charts/zone-time.ts';
import type { MetricCardProps } from '../../components/metric-card.tsx';
import type { Overview } from './overview.tsx';

const dayMs = 86_400_000;

type Days = Pick<Overview, 'dates' | 'failure_rates' | 'window' | 'timezone'>;

/** The failure rate of each day that the range touches; nothing where not all of them are among the days of the answer. */
export function findTrend({ dates, failure_rates: rates, window, timezone }: Days): MetricCardProps['trend'] {
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  const begin = (date: string) => startOfDay(date, timezone);
  const end = (date: string) => begin(dayOfNumber(dayNumber(date) + 1));
  const days = dates
    .map((date, index) => ({ date, rate: rates[index] ?? null }))
    .filter(({ date }) => begin(date) <= to && end(date) > from);
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  // N times 24 hours begin within the day before the last N.
  if (first === undefined || last === undefined || begin(first) - dayMs > from) return undefined;
  return {
    values: days.map(({ rate }) => rate),
    label: `Failure rate per day, ${dayText(first)} to ${dayText(last)}`,
    unit: 'percent',
    kind: 'bars',
  };
}
