import { axisUnit, figures, type Unit } from '../../server/domain/quantity.ts';
import { anchor, besideValues, labelClasses, type Sides } from './room.ts';
import { across, linear, px, roundTicks } from './scale.ts';

export interface ValueScale {
  /** Where a value falls: a pixel for heights, a share for widths. */
  place(value: number): number;
  marks: { value: number; label: string }[];
}

/** A zero-based value scale on round marks of the unit; a unit of time is named by the last; `from` and `to` are the places of zero and of the last mark. */
export function valueScale(highest: number | null, unit: Unit, from: number, to: number, integers = false): ValueScale {
  const { word, size } = axisUnit(highest ?? 1, unit);
  const factors = integers || timeUnits.has(word) ? integerFactors : undefined;
  const top = unit === 'percent' ? Math.max(highest ?? 0, lowestTopOfRates) : (highest ?? 0);
  const ticks = roundTicks(top / size, 3, factors).filter((tick) => !integers || tick % 1 === 0);
  const last = ticks.at(-1) ?? 1;
  const label = (tick: number) =>
    unit === 'usd'
      ? `$${figures(tick)}`
      : figures(tick, 2) + (timeUnits.has(word) && tick !== last ? '' : suffix(word));
  return {
    place: linear([0, last * size], [from, to]),
    marks: (highest === null ? [0] : ticks).map((tick) => ({
      value: tick * size,
      label: highest === null ? '' : label(tick),
    })),
  };
}

/** An axis of a rate never ends lower, or a tenth of a percent would look like a mountain. */
const lowestTopOfRates = 10;

/** Steps that people divide time and counts by. */
export const integerFactors = [1, 2, 5, 10];
const timeUnits = new Set(['s', 'min', 'h', 'd']);

const suffix = (word: string) => (word.length > 0 && word.length <= 3 ? `\u00a0${word}` : '');

/** Grid lines with their values at the left edge. */
export function ValueAxis({ scale }: { scale: ValueScale }) {
  return (
    <g className="axis">
      {scale.marks.map(({ value, label }) => (
        <g key={value}>
          <line x1="0" x2="100%" y1={px(scale.place(value))} y2={px(scale.place(value))} />
          <text x="-6" y={px(scale.place(value) + 4)} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
    </g>
  );
}

interface BaseAxisProps {
  ticks: readonly { at: number; label: string }[];
  /** The share of the width at which a tick stands. */
  x: (at: number) => number;
  y: number;
  sides?: Sides;
}

/** Times or values under the drawing, as many in words as its width has room for. */
export function BaseAxis({ ticks, x, y, sides = besideValues }: BaseAxisProps) {
  const classes = labelClasses(
    ticks.map(({ at, label }) => ({ share: x(at), label })),
    sides,
  );
  return (
    <g className="axis">
      {ticks.map(({ at, label }, index) => (
        <g key={at}>
          <line x1={across(x(at))} x2={across(x(at))} y1={y} y2={y + 4} />
          {classes[index] === null ? null : (
            <text className={classes[index] ?? undefined} x={across(x(at))} y={y + 17} textAnchor={anchor(x(at))}>
              {label}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
