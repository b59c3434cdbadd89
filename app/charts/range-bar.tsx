import { quantity, type Unit } from '../../server/domain/quantity.ts';
import { linear, px } from './scale.ts';

interface Props {
  /** What is there already, such as what was spent so far. */
  known: number;
  knownLabel: string;
  /** Between which the value is expected. */
  low: number;
  high: number;
  expected: number;
  unit: Unit;
}

/** A word-sized bar from zero: what is there already, the band that the value is expected in, and the expected value. */
export function RangeBar({ known, knownLabel, low, high, expected, unit }: Props) {
  const x = linear([0, high], [0, width]);
  const text = `${quantity(known, unit)} ${knownLabel}, ${quantity(expected, unit)} expected, ${quantity(low, unit)} to ${quantity(high, unit)}`;
  return (
    <svg className="range-bar" role="img" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <title>{text}</title>
      <rect className="track" x="0" y="7" width={width} height="2" />
      <rect className="band" x={px(x(low))} y="2" width={px(Math.max(1, x(high) - x(low)))} height="12" />
      <rect className="known" x="0" y="5" width={px(x(known))} height="6" />
      <rect className="expected" x={px(Math.min(width - 2, x(expected)))} y="1" width="2" height="14" />
    </svg>
  );
}

const width = 120;
const height = 16;
