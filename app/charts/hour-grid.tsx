import { useId } from 'react';
import { count, quantity } from '../../server/domain/quantity.ts';
import { BaseAxis } from './axis.tsx';
import { type ChartNotes, Figure } from './figure.tsx';
import { Hatches } from './hatch.tsx';
import { Legend } from './legend.tsx';
import { across } from './scale.ts';
import { cellPaint, shadeLegend, shading } from './shade.tsx';
import { hourText, weekdays } from './zone-time.ts';

export interface HourGridProps extends ChartNotes {
  /** Seven rows from Monday, each with a count for the hours 0 to 23 of the zone; null is not known. */
  counts: readonly (readonly (number | null)[])[];
  /** One of what is counted, `commit`. */
  one: string;
  /** More of them, when not with an s. */
  many?: string;
  /** Hours of Monday to Friday that are outlined; `end` is the first hour after. */
  workday: { start: number; end: number };
  /** The zone that hours are cut in; always printed. */
  zone: string;
}

/** Weekdays by hours, the darker the more; the workday is outlined. */
export function HourGrid({ counts, one, many = `${one}s`, workday, ...notes }: HourGridProps) {
  const id = useId();
  const rows = weekdays.map((name, row) => ({ name, cells: hours.map((hour) => counts[row]?.[hour] ?? null) }));
  const all = rows.flatMap(({ cells }) => cells);
  const shades = shading(all);
  const gaps = all.includes(null);
  const formatHour = (value: number | null) => (value === null ? 'no data' : count(value, one, many));
  return (
    <Figure
      {...notes}
      height={7 * rowHeight + 24}
      table={{
        head: ['Weekday', ...hours.map(hourText)],
        rows: rows.map(({ name, cells }) => ({ cells: [name, ...cells.map((value) => quantity(value, 'count'))] })),
      }}
      legend={<Legend entries={shadeLegend(shades, `${many} per hour`, id, gaps)} />}
      below={
        <p className="source">{`Outlined: workday, Monday to Friday, ${hourText(workday.start)} to ${hourText(workday.end)}.`}</p>
      }
    >
      <Hatches id={id} />
      {rows.map(({ name, cells }, row) => (
        <g key={name}>
          <text x="-6" y={row * rowHeight + 14} textAnchor="end">
            {name}
          </text>
          {cells.map((value, hour) => (
            <rect
              key={hourText(hour)}
              x={across(hour / 24)}
              y={row * rowHeight}
              width={across(1 / 24)}
              height={rowHeight}
              {...cellPaint(shades.step(value), id)}
            >
              <title>{`${name} ${hourText(hour)} to ${hourText(hour + 1)} – ${formatHour(value)}`}</title>
            </rect>
          ))}
        </g>
      ))}
      <rect
        className="workday"
        x={across(workday.start / 24)}
        y="0"
        width={across((workday.end - workday.start) / 24)}
        height={5 * rowHeight}
      />
      <BaseAxis
        ticks={[0, 3, 6, 9, 12, 15, 18, 21, 24].map((hour) => ({ at: hour, label: hourText(hour) }))}
        x={(hour) => hour / 24}
        y={7 * rowHeight}
      />
    </Figure>
  );
}

const rowHeight = 20;
const hours = Array.from({ length: 24 }, (_, hour) => hour);
