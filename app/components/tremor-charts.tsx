import { LineChart } from '@tremor/react';
import { useState } from 'react';
import { axisUnit, quantity } from '../../server/domain/quantity.ts';
import { valueScale } from '../charts/axis.tsx';
import { findCap } from '../charts/outliers.tsx';
import { isPartial, partSuffix } from '../charts/part.ts';
import { wordWidth } from '../charts/room.ts';
import { highest } from '../charts/scale.ts';
import type { TrendProps } from '../charts/trend.tsx';
import { dateText, shortDate, toInstant } from '../charts/zone-time.ts';

/** The lines of a trend with a pointer that reads all of them at once, each shown or hidden, on an axis of those shown. Missing buckets stay empty. */
export function ExplorableLines(props: TrendProps & { step: number }) {
  const { series, unit, zone, step, isCapped, isEstimated, height = 200 } = props;
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const all = series.slice(0, tones.length).map((one, index) => ({ ...one, tone: tones[index] ?? 'one' }));
  const drawn = all.filter(({ label }) => !hidden.includes(label));
  const several = all.length > 1;
  const values = drawn.flatMap(({ points }) => points.map(({ value }) => value));
  const cap = isCapped ? findCap(values) : null;
  const top = valueScale(cap ?? highest(values), unit, 0, 1).marks.at(-1)?.value ?? 1;
  // In the unit of the axis, so that it is marked in round ones.
  const { size } = axisUnit(top, unit);
  const format = (value: number) => quantity(value * size, unit);
  const say = (value: number) => `${isEstimated ? '≈ ' : ''}${format(value)}`;
  const lines = toLines(drawn);
  return (
    <div className="explored" style={{ minHeight: height }}>
      {several ? <Toggles all={all} hidden={hidden} choose={setHidden} /> : null}
      <LineChart
        data={bucketed(drawn, { step, zone, size, top: top / size })}
        index="when"
        categories={lines.map(({ category }) => category)}
        colors={lines.map(({ colour }) => colour)}
        valueFormatter={format}
        minValue={0}
        maxValue={top / size}
        yAxisWidth={labelsWidth(top / size, format)}
        showLegend={false}
        curveType="linear"
        customTooltip={({ active, payload }) => {
          const row = active ? (payload?.[0]?.payload as Row | undefined) : undefined;
          return row ? <Tip row={row} drawn={drawn} say={say} /> : null;
        }}
        style={{ height: several ? height - 28 : height }}
      />
    </div>
  );
}

type Line = TrendProps['series'][number] & { tone: string };

interface TogglesProps {
  all: readonly Line[];
  hidden: readonly string[];
  choose(hidden: readonly string[]): void;
}

/** The name of each line, a button that hides it; one line always stays. */
const Toggles = ({ all, hidden, choose }: TogglesProps) => (
  <ul className="legend">
    {all.map(({ label, isDashed, tone }) => {
      const isShown = !hidden.includes(label);
      return (
        <li key={label} className={`text-${tone}`}>
          <button
            type="button"
            className="plain"
            aria-pressed={isShown}
            disabled={isShown && hidden.length === all.length - 1}
            onClick={() => choose(isShown ? [...hidden, label] : hidden.filter((one) => one !== label))}
          >
            {isDashed ? '- -' : '—'} {label}
          </button>
        </li>
      );
    })}
  </ul>
);

/** Room for the widest of the five values that the axis is marked with. */
const labelsWidth = (top: number, format: (value: number) => string): number =>
  Math.ceil(Math.max(...[0, 0.25, 0.5, 0.75, 1].map((share) => wordWidth(format(top * share))))) + 12;

const tones = ['one', 'two', 'three', 'four', 'five'];

/** A line of its own for what leads into or out of a bucket that is counted in part: it is dotted. */
const partialOf = (label: string) => `${label}, partial`;

const toLines = (drawn: readonly Line[]) =>
  drawn.flatMap(({ label, points, isDashed, tone }) => [
    { category: label, colour: `${tone}${isDashed ? '-dashed' : ''}` },
    ...(points.some(isPartial) ? [{ category: partialOf(label), colour: `${tone}-partial` }] : []),
  ]);

interface Row {
  /** Stands at the axis, so it is short. */
  when: string;
  /** What of the bucket is counted, where that is not all of it. */
  part: string;
  /** What was measured, in the unit of the axis; a line is drawn no higher than the axis. */
  measured: Record<string, number>;
  [category: string]: unknown;
}

/** One row for each bucket between the ends, whether or not something was measured in it. */
function bucketed(
  series: TrendProps['series'],
  { step, zone, size, top }: { step: number; zone: string; size: number; top: number },
): Row[] {
  const instants = series.flatMap(({ points }) => points.map(({ at }) => toInstant(at)));
  const [first, last] = [Math.min(...instants), Math.max(...instants)];
  const several = new Set(instants.map((at) => dateText(at, zone).slice(-4))).size > 1;
  const name = (at: number) => (several ? dateText(at, zone) : shortDate(at, zone));
  const bucketOf = (at: number) => Math.round((at - first) / step);
  const rows = Array.from({ length: bucketOf(last) + 1 }, (_, bucket): Row => {
    return { when: name(first + bucket * step), part: '', measured: {} };
  });
  for (const { label, points } of series) {
    const partial = new Set<number>();
    for (const point of points) {
      const bucket = bucketOf(toInstant(point.at));
      const row = rows[bucket];
      if (!row) continue;
      const suffix = partSuffix(point);
      if (suffix) row.part = suffix;
      if (point.value === null) continue;
      if (suffix) partial.add(bucket);
      row.measured[label] = point.value / size;
      row[suffix ? partialOf(label) : label] = Math.min(point.value / size, top);
    }
    for (const bucket of [...partial].flatMap((one) => [one - 1, one + 1])) {
      const beside = rows[bucket];
      if (beside && !partial.has(bucket)) beside[partialOf(label)] = beside[label];
    }
  }
  return rows;
}

interface TipProps {
  row: Row;
  drawn: readonly Line[];
  say(value: number): string;
}

/** What was measured in a bucket, also where it is above the axis. */
const Tip = ({ row, drawn, say }: TipProps) => (
  <div className="tip">
    <p>{`${row.when}${row.part}`}</p>
    {drawn.map(({ label, tone }) =>
      row.measured[label] === undefined ? null : (
        <p key={label} className={`text-${tone}`}>
          {label} <strong>{say(row.measured[label])}</strong>
        </p>
      ),
    )}
  </div>
);
