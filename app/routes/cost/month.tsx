import { withChoices } from '../../components/choices.ts';

export interface CalendarMonth {
  year: number;
  /** 1 to 12. */
  month: number;
}

/** The month that an address asks for, the running one in UTC when it says nothing that could be one. */
export function requestedMonth(query: URLSearchParams, now: number): CalendarMonth {
  const today = new Date(now);
  const wanted = (name: string, fallback: number) => {
    const text = query.get(name) ?? '';
    return /^\d{1,4}$/.test(text) ? Number(text) : fallback;
  };
  const { year, month } = {
    year: wanted('year', today.getUTCFullYear()),
    month: wanted('month', today.getUTCMonth() + 1),
  };
  return { year, month };
}

export function isRunning({ year, month }: CalendarMonth, now: number): boolean {
  const today = new Date(now);
  return today.getUTCFullYear() === year && today.getUTCMonth() + 1 === month;
}

/** `November 2026`. */
export const monthName = ({ year, month }: CalendarMonth): string =>
  new Date(Date.UTC(year, month - 1, 1)).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const firstYear = 2019;

/** Links to the month before and the month after; none leads into the future. */
export function MonthSteps({ month, now, search }: { month: CalendarMonth; now: number; search: string }) {
  const [before, after] = [stepped(month, -1), stepped(month, 1)];
  const href = ({ year, month: number }: CalendarMonth) => withChoices(search, { year, month: number });
  const isPast = Date.UTC(after.year, after.month - 1, 1) <= now;
  return (
    <nav className="pager" aria-label="Months">
      {before.year >= firstYear ? (
        <a rel="prev" href={href(before)}>
          {monthName(before)}
        </a>
      ) : null}
      <strong>{monthName(month)}</strong>
      {isPast ? (
        <a rel="next" href={href(after)}>
          {monthName(after)}
        </a>
      ) : null}
    </nav>
  );
}

function stepped({ year, month }: CalendarMonth, by: 1 | -1): CalendarMonth {
  const date = new Date(Date.UTC(year, month - 1 + by, 1));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}
