import { quantity, type Unit } from '../../server/domain/quantity.ts';
import { across } from './scale.ts';
import type { PlacedPoint, PlacedSeries } from './trend.tsx';

/** A value this many times the next one would press all others to the ground. */
const minDistance = 3;
/** Of values, at most one in ten stands out; of fewer than five none does. */
const maxShare = 0.1;
const minValues = 5;

/** The highest value that an axis has to reach, where a few others are far above the rest; null where none is. */
export function findCap(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).sort((a, b) => b - a);
  if (known.length < minValues) return null;
  const allowed = Math.max(1, Math.floor(known.length * maxShare));
  for (let outliers = allowed; outliers > 0; outliers--) {
    const [lowest = 0, rest = 0] = known.slice(outliers - 1, outliers + 1);
    if (rest > 0 && lowest > minDistance * rest) return rest;
  }
  return null;
}

interface OutliersProps {
  series: readonly PlacedSeries[];
  top: number;
  x: (at: number) => number;
}

/** Points above the axis, each as a mark at its upper edge. */
export function Outliers({ series, top, x }: OutliersProps) {
  const instants = new Set(findOutliers(series, top).map(({ instant }) => instant));
  return [...instants].map((instant) => (
    <text key={instant} className="outlier" x={across(x(instant))} y="10" textAnchor="middle">
      ▲
    </text>
  ));
}

/** `1 value above the axis: 6 h`; empty without any. */
export function describeOutliers(series: readonly PlacedSeries[], top: number, unit: Unit): string {
  const values = findOutliers(series, top).map(({ value }) => value ?? 0);
  if (values.length === 0) return '';
  const highest = quantity(Math.max(...values), unit);
  return values.length === 1
    ? `▲ above the axis: ${highest}`
    : `▲ above the axis: ${values.length} values, up to ${highest}`;
}

const findOutliers = (series: readonly PlacedSeries[], top: number): PlacedPoint[] =>
  series.flatMap(({ points }) => points.filter(({ value }) => value !== null && value > top));
