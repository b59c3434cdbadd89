import type { ValueScale } from './axis.tsx';
import { px } from './scale.ts';
import type { PlacedPoint, PlacedSeries } from './trend.tsx';
import { unbroken } from './trend-parts.tsx';

interface BandProps {
  /** The lower line and the upper one, of the same instants. */
  lower: PlacedSeries;
  upper: PlacedSeries;
  x: (at: number) => number;
  scale: ValueScale;
  step: number | undefined;
  bottom: number;
}

/** The area between two lines, as far as both are known. */
export function Band({ lower, upper, x, scale, step, bottom }: BandProps) {
  const above = new Map(upper.points.map(({ instant, value }) => [instant, value]));
  const isKnown = ({ instant }: PlacedPoint) => typeof above.get(instant) === 'number';
  const points = lower.points.map((point) => (isKnown(point) ? point : { ...point, value: null }));
  const place = (at: number, value: number) => `${px(x(at) * 1000)} ${px(scale.place(value))}`;
  const areas = unbroken(points, step)
    .filter((run) => run.length > 1)
    .map((run) => {
      const top = run.map(({ instant }) => place(instant, above.get(instant) ?? 0));
      const back = run.map(({ instant, value }) => place(instant, value)).toReversed();
      return `M${[...top, ...back].join('L')}z`;
    });
  if (areas.length === 0) return null;
  return (
    <svg
      viewBox={`0 0 1000 ${bottom}`}
      width="100%"
      height={bottom}
      preserveAspectRatio="none"
      overflow="visible"
      aria-hidden="true"
    >
      <path className="fill-one" fillOpacity="0.14" d={areas.join('')} />
    </svg>
  );
}
