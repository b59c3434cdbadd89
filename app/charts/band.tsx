import { linear, px } from './scale.ts';

interface BandBarProps {
  low: number;
  mid: number;
  high: number;
  /** End of the scale, shared by the rows of a table. */
  max: number;
}

/** A word-sized range on a scale from zero, with its most likely value; the text beside it says the same. */
export function BandBar({ low, mid, high, max }: BandBarProps) {
  const x = linear([0, max], [1, width - 1]);
  const [start, end] = [px(x(Math.max(0, low))), px(x(Math.max(0, high)))];
  return (
    <svg className="band-bar" aria-hidden="true" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <path className="scale" d={`M0 ${height / 2}H${width}`} />
      <rect className="range" x={start} y={2} width={Math.max(2, px(end - start))} height={height - 4} />
      <path className="middle" d={`M${px(x(Math.max(0, mid)))} 0V${height}`} />
    </svg>
  );
}

const width = 96;
const height = 12;
