import type { ReactNode } from 'react';
import { quantity, type Unit } from '../../server/domain/quantity.ts';
import { BaseAxis, ValueAxis, valueScale } from './axis.tsx';
import { type ChartNotes, type DataTableFallback, Figure } from './figure.tsx';
import { Legend } from './legend.tsx';
import { describeOutliers, findCap, Outliers } from './outliers.tsx';
import { type Part, partSuffix } from './part.ts';
import { roomForLabels } from './room.ts';
import { highest, linear } from './scale.ts';
import {
  type Annotation,
  AnnotationLines,
  Annotations,
  annotationKey,
  listMarked,
  tableWithMarks,
} from './trend-annotations.tsx';
import { Band } from './trend-band.tsx';
import { EndLabels, LimitLine, lineTones, TrendLine, TrendMarks } from './trend-parts.tsx';
import { type At, dateText, dateTimeText, timeTicks, toInstant } from './zone-time.ts';

export interface TrendPoint extends Part {
  at: At;
  /** null is unknown: the line breaks there. */
  value: number | null;
  /** Names the point in place of its date, such as `Run 812`. */
  name?: string;
  /** Where the point's evidence is; linked from the table. */
  href?: string;
  /** What happened there, such as `fires`: the point is ringed, and the table says it. */
  mark?: string;
}

export interface TrendSeries {
  label: string;
  points: readonly TrendPoint[];
  /** For what the others are compared with. */
  isDashed?: boolean;
}

export interface TrendProps extends ChartNotes {
  unit: Unit;
  zone: string;
  /** The first five are drawn, each labelled at the end of its line; the table has all. */
  series: readonly TrendSeries[];
  /** Ends of the axis; the first and last point when not given. */
  from?: At;
  to?: At;
  /** Milliseconds between buckets: a longer distance breaks the line. Leave out for points that come as they come. */
  step?: number;
  /** Whether points are reported with the time of day. */
  withTime?: boolean;
  annotations?: readonly Annotation[];
  /** Whether the area from the first line up to the second is shaded. */
  hasBand?: boolean;
  /** Whether the axis leaves out the few values that are far above the others; marks and a note say which. */
  isCapped?: boolean;
  /** Whether the values stand for others, such as the middle of a step. */
  isEstimated?: boolean;
  /** The threshold, a dashed line. */
  limit?: number;
  height?: number;
}

/** Lines over a real time axis from zero. Nothing is smoothed, and nothing unknown is drawn. */
export function Trend(props: TrendProps) {
  const { unit, zone, series, step, annotations = [], hasBand, isCapped, limit, height = 200, ...notes } = props;
  const { drawn, from, to, x } = layout(props);
  const bottom = height - 24;
  const values = [...drawn.flatMap(({ points }) => points.map(({ value }) => value)), limit ?? null];
  const cap = isCapped ? findCap(values) : null;
  const full = valueScale(cap ?? highest(values), unit, bottom, cap === null ? 10 : 16);
  const top = cap === null ? Number.POSITIVE_INFINITY : (full.marks.at(-1)?.value ?? cap);
  const scale = { ...full, place: (value: number) => full.place(Math.min(value, top)) };
  const above = describeOutliers(drawn, top, unit);
  const [lower, upper] = drawn;
  const marked = listMarked(annotations, from, to);
  const room = roomForLabels(drawn.map(({ label }) => label));
  return (
    <Figure
      {...notes}
      note={joinNotes(above, notes.note)}
      zone={zone}
      height={height}
      className={room.className}
      legend={<Legend entries={annotationKey(marked)} />}
      table={tableFallback(props, marked)}
      below={<Annotations marked={marked} zone={zone} />}
    >
      <ValueAxis scale={scale} />
      <BaseAxis ticks={timeTicks(from, to, zone)} x={x} y={bottom} sides={room.sides} />
      <AnnotationLines marked={marked} x={x} bottom={bottom} zone={zone} />
      {hasBand && lower && upper ? (
        <Band lower={lower} upper={upper} x={x} scale={scale} step={step} bottom={bottom} />
      ) : null}
      <Outliers series={drawn} top={top} x={x} />
      {drawn.map(({ label, points, isDashed }, index) => (
        <TrendLine
          key={label}
          points={points}
          x={x}
          scale={scale}
          step={step}
          tone={lineTones[index] ?? 'one'}
          isDashed={isDashed}
          bottom={bottom}
        />
      ))}
      {limit === undefined ? null : <LimitLine y={scale.place(limit)} label={`threshold ${quantity(limit, unit)}`} />}
      {drawn.length > 1 ? <EndLabels series={drawn} scale={scale} bottom={bottom} /> : null}
      {hasValue(drawn) ? null : <Nothing y={bottom / 2} />}
      <TrendMarks series={drawn} x={x} bottom={bottom} say={(point) => formatPoints(point, props)} />
    </Figure>
  );
}

