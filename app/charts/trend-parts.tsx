import type { ValueScale } from './axis.tsx';
import { isPartial } from './part.ts';
import { across, px } from './scale.ts';
import type { PlacedPoint, PlacedSeries, TrendPoint } from './trend.tsx';

export const lineTones = ['one', 'two', 'three', 'four', 'five'] as const;
export type LineTone = (typeof lineTones)[number];

interface LineProps {
  points: PlacedPoint[];
  x: (at: number) => number;
  scale: ValueScale;
  step: number | undefined;
  tone: LineTone;
  isDashed: boolean;
  bottom: number;
}

/** One line, whole where values are known one after the other, dotted from or into a bucket that is counted in part. */
export function TrendLine({ points, x, scale, step, tone, isDashed, bottom }: LineProps) {
  const runs = unbroken(points, step);
  const place = ({ instant, value }: Known) => `${px(x(instant) * 1000)} ${px(scale.place(value))}`;
  const path = (run: Known[]) => run.map((point, index) => `${index ? 'L' : 'M'}${place(point)}`).join('');
  const solid = runs.map((run) => run.filter((point) => !isPartial(point))).filter((run) => run.length > 1);
  const dotted = runs.flatMap(listPairs).filter((pair) => pair.some(isPartial));
  const dots = points.length <= 60 && !isDashed ? runs.flat() : runs.filter((run) => run.length === 1).flat();
  return (
    <g className={`line-${tone}`}>
      <svg
        viewBox={`0 0 1000 ${bottom}`}
        width="100%"
        height={bottom}
        preserveAspectRatio="none"
        overflow="visible"
        aria-hidden="true"
      >
        {solid.length ? <path className={isDashed ? 'dashed' : undefined} d={solid.map(path).join('')} /> : null}
        {dotted.length ? <path className="dotted" d={dotted.map(path).join('')} /> : null}
      </svg>
      {dots.map((point) => (
        <circle
          key={point.instant}
          className={isPartial(point) ? 'hollow' : undefined}
          cx={across(x(point.instant))}
          cy={px(scale.place(point.value))}
          r={isPartial(point) ? 3 : 2}
        />
      ))}
      {runs
        .flat()
        .map((point) =>
          point.mark ? (
            <circle
              key={point.instant}
              className="marked"
              cx={across(x(point.instant))}
              cy={px(scale.place(point.value))}
              r="5"
            />
          ) : null,
        )}
    </g>
  );
}

type Known = PlacedPoint & { value: number };

/** Each with the one before it. */
const listPairs = (run: readonly Known[]): Known[][] => run.slice(1).map((_, index) => run.slice(index, index + 2));

/** Stretches of known values; a null or a missing bucket ends one. */
export function unbroken(points: PlacedPoint[], step: number | undefined): Known[][] {
  const runs: Known[][] = [];
  let before: PlacedPoint | undefined;
  for (const point of points) {
    const joined = before && before.value !== null && !(step && point.instant - before.instant > step * 1.5);
    before = point;
    if (point.value === null) continue;
    const known = { ...point, value: point.value };
    if (joined) runs.at(-1)?.push(known);
    else runs.push([known]);
  }
  return runs;
}

/** The name of each line beside its last value, moved apart where they would cover each other. */
export function EndLabels({ series, scale, bottom }: { series: PlacedSeries[]; scale: ValueScale; bottom: number }) {
  const wanted = series
    .map(({ label, points }, index) => ({
      label,
      tone: lineTones[index],
      last: points.findLast(({ value }) => value !== null),
    }))
    .map(({ last, ...rest }) => ({ ...rest, y: last?.value == null ? bottom : scale.place(last.value) }))
    .sort((one, other) => one.y - other.y);
  return apart(wanted, bottom).map(({ label, tone, y }) => (
    <foreignObject key={label} x="100%" y={px(y - 8)} width="1" height="16" overflow="visible">
      <span className={`end-label text-${tone}`} title={label}>
        {label}
      </span>
    </foreignObject>
  ));
}

const labelHeight = 15;

function apart<T extends { y: number }>(labels: T[], bottom: number): T[] {
  const down: T[] = [];
  for (const label of labels)
    down.push({ ...label, y: Math.max(label.y, (down.at(-1)?.y ?? -labelHeight) + labelHeight) });
  let limit = bottom;
  return down
    .reverse()
    .map((label) => {
      const y = Math.min(label.y, limit);
      limit = y - labelHeight;
      return { ...label, y };
    })
    .reverse();
}

interface MarksProps {
  series: PlacedSeries[];
  x: (at: number) => number;
  bottom: number;
  say(points: { label: string; point: TrendPoint }[]): string;
}

/** Unseen columns that tell the values of their time when pointed at. */
export function TrendMarks({ series, x, bottom, say }: MarksProps) {
  const columns = new Map<number, { label: string; point: TrendPoint }[]>();
  for (const { label, points } of series) {
    for (const point of points) columns.set(point.instant, [...(columns.get(point.instant) ?? []), { label, point }]);
  }
  const instants = [...columns.keys()].sort((one, other) => one - other);
  return instants.map((instant, index) => {
    const at = x(instant);
    const left = index ? (x(instants[index - 1] ?? instant) + at) / 2 : Math.max(0, at - 0.02);
    const right = index < instants.length - 1 ? (at + x(instants[index + 1] ?? instant)) / 2 : Math.min(1, at + 0.02);
    return (
      <rect key={instant} className="hover" x={across(left)} y="0" width={across(right - left)} height={bottom}>
        <title>{say(columns.get(instant) ?? [])}</title>
      </rect>
    );
  });
}

/** A threshold across a trend, named at its right end: above the line, or below where it is at the top. */
export const LimitLine = ({ y, label }: { y: number; label: string }) => (
  <g className="limit">
    <line x1="0" x2="100%" y1={px(y)} y2={px(y)} />
    <text x="100%" y={px(y < 16 ? y + 13 : y - 5)} textAnchor="end">
      {label}
    </text>
  </g>
);
