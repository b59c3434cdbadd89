import { quantity, type Unit } from '../../server/domain/quantity.ts';
import { linear, px } from './scale.ts';

export interface SparkProps {
  /** Oldest first, evenly spaced; null is a gap. */
  values: readonly (number | null)[];
  unit: Unit;
  /** What is drawn, such as `Duration, last 30 days`. */
  label: string;
  kind?: 'line' | 'bars';
  /** The threshold, a dashed line. */
  limit?: number;
}

/** A word-sized chart for table cells and cards, with its ends in words. */
export function Spark({ values, unit, label, kind = 'line', limit }: SparkProps) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return <span className="muted">no data</span>;
  const level = limit === undefined ? {} : { threshold: limit };
  const summary = { lowest: Math.min(...known), highest: Math.max(...known), last: known.at(-1) ?? null, ...level };
  const text = Object.entries(summary).map(([name, value]) => `${name} ${quantity(value, unit)}`);
  const y = linear([0, Math.max(...known, ...Object.values(level)) || 1], [height - 2, 2]);
  const draw = kind === 'bars' ? bars : line;
  return (
    <svg className="spark" role="img" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <title>{`${label}: ${text.join(', ')}`}</title>
      <path className={kind} d={draw(values, y)} />
      {limit === undefined ? null : <path className="limit" d={`M2 ${px(y(limit))}H${width - 2}`} />}
    </svg>
  );
}

const width = 96;
const height = 24;

/** Each known value joined to the known one before it; a lonely value is a short stroke. */
function line(values: readonly (number | null)[], y: (value: number) => number): string {
  const x = linear([0, values.length - 1], [2, width - 2]);
  const known = (index: number) => (values[index] ?? null) !== null;
  return values
    .map((value, index) => {
      if (value === null) return '';
      const place = `${px(x(index))} ${px(y(value))}`;
      if (known(index - 1)) return `L${place}`;
      return known(index + 1) ? `M${place}` : `M${place}m-1.5 0h3`;
    })
    .join('');
}

function bars(values: readonly (number | null)[], y: (value: number) => number): string {
  const step = width / values.length;
  return values
    .map((value, index) => {
      if (value === null) return '';
      const top = Math.min(y(value), height - 3);
      return `M${px(index * step + step * 0.12)} ${height - 2}V${px(top)}h${px(step * 0.76)}V${height - 2}z`;
    })
    .join('');
}
