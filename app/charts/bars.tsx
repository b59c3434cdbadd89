import { useId } from 'react';
import { dayText } from '../../server/domain/day-text.ts';
import { quantity, type Unit } from '../../server/domain/quantity.ts';
import { BaseAxis, ValueAxis, type ValueScale, valueScale } from './axis.tsx';
import { BeforeLine, beforeEntry } from './before-line.tsx';
import { type ChartNotes, Figure } from './figure.tsx';
import { Hatches, paint, type Tone, unreadPaint } from './hatch.tsx';
import { Legend, type LegendEntry, markPlace } from './legend.tsx';
import { isPartial, type Part, partSuffix, partText } from './part.ts';
import { across, highest, px } from './scale.ts';
import {
  type Annotation,
  AnnotationLines,
  Annotations,
  annotationKey,
  listMarked,
  tableWithMarks,
} from './trend-annotations.tsx';
import { dayNumber, dayOfNumber, startOfDay, timeTicks } from './zone-time.ts';

export interface BarPart {
  label: string;
  tone: Tone;
}

export interface BarRow extends Part {
  /** `YYYY-MM-DD`, the first day of the bucket. */
  day: string;
  /** One value for each part; null as a whole: the day was not read. */
  values: readonly (number | null)[] | null;
  /** The total of the bucket that it is compared with. */
  before?: number | null;
  href?: string;
}

export interface BarsProps extends ChartNotes {
  rows: readonly BarRow[];
  /** From the bottom up; failed, passed, other when not given. */
  parts?: readonly BarPart[];
  unit?: Unit;
  /** Names what is compared with, a dashed line over the bars. */
  beforeLabel?: string;
  /** Ends of the axis, both included; days without a row are drawn as not read. */
  from?: string;
  to?: string;
  /** Days in a bucket: 1, or 7 for weeks. */
  bucket?: number;
  height?: number;
  /** What happened on those days, where the zone is given. */
  annotations?: readonly Annotation[];
}

export const runParts: readonly BarPart[] = [
  { label: 'failed', tone: 'fail' },
  { label: 'passed', tone: 'pass' },
  { label: 'other', tone: 'void' },
];

/** Stacked bars from zero, one a day. A day that was not read is hatched: it is no calm day. */
export function Bars(props: BarsProps) {
  const {
    rows: _rows,
    from: _from,
    to: _to,
    parts = runParts,
    unit = 'count',
    bucket: _bucket,
    beforeLabel,
    height = 180,
    annotations = [],
    ...notes
  } = props;
  const id = useId();
  const buckets = laidOut(props);
  const bottom = height - 24;
  const befores = beforeLabel ? buckets.map(({ row }) => row?.before ?? null) : [];
  const scale = valueScale(
    highest([...buckets.map(({ row }) => total(row)), ...befores]),
    unit,
    bottom,
    10,
    unit === 'count',
  );
  const first = buckets[0]?.number ?? 0;
  const last = buckets.at(-1)?.number ?? first;
  const x = (at: number) => (at / 86_400_000 - first + 0.5) / (last - first + 1);
  const unread = buckets.some(({ row }) => !row?.values);
  const zone = props.zone ?? 'UTC';
  const begins = (number: number) => startOfDay(dayOfNumber(number), zone);
  const [from, to] = [begins(first), begins(last + (props.bucket ?? 1))];
  const marked = listMarked(annotations, from, to);
  return (
    <Figure
      {...notes}
      height={height}
      table={tableWithMarks(
        [
          props.bucket === 7 ? 'Week from' : 'Day',
          ...parts.map(({ label }) => label),
          ...(beforeLabel ? [beforeLabel] : []),
        ],
        buckets.map((bucket) => ({
          instant: begins(bucket.number),
          cells: [
            ...listCells(bucket, parts, unit),
            ...(beforeLabel ? [quantity(bucket.row?.before ?? null, unit)] : []),
          ],
          href: bucket.row?.href,
        })),
        marked,
      )}
      legend={
        <Legend entries={[...legend(id, parts, unread), ...beforeEntry(beforeLabel), ...annotationKey(marked)]} />
      }
      below={<Annotations marked={marked} zone={zone} />}
    >
      <Hatches id={id} />
      <ValueAxis scale={scale} />
      {buckets.length ? (
        <BaseAxis ticks={timeTicks(first * 86_400_000, last * 86_400_000, 'UTC')} x={x} y={bottom} />
      ) : (
        <text className="nothing" x="50%" y={bottom / 2} textAnchor="middle">
          No data in this period
        </text>
      )}
      <Unread buckets={buckets} id={id} bottom={bottom} />
      <AnnotationLines marked={marked} x={(at) => (at - from) / (to - from)} bottom={bottom} zone={zone} />
      {buckets.map(({ number, row }, index) => (
        <Bar
          key={number}
          row={row}
          parts={parts}
          unit={unit}
          scale={scale}
          id={id}
          bottom={bottom}
          index={index}
          total={buckets.length}
          beforeLabel={beforeLabel}
        />
      ))}
      <BeforeLine values={befores} scale={scale} bottom={bottom} />
    </Figure>
  );
}

