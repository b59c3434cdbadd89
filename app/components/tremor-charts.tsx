import { LineChart } from '@tremor/react';
import { axisUnit, quantity } from '../../server/domain/quantity.ts';
import { valueScale } from '../charts/axis.tsx';
import { wordWidth } from '../charts/room.ts';
import { highest } from '../charts/scale.ts';
import type { TrendProps } from '../charts/trend.tsx';
import { dateText, shortDate, toInstant } from '../charts/zone-time.ts';

/** The lines of a trend with a pointer that reads all of them at once. Missing buckets stay empty. */
export function ExplorableLines({ series, unit, zone, step, height = 200 }: TrendProps & { step: number }) {
  const drawn = series.slice(0, tones.length);
  const several = drawn.length > 1;
  const highestValue = highest(drawn.flatMap(({ points }) => points.map(({ value }) => value)));
  const top = valueScale(highestValue, unit, 0, 1).marks.at(-1)?.value ?? 1;
  // In the unit of the axis, so that it is marked in round ones.
  const { size } = axisUnit(top, unit);
  const format = (value: number) => quantity(value * size, unit);
  return (
    <div style={{ minHeight: height }}>
      {several ? (
        <ul className="legend">
          {drawn.map(({ label }, index) => (
            <li key={label} className={`text-${tones[index]}`}>
              — {label}
            </li>
          ))}
        </ul>
      ) : null}
      <LineChart
        data={bucketed(drawn, step, zone, size)}
        index="when"
        categories={drawn.map(({ label }) => label)}
        colors={tones}
        valueFormatter={format}
        minValue={0}
        maxValue={top / size}
        yAxisWidth={labelsWidth(top / size, format)}
        showLegend={false}
        curveType="linear"
        style={{ height: several ? height - 20 : height }}
      />
    </div>
  );
}

/** Room for the widest of the five values that the axis is marked with. */
const labelsWidth = (top: number, format: (value: number) => string): number =>
  Math.ceil(Math.max(...[0, 0.25, 0.5, 0.75, 1].map((share) => wordWidth(format(top * share))))) + 12;

const tones = ['one', 'two', 'three', 'four', 'five'];

/** One row for each bucket between the ends, whether or not something was measured in it. */
function bucketed(series: TrendProps['series'], step: number, zone: string, size: number) {
  const instants = series.flatMap(({ points }) => points.map(({ at }) => toInstant(at)));
  const [first, last] = [Math.min(...instants), Math.max(...instants)];
  const several = new Set(instants.map((at) => dateText(at, zone).slice(-4))).size > 1;
  const name = (at: number) => (several ? dateText(at, zone) : shortDate(at, zone));
  const rows = new Map<number, Record<string, string | number | null>>();
  for (let at = first; at <= last; at += step) rows.set(Math.round((at - first) / step), { when: name(at) });
  for (const { label, points } of series) {
    for (const { at, value } of points) {
      const row = rows.get(Math.round((toInstant(at) - first) / step));
      if (row) row[label] = value === null ? null : value / size;
    }
  }
  return [...rows.values()];
}
