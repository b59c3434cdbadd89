import { linear, px } from './scale.ts';

interface Props {
  value: number;
  low: number;
  high: number;
  /** The scale of all rows, which holds zero. */
  scale: readonly [from: number, to: number];
  /** The same in words. */
  text: string;
}

/** A word-sized dot with its interval beside zero, on a scale that the rows of a table share. */
export function IntervalDot({ value, low, high, scale, text }: Props) {
  const x = linear([scale[0], scale[1]], [inset, width - inset]);
  const zero = px(x(0));
  return (
    <svg className="interval-dot" role="img" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <title>{text}</title>
      <line className="zero" x1={zero} x2={zero} y1="0" y2={height} />
      <line className="interval" x1={px(x(low))} x2={px(x(high))} y1={height / 2} y2={height / 2} />
      <circle className="value" cx={px(x(value))} cy={height / 2} r="4" />
    </svg>
  );
}

const width = 160;
const height = 16;
/** So that a dot at the end is whole. */
const inset = 5;
