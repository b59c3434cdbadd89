import { figures, quantity, type Unit } from '../../server/domain/quantity.ts';
import { BaseAxis, ValueAxis, type ValueScale, valueScale } from './axis.tsx';
import { type ChartNotes, type DataTableFallback, Figure } from './figure.tsx';
import { Legend, type LegendEntry } from './legend.tsx';
import { logScale } from './log-scale.ts';
import { wordWidth } from './room.ts';
import { across, highest, linear, px } from './scale.ts';
import { type At, dateTimeText, timeTicks, toInstant } from './zone-time.ts';

export interface ScatterPoint {
  /** What the point is, such as `#812 Fix the build`. */
  name: string;
  /** An instant on an axis of time, else a number from zero in the axis' unit; null is not known. */
  x: At | null;
  /** From zero, in the unit of the axis; null is not known. */
  y: number | null;
  /** Where the point's evidence is; linked from the table. */
  href?: string;
}

export interface ScatterSeries {
  label: string;
  points: readonly ScatterPoint[];
}

interface NumberAxis {
  label: string;
  unit: Unit;
  /** Equal distances are equal factors. */
  log?: boolean;
}

export interface ScatterProps extends ChartNotes {
  /** Times are cut in `zone`; the axis reaches from `from` to `to` and to every point beyond. */
  x: NumberAxis | { label: string; zone: string; from?: At; to?: At };
  y: NumberAxis;
  /** One or two: the first is drawn as filled dots, the second as square squares. */
  series: readonly [ScatterSeries] | readonly [ScatterSeries, ScatterSeries];
  /** A line across at the median of the y values, as its metric computed it. */
  median?: number | null;
  height?: number;
}

/** One mark for each fact. A fact that lacks one of its values is not drawn; how many lack one is shown. */
export function Scatter({ x, y, series, median = null, height = 260, ...notes }: ScatterProps) {
  const points = series.flatMap(({ points }, index) => points.map((point) => placed(point, index)));
  const known = points.filter((point): point is Known => point.at !== null && point.y !== null);
  const bottom = height - 42;
  const down = computeScale(y, [...known.map((point) => point.y), ...(median === null ? [] : [median])], bottom, 12);
  const along = acrossScale(x, known);
  const lacking = points.length - known.length;
  return (
    <Figure
      {...notes}
      zone={'zone' in x ? x.zone : notes.zone}
      height={height}
      table={tableFallback(x, y, series)}
      legend={<Legend entries={legend(series, y.label)} />}
      below={
        lacking ? (
          <p className="source">{`Not shown, value unknown: ${figures(lacking)} of ${figures(points.length)}.`}</p>
        ) : null
      }
    >
      <ValueAxis scale={down} />
      <BaseAxis ticks={along.marks.map(({ value, label }) => ({ at: value, label }))} x={along.place} y={bottom} />
      <text x="100%" y={height - 6} textAnchor="end">
        {x.label}
      </text>
      {known.length === 0 ? (
        <text className="nothing" x="50%" y={bottom / 2} textAnchor="middle">
          No data in this period
        </text>
      ) : null}
      {known.map((point, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: points may share names; their order is all they have.
        <Mark key={index} square={point.series === 1} x={across(along.place(point.at))} y={px(down.place(point.y))}>
          {`${point.name} – ${xText(x, point.x)}, ${quantity(point.y, y.unit)}${series.length > 1 ? `, ${series[point.series]?.label}` : ''}`}
        </Mark>
      ))}
      {median === null ? null : <MedianLine y={down.place(median)} label={`median ${quantity(median, y.unit)}`} />}
    </Figure>
  );
}

/** Marks at the very edge would stand across it. */
const ends: [number, number] = [0.015, 0.985];

type Placed = ScatterPoint & { series: number; at: number | null };
type Known = Placed & { at: number; y: number };

const placed = (point: ScatterPoint, series: number): Placed => ({
  ...point,
  series,
  at: point.x === null ? null : toInstant(point.x),
});

const computeScale = ({ unit, log }: NumberAxis, values: number[], from: number, to: number): ValueScale =>
  log ? logScale(values, unit, from, to) : valueScale(highest(values), unit, from, to);

function acrossScale(axis: ScatterProps['x'], known: Known[]): ValueScale {
  const values = known.map(({ at }) => at);
  if (!('zone' in axis)) return computeScale(axis, values, ...ends);
  const end = (at: At | undefined) => (at === undefined ? [] : [toInstant(at)]);
  const [from, to] = [Math.min(...values, ...end(axis.from)), Math.max(...values, ...end(axis.to))];
  if (!Number.isFinite(from) || !Number.isFinite(to)) return { place: () => 0.5, marks: [] };
  const marks = timeTicks(from, to, axis.zone).map(({ at, label }) => ({ value: at, label }));
  return { place: linear([from, to], ends), marks };
}

function Mark({ square, x, y, children }: { square: boolean; x: string; y: number; children: string }) {
  const title = <title>{children}</title>;
  if (!square)
    return (
      <circle className="dot" cx={x} cy={y} r="3.5">
        {title}
      </circle>
    );
  return (
    <rect className="dot square" x={x} y={y - 3.5} width="7" height="7" transform="translate(-3.5 0)">
      {title}
    </rect>
  );
}

const MedianLine = ({ y, label }: { y: number; label: string }) => (
  <g className="median">
    <line x1="0" x2="100%" y1={px(y)} y2={px(y)} />
    <rect
      x="100%"
      y={px(y - 16)}
      width={px(wordWidth(label))}
      height="15"
      transform={`translate(${px(-wordWidth(label))} 0)`}
    />
    <text x="100%" y={px(y - 4)} textAnchor="end">
      {label}
    </text>
  </g>
);

/** The label of the upright axis stands here too: beside the axis it would lie on its side. */
function legend(series: readonly ScatterSeries[], label: string): LegendEntry[] {
  const marks = [
    <circle key="one" className="dot" cx="6" cy="6" r="3.5" />,
    <rect key="two" className="dot square" x="2.5" y="2.5" width="7" height="7" />,
  ];
  const kinds = series.length > 1 ? series.map((one, index) => ({ label: one.label, mark: marks[index] })) : [];
  return [{ label }, ...kinds];
}

function xText(axis: ScatterProps['x'], value: At | null): string {
  if (value === null) return '–';
  return 'zone' in axis ? dateTimeText(value, axis.zone) : quantity(toInstant(value), axis.unit);
}

function tableFallback(x: ScatterProps['x'], y: NumberAxis, series: readonly ScatterSeries[]): DataTableFallback {
  const kind = (label: string) => (series.length > 1 ? [label] : []);
  return {
    head: ['Point', x.label, y.label, ...kind('Type')],
    rows: series.flatMap(({ label, points }) =>
      points.map((point) => ({
        href: point.href,
        cells: [point.name, xText(x, point.x), quantity(point.y, y.unit), ...kind(label)],
      })),
    ),
  };
}
