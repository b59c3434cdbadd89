import type { ReactNode } from 'react';
import { quantity, type Unit } from '../../server/domain/quantity.ts';
import { across } from './scale.ts';
import type { PlacedPoint, PlacedSeries } from './trend.tsx';
import { Triangle } from './triangle.tsx';

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
    <svg key={instant} className="outlier" aria-hidden="true" x={across(x(instant))} y="3" overflow="visible">
      <path d="M-4 7 0 0l4 7z" />
    </svg>
  ));
}

/** The mark and what it stands for: `above axis: 6 h`; null without any. */
export function describeOutliers(series: readonly PlacedSeries[], top: number, unit: Unit): ReactNode {
  const values = findOutliers(series, top).map(({ value }) => value ?? 0);
  if (values.length === 0) return null;
  const highest = quantity(Math.max(...values), unit);
  return (
    <>
      <Triangle /> above axis: {values.length === 1 ? highest : `${values.length} values, up to ${highest}`}
    </>
  );
}

const findOutliers = (series: readonly PlacedSeries[], top: number): PlacedPoint[] =>
  series.flatMap(({ points }) => points.filter(({ value }) => value !== null && value > top));
