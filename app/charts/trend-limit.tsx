import { px } from './scale.ts';

/** A threshold across a trend, named at its right end: above the line, or below where it is at the top. */
export const LimitLine = ({ y, label }: { y: number; label: string }) => (
  <g className="limit">
    <line x1="0" x2="100%" y1={px(y)} y2={px(y)} />
    <text x="100%" y={px(y < 16 ? y + 13 : y - 5)} textAnchor="end">
      {label}
    </text>
  </g>
);