/** What is above the axis beside what a page adds, such as its file. */
const joinNotes = (above: ReactNode, note: ReactNode) =>
  above && note ? (
    <>
      {above} · {note}
    </>
  ) : (
    above || note
  );

export interface PlacedPoint extends TrendPoint {
  instant: number;
}
export type PlacedSeries = { label: string; points: PlacedPoint[]; isDashed: boolean };

/** The points in the order of time, and where a time falls across the drawing. */
function layout({ series, from, to }: TrendProps) {
  const drawn: PlacedSeries[] = series.slice(0, 5).map(({ label, points, isDashed = false }) => ({
    label,
    isDashed,
    points: points
      .map((point) => ({ ...point, instant: toInstant(point.at) }))
      .sort((one, other) => one.instant - other.instant),
  }));
  const instants = drawn.flatMap(({ points }) => points.map(({ instant }) => instant));
  const start = from !== undefined ? toInstant(from) : Math.min(...instants);
  const end = to !== undefined ? toInstant(to) : Math.max(...instants);
  const known = Number.isFinite(start) && Number.isFinite(end);
  const ends = known ? { from: start, to: end } : { from: 0, to: -1 };
  return { drawn, ...ends, x: linear([ends.from, ends.to], [0, 1]) };
}

const hasValue = (series: PlacedSeries[]) => series.some(({ points }) => points.some(({ value }) => value !== null));

const pointName = (point: TrendPoint, { zone, withTime }: TrendProps) =>
  point.name ?? (withTime ? dateTimeText(point.at, zone) : dateText(point.at, zone));

const worded = (point: TrendPoint, { unit, isEstimated }: TrendProps) =>
  `${isEstimated && point.value !== null ? '≈ ' : ''}${quantity(point.value, unit)}${partSuffix(point)}${point.mark ? ` (${point.mark})` : ''}`;

function formatPoints(points: { label: string; point: TrendPoint }[], props: TrendProps): string {
  const [first] = points;
  if (!first) return '';
  const values = points.map(({ label, point }) =>
    points.length > 1 || props.series.length > 1 ? `${label}: ${worded(point, props)}` : worded(point, props),
  );
  const name = pointName(first.point, props);
  return `${name}${first.point.name ? `, ${dateTimeText(first.point.at, props.zone)}` : ''} – ${values.join('; ')}`;
}

/** What happened beside the values stands in the row of the bucket that it fell into. */
function tableFallback(props: TrendProps, marked: readonly Annotation[]): DataTableFallback {
  const rows = new Map<string, { instant: number; name: string; href?: string; values: string[] }>();
  const empty = props.series.map(() => '–');
  for (const [column, { points }] of props.series.entries()) {
    for (const point of points) {
      const instant = toInstant(point.at);
      const name = pointName(point, props);
      const row = rows.get(`${instant} ${name}`) ?? { instant, name, href: point.href, values: [...empty] };
      row.values[column] = worded(point, props);
      rows.set(`${instant} ${name}`, row);
    }
  }
  const ordered = [...rows.values()].sort((one, other) => one.instant - other.instant);
  const head = ['When', ...props.series.map(({ label }) => label)];
  return tableWithMarks(
    head,
    ordered.map(({ instant, name, href, values }) => ({ instant, cells: [name, ...values], href })),
    marked,
  );
}

function Nothing({ y }: { y: number }) {
  return (
    <text className="nothing" x="50%" y={y} textAnchor="middle">
      No data in this period
    </text>
  );
}
