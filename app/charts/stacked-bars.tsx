import { type SVGAttributes, useId } from 'react';
import { quantity, type Unit } from '../../server/domain/quantity.ts';
import { BaseAxis, valueScale } from './axis.tsx';
import { type ChartNotes, type DataTableFallback, Figure } from './figure.tsx';
import { Hatches, unreadPaint } from './hatch.tsx';
import { Legend, type LegendEntry, markPlace } from './legend.tsx';
import { fittingClass, type Sides } from './room.ts';
import { across, highest } from './scale.ts';

export interface StackedRow {
  name: string;
  /** One value from zero for each part, in the unit; null is not known. */
  values: readonly (number | null)[];
  /** Beside the name, such as `42 pull requests`. */
  note?: string;
  /** Where the row's evidence is; linked from the table. */
  href?: string;
}

export interface StackedBarsProps extends ChartNotes {
  /** What the rows are, `Week from`; heads the table. */
  rowLabel: string;
  rows: readonly StackedRow[];
  /** From the left; at most five. */
  parts: readonly string[];
  /** The part that is drawn hatched; then what is not known only has no length, and its row says so. */
  hatched?: string;
  unit: Unit;
}

/**
 * One bar from zero a row, cut into parts that get darker from left to right. Bars of all rows share one scale. A part
 * that is not known has no length; a hatched end says that the bar would be longer.
 */
export function StackedBars({ rowLabel, rows, parts, hatched, unit, ...notes }: StackedBarsProps) {
  const id = useId();
  const height = rows.length * rowHeight + 24;
  const longest = highest(rows.map(({ values }) => total(values)));
  // Shares of a whole that are rounded may come to more than it.
  const end = unit === 'percent' && longest !== null ? Math.min(100, longest) : longest;
  const scale = valueScale(end, unit, 0, 1, unit === 'count');
  const gaps =
    hatched === undefined && rows.some(({ values }) => parts.some((_, index) => (values[index] ?? null) === null));
  const x = (value: number) => scale.place(value) * maxShare;
  return (
    <Figure
      {...notes}
      height={height}
      className="waterfall"
      table={tableFallback(rowLabel, rows, parts, unit)}
      legend={<Legend entries={legend(parts, { id, gaps, hatched })} />}
    >
      <Hatches id={id} />
      <BaseAxis
        ticks={scale.marks.map(({ value, label }) => ({ at: value, label }))}
        x={x}
        y={height - 24}
        sides={nothingBeside}
      />
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows may share names; their order is all they have.
        <Row key={index} row={row} parts={parts} hatched={hatched} unit={unit} x={x} id={id} y={index * rowHeight} />
      ))}
      {rows.length ? null : (
        <text className="nothing" x="50%" y="12" textAnchor="middle">
          No data in this period
        </text>
      )}
    </Figure>
  );
}

const rowHeight = 44;
/** The rest of the width is left to the end of a bar that is not known. */
const maxShare = 0.94;
const nothingBeside: Sides = () => 8;

/** Parts get stronger by enough to be distinguished, and words on the strongest can still be read. */
export function partStrength(index: number, total: number): number {
  const share = total > 1 ? index / (total - 1) : 1;
  return Number((0.06 + (strongest - 0.06) * share ** 1.2).toFixed(2));
}

export const strongest = 0.5;

const total = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) : null;
};

interface RowProps {
  row: StackedRow;
  parts: readonly string[];
  hatched: string | undefined;
  unit: Unit;
  x(value: number): number;
  id: string;
  y: number;
}

function Row({ row, parts, hatched, unit, x, id, y }: RowProps) {
  const unknown = parts.filter((_, index) => (row.values[index] ?? null) === null);
  const isAlone = row.values.filter(Boolean).length === 1;
  let start = 0;
  return (
    <g>
      <foreignObject x="0" y={y} width="100%" height="18">
        <div className="row-label" title={row.name}>
          <strong>{row.name}</strong>
          {row.note ? <span className="muted">{row.note}</span> : null}
        </div>
      </foreignObject>
      {parts.map((part, index) => {
        const value = row.values[index] ?? null;
        if (!value) return null;
        const share = x(value);
        const [left, text] = [x(start), quantity(value, unit)];
        start += value;
        const placed = part === hatched ? null : placeValue({ left, share, text, isAlone });
        return (
          <g key={part}>
            <rect
              {...(part === hatched ? unreadPaint(id) : paintPart(index, parts.length))}
              x={across(left)}
              y={y + 20}
              width={across(share)}
              height="18"
            >
              <title>{`${row.name} – ${part}: ${text}`}</title>
            </rect>
            {placed === null ? null : (
              <text {...placed} y={y + 33}>
                {text}
              </text>
            )}
          </g>
        );
      })}
      {unknown.length && hatched === undefined ? (
        <rect {...unreadPaint(id)} x={across(x(start))} y={y + 20} width="12" height="18">
          <title>{`${row.name} – unknown: ${unknown.join(', ')}`}</title>
        </rect>
      ) : null}
    </g>
  );
}

interface PlacedValue {
  left: number;
  share: number;
  text: string;
  /** Whether the bar has no other part. */
  isAlone: boolean;
}

/** A value in the middle of its part, where there is room; of a bar with one part behind its end, or inside of it. */
function placeValue({ left, share, text, isAlone }: PlacedValue): SVGAttributes<SVGTextElement> | null {
  if (isAlone && share > longBar) return { className: 'on-part', x: across(share), dx: -6, textAnchor: 'end' };
  if (isAlone) return { className: 'on-part', x: across(share), dx: 6 };
  const fits = fittingClass(text, share, nothingBeside);
  if (fits === null) return null;
  return { className: `on-part ${fits ?? ''}`.trim(), x: across(left + share / 2), textAnchor: 'middle' };
}

/** Behind a longer bar there is no room. */
const longBar = 0.75;

const paintPart = (index: number, count: number) => ({
  className: 'part fill-one',
  fillOpacity: partStrength(index, count),
});

interface LegendOptions {
  id: string;
  gaps: boolean;
  hatched: string | undefined;
}

function legend(parts: readonly string[], { id, gaps, hatched }: LegendOptions): LegendEntry[] {
  // A part alone is what the title says.
  const named = parts.length > 1 ? parts : [];
  const entries: LegendEntry[] = named.map((label, index) => ({
    label,
    mark: <rect {...(label === hatched ? unreadPaint(id) : paintPart(index, parts.length))} {...markPlace} />,
  }));
  return gaps ? [...entries, { label: 'partial data', mark: <rect {...markPlace} {...unreadPaint(id)} /> }] : entries;
}

const tableFallback = (
  rowLabel: string,
  rows: readonly StackedRow[],
  parts: readonly string[],
  unit: Unit,
): DataTableFallback => ({
  head: [rowLabel, ...parts],
  rows: rows.map(({ name, note, values, href }) => ({
    href,
    cells: [note ? `${name} (${note})` : name, ...parts.map((_, index) => quantity(values[index] ?? null, unit))],
  })),
});
