import { axisUnit, figures, type Unit } from './quantity.ts';
import { across, linear, px, roundTicks } from './scale.ts';
import type { TimeTick } from './zone-time.ts';

export interface ValueScale {
  y(value: number): number;
  marks: { value: number; label: string }[];
}

/** A zero-based value scale on round marks of the unit; `bottom` and `top` are pixels. */
export function valueScale(highest: number | null, unit: Unit, bottom: number, top: number, whole = false): ValueScale {
  const { word, size } = axisUnit(highest ?? 1, unit);
  const factors = timeWords.has(word) ? timeFactors : undefined;
  const ticks = roundTicks((highest ?? 0) / size, 3, factors).filter((tick) => !whole || tick % 1 === 0);
  const last = ticks.at(-1) ?? 1;
  const label = (tick: number) => (unit === 'usd' ? `$${figures(tick)}` : [figures(tick, 2), suffix(word)].join(''));
  return {
    y: linear([0, last * size], [bottom, top]),
    marks: (highest === null ? [0] : ticks).map((tick) => ({
      value: tick * size,
      label: highest === null ? '' : label(tick),
    })),
  };
}

/** Steps that people divide time by. */
export const timeFactors = [1, 2, 5, 10];
const timeWords = new Set(['s', 'min', 'h', 'd']);

const suffix = (word: string) => (word.length > 0 && word.length <= 3 ? `\u00a0${word}` : '');

/** Grid lines with their values at the left edge. */
export function ValueAxis({ scale }: { scale: ValueScale }) {
  return (
    <g className="axis">
      {scale.marks.map(({ value, label }) => (
        <g key={value}>
          <line x1="0" x2="100%" y1={px(scale.y(value))} y2={px(scale.y(value))} />
          <text x="-6" y={px(scale.y(value) + 4)} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Times under the drawing; `x` gives the share of the width. */
export function TimeAxis({ ticks, x, y }: { ticks: TimeTick[]; x: (at: number) => number; y: number }) {
  return (
    <g className="axis">
      {ticks.map(({ at, label }) => (
        <g key={at}>
          <line x1={across(x(at))} x2={across(x(at))} y1={y} y2={y + 4} />
          <text x={across(x(at))} y={y + 17} textAnchor={anchor(x(at))}>
            {label}
          </text>
        </g>
      ))}
    </g>
  );
}

const anchor = (share: number) => (share < 0.05 ? 'start' : share > 0.95 ? 'end' : 'middle');