interface Bucket {
  number: number;
  row: BarRow | undefined;
}

function laidOut({ rows, from, to, bucket = 1 }: BarsProps): Bucket[] {
  const byDay = new Map(rows.map((row) => [dayNumber(row.day), row]));
  const known = [...byDay.keys()];
  const first = from ? dayNumber(from) : Math.min(...known);
  const last = to ? dayNumber(to) : Math.max(...known);
  const buckets: Bucket[] = [];
  for (let number = first; number <= last; number += bucket) buckets.push({ number, row: byDay.get(number) });
  return buckets;
}

const total = (row: BarRow | undefined): number | null => {
  const known = row?.values?.filter((value) => value !== null) ?? [];
  return known.length ? known.reduce((sum, value) => sum + value, 0) : null;
};

const rowName = ({ number, row }: Bucket) => `${dayText(dayOfNumber(number))}${partSuffix(row ?? {})}`;

const listCells = (bucket: Bucket, parts: readonly BarPart[], unit: Unit): string[] => [
  rowName(bucket),
  ...parts.map((_, index) => (bucket.row?.values ? quantity(bucket.row.values[index] ?? null, unit) : 'no data')),
];

function legend(id: string, parts: readonly BarPart[], unread: boolean): LegendEntry[] {
  if (parts.length < 2 && !unread) return [];
  const entries: LegendEntry[] = parts.map(({ label, tone }) => ({
    label,
    mark: <rect {...markPlace} {...paint(tone, id)} />,
  }));
  return unread ? [...entries, { label: 'no data', mark: <rect {...markPlace} {...unreadPaint(id)} /> }] : entries;
}

interface BarProps {
  row: BarRow | undefined;
  parts: readonly BarPart[];
  unit: Unit;
  scale: ValueScale;
  id: string;
  bottom: number;
  index: number;
  total: number;
  beforeLabel: string | undefined;
}

function Bar({ row, parts, unit, scale, id, bottom, index, total, beforeLabel }: BarProps) {
  if (!row?.values) return null;
  const width = 1 / total;
  let base = 0;
  const description = [
    ...parts.map(({ label }, part) => `${quantity(row.values?.[part] ?? null, unit)} ${label}`),
    ...(beforeLabel ? [`${quantity(row.before ?? null, unit)} ${beforeLabel}`] : []),
  ].join(', ');
  return (
    <g className={isPartial(row) ? 'bar partial' : 'bar'}>
      {parts.map(({ label, tone }, part) => {
        const value = row.values?.[part];
        if (!value) return null;
        const top = scale.place(base + value);
        const height = scale.place(base) - top;
        base += value;
        const place = { x: across((index + 0.12) * width), width: across(width * 0.76) };
        return <rect key={label} {...place} y={px(top)} height={px(height)} {...paint(tone, id)} />;
      })}
      <rect className="hover" x={across(index * width)} width={across(width)} y="0" height={bottom}>
        <title>{`${dayText(row.day)}${isPartial(row) ? `, ${partText(row)}` : ''} – ${description}`}</title>
      </rect>
    </g>
  );
}

/** One hatched field for each stretch of days that were not read. */
function Unread({ buckets, id, bottom }: { buckets: Bucket[]; id: string; bottom: number }) {
  const stretches: { from: number; to: number }[] = [];
  for (const [index, { row }] of buckets.entries()) {
    const last = stretches.at(-1);
    if (row?.values) continue;
    if (last?.to === index) last.to = index + 1;
    else stretches.push({ from: index, to: index + 1 });
  }
  const day = (index: number) => dayText(dayOfNumber(buckets[index]?.number ?? 0));
  return stretches.map(({ from, to }) => (
    <rect
      key={from}
      {...unreadPaint(id)}
      x={across(from / buckets.length)}
      width={across((to - from) / buckets.length)}
      y="10"
      height={bottom - 10}
    >
      <title>{to - from === 1 ? `${day(from)} – no data` : `${day(from)} to ${day(to - 1)} – no data`}</title>
    </rect>
  ));
}
