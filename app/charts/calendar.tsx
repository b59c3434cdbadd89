import { useId } from 'react';
import { dayText, months } from '../../server/domain/day-text.ts';
import { count } from '../../server/domain/quantity.ts';
import { type ChartNotes, type DataTableFallback, Figure } from './figure.tsx';
import { Hatches } from './hatch.tsx';
import { Legend } from './legend.tsx';
import { cellPaint, type Shading, shadeLegend, shading } from './shade.tsx';
import { dayNumber, dayOfNumber, getWeekday, weekdays } from './zone-time.ts';

export interface CalendarDay {
  /** `YYYY-MM-DD`. */
  date: string;
  /** null is not known. */
  count: number | null;
}

export interface CalendarProps extends ChartNotes {
  /** In any order; a day between the first and the last that is missing is not known. */
  days: readonly CalendarDay[];
  /** One of what is counted, `commit`. */
  one: string;
  /** More of them, when not with an s. */
  many?: string;
}

/** Days as cells, one column a week from Monday, the darker the more. A day without data is hatched: it is no quiet day. */
export function Calendar({ days, one, many = `${one}s`, ...notes }: CalendarProps) {
  const id = useId();
  const weeks = laidOut(days);
  const cells = weeks.flatMap((week) => week.days).filter((cell) => cell !== null);
  const shades = shading(cells.map((cell) => cell.count));
  const gaps = cells.some((cell) => cell.count === null);
  return (
    <Figure
      {...notes}
      className="calendar"
      width={Math.max(weeks.length, 10) * step + 32}
      height={top + 7 * step}
      table={tableFallback(weeks)}
      legend={<Legend entries={shadeLegend(shades, `${many} per day`, id, gaps)} />}
    >
      <Hatches id={id} />
      {weeks.length === 0 ? (
        <text className="nothing" x="0" y={top + 3.5 * step}>
          No data in this period
        </text>
      ) : (
        <Names weeks={weeks} />
      )}
      {weeks.map((week, column) => (
        <Week
          key={week.monday}
          week={week}
          column={column}
          shades={shades}
          id={id}
          formatDay={(value) => (value === null ? 'no data' : count(value, one, many))}
        />
      ))}
    </Figure>
  );
}

/** A cell with the gap beside it. */
const step = 14;
const top = 18;

interface Cell {
  number: number;
  count: number | null;
}

interface CalendarWeek {
  /** Days since 1970-01-01. */
  monday: number;
  /** Monday to Sunday; null before the first day and after the last. */
  days: (Cell | null)[];
}

function laidOut(days: readonly CalendarDay[]): CalendarWeek[] {
  if (days.length === 0) return [];
  const counts = new Map(days.map(({ date, count }) => [dayNumber(date), count]));
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  const weeks: CalendarWeek[] = [];
  for (let monday = first - getWeekday(first); monday <= last; monday += 7) {
    const numbers = weekdays.map((_, index) => monday + index);
    const cell = (number: number) =>
      number < first || number > last ? null : { number, count: counts.get(number) ?? null };
    weeks.push({ monday, days: numbers.map(cell) });
  }
  return weeks;
}

/** Months above the week that has their first day; weekdays at the right, where a narrow box begins to be read. */
function Names({ weeks }: { weeks: CalendarWeek[] }) {
  return (
    <>
      {weeks.map(({ monday }, column) => {
        const [year, month, day] = dayOfNumber(monday + 6)
          .split('-')
          .map(Number);
        if (!day || !month || day > 7 || column > weeks.length - 2) return null;
        return (
          <text key={monday} x={column * step} y="11">
            {month === 1 ? `${months[0]} ${year}` : months[month - 1]}
          </text>
        );
      })}
      {weekdays.map((name, index) =>
        index % 2 ? null : (
          <text key={name} x={weeks.length * step + 4} y={top + index * step + 10}>
            {name}
          </text>
        ),
      )}
    </>
  );
}

interface WeekProps {
  week: CalendarWeek;
  column: number;
  shades: Shading;
  id: string;
  formatDay(count: number | null): string;
}

const Week = ({ week, column, shades, id, formatDay }: WeekProps) =>
  week.days.map((cell, index) =>
    cell === null ? null : (
      <rect
        key={cell.number}
        x={column * step + 0.5}
        y={top + index * step + 0.5}
        width={step - 3}
        height={step - 3}
        {...cellPaint(shades.step(cell.count), id)}
      >
        <title>{`${weekdays[index]} ${dayText(dayOfNumber(cell.number))} – ${formatDay(cell.count)}`}</title>
      </rect>
    ),
  );

/** One row a week: a row for each day would be too long to read. */
const tableFallback = (weeks: CalendarWeek[]): DataTableFallback => ({
  head: ['Week from', ...weekdays],
  rows: weeks.map(({ monday, days }) => ({
    cells: [dayText(dayOfNumber(monday)), ...days.map((cell) => (cell ? cellText(cell.count) : ''))],
  })),
});

const cellText = (value: number | null) => (value === null ? '–' : String(value));
