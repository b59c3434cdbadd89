import type { Instant } from '../metrics/kernel/facts.ts';
import { type Saving, usualMinutes } from './plan.ts';
import { type Amount, type DayAmounts, sumAmounts } from './replay/days.ts';
import { nextDaysOf } from './replay/figures.ts';

/** A repository with what its changes save, if they do, on days of which its minutes are known. */
export interface CountedRepository {
  id: number;
  /** null where none is certain to save anything. */
  total: Saving | null;
  days: readonly DayAmounts[];
}

/**
 * What the changes of several repositories save together. They are added up day by day, so that weeks in which all of
 * them save little are drawn together: their ranges do not add up. It rests on the days that the totals of all of them
 * rest on; a day between these on which a repository was not counted is one of its mean. Contract of the advisor, section
 * 6.4. null where none saves anything.
 */
export function totalOf(repositories: readonly CountedRepository[]): Saving | null {
  if (repositories.every(({ total }) => total === null)) return null;
  const [first, ...others] = repositories;
  if (first && others.length === 0) return first.total;
  const from = Math.max(...repositories.flatMap(({ total, days }) => (total && days[0]?.day) ?? []));
  const all = new Set(repositories.flatMap((one) => one.days.map(({ day }) => day)));
  const days = [...all].filter((day) => day >= from).sort(ascending);
  const filled = repositories.map((one) => fill(one.days, days));
  const sums = days.map((day, index) =>
    addUp(
      day,
      filled.flatMap((one) => one[index] ?? []),
    ),
  );
  const next = nextDaysOf(sums, [...repositories.map(({ id }) => id).sort(ascending), days.at(-1) ?? 0]);
  return next && { minutesBefore: usualMinutes(sums), next };
}

const ascending = (one: number, other: number): number => one - other;

const addUp = (day: Instant, amounts: readonly DayAmounts[]): DayAmounts => ({
  day,
  before: sumAmounts(amounts.map(({ before }) => before)),
  after: sumAmounts(amounts.map(({ after }) => after)),
});

/** The amounts of a repository on each of the days. */
function fill(known: readonly DayAmounts[], days: readonly Instant[]): DayAmounts[] {
  const byDay = new Map(known.map((one) => [one.day, one]));
  const before = meanOf(known.map((one) => one.before));
  const after = meanOf(known.map((one) => one.after));
  return days.map((day) => byDay.get(day) ?? { day, before, after });
}

function meanOf(amounts: readonly Amount[]): Amount {
  const { minutes, cost, unpricedMinutes } = sumAmounts(amounts);
  const count = amounts.length;
  return { minutes: minutes / count, cost: cost / count, unpricedMinutes: unpricedMinutes / count };
}
