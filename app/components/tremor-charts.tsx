import { LineChart } from '@tremor/react';
import { quantity } from '../charts/quantity.ts';
import type { TrendProps } from '../charts/trend.tsx';
import { dateText, shortDate, toInstant } from '../charts/zone-time.ts';

/** The lines of a trend with a pointer that reads all of them at once. Missing buckets stay empty. */
export function ExplorableLines({ series, unit, zone, step, height = 200 }: TrendProps & { step: number }) {
  const drawn = series.slice(0, tones.length);
  const several = drawn.length > 1;
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
        data={bucketed(drawn, step, zone)}
        index="when"
        categories={drawn.map(({ label }) => label)}
        colors={tones}
        valueFormatter={(value) => quantity(value, unit)}
        minValue={0}
        yAxisWidth={72}
        showLegend={false}
        curveType="linear"
        style={{ height: several ? height - 20 : height }}
      />
    </div>
  );
}

const tones = ['one', 'two', 'three', 'four', 'five'];

/** One row for each bucket between the ends, whether or not something was measured in it. */
function bucketed(series: TrendProps['series'], step: number, zone: string) {
  const instants = series.flatMap(({ points }) => points.map(({ at }) => toInstant(at)));
  const [first, last] = [Math.min(...instants), Math.max(...instants)];
  const several = new Set(instants.map((at) => dateText(at, zone).slice(-4))).size > 1;
  const name = (at: number) => (several ? dateText(at, zone) : shortDate(at, zone));
  const rows = new Map<number, Record<string, string | number | null>>();
  for (let at = first; at <= last; at += step) rows.set(Math.round((at - first) / step), { when: name(at) });
  for (const { label, points } of series) {
    for (const { at, value } of points) {
      const row = rows.get(Math.round((toInstant(at) - first) / step));
      if (row) row[label] = value;
    }
  }
  return [...rows.values()];
}
