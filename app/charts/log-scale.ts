import { figures, type Unit } from '../../server/domain/quantity.ts';
import type { ValueScale } from './axis.tsx';
import { linear } from './scale.ts';

/**
 * A scale on which equal distances are equal factors; `from` and `to` are the places of its ends. Zero has no place on
 * such a scale: where one occurs it stands at `from`, apart from the rest, with a mark of its own. What lies beyond the
 * marks there are, from a millisecond or a thousandth on, stands at the nearest one.
 */
export function logScale(values: readonly number[], unit: Unit, from: number, to: number): ValueScale {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return { place: () => from, marks: [{ value: 0, label: '0' }] };
  const hasZero = positive.length < values.length;
  const start = hasZero ? from + (to - from) * zeroBand : from;
  const marks = surrounding(getMarks(unit, Math.max(...positive)), Math.min(...positive), Math.max(...positive));
  const [lowest, highest] = [marks[0]?.value ?? 1, marks.at(-1)?.value ?? 1];
  const along = linear([Math.log(lowest), Math.log(highest)], [start, to]);
  return {
    place: (value) => (value > 0 ? along(Math.log(Math.min(Math.max(value, lowest), highest))) : from),
    marks: hasZero ? [{ value: 0, label: '0' }, ...marks] : marks,
  };
}

const zeroBand = 0.12;

type Mark = ValueScale['marks'][number];

/** From the last mark at or below the lowest value to the first at or above the highest; always two at least. */
function surrounding(marks: Mark[], lowest: number, highest: number): Mark[] {
  const first = Math.max(
    0,
    marks.findLastIndex(({ value }) => value <= lowest),
  );
  const last = marks.findIndex(({ value }) => value >= highest);
  return marks.slice(first, Math.max(last < 0 ? marks.length : last + 1, first + 2));
}

const minutesIn: Partial<Record<Unit, number>> = { milliseconds: 1 / 60_000, minutes: 1, hours: 60, days: 1440 };

function getMarks(unit: Unit, highest: number): Mark[] {
  const minutes = minutesIn[unit];
  if (minutes) return times.map(([size, label]) => ({ value: size / minutes, label }));
  const decades = Math.max(1, Math.ceil(Math.log10(highest)));
  return Array.from({ length: decades + 4 }, (_, index) => {
    const value = Number((10 ** (index - 3)).toPrecision(3));
    return { value, label: unit === 'usd' ? `$${figures(value, 3)}` : figures(value, 3) };
  });
}

/** Lengths of time that people know, in minutes. */
const times: [number, string][] = [
  [1 / 60_000, '1\u00a0ms'],
  [1 / 60, '1\u00a0s'],
  [1 / 6, '10\u00a0s'],
  [1, '1\u00a0min'],
  [10, '10\u00a0min'],
  [60, '1\u00a0h'],
  [360, '6\u00a0h'],
  [1440, '1\u00a0d'],
  [10_080, '7\u00a0d'],
  [43_200, '30\u00a0d'],
  [525_600, '365\u00a0d'],
  [5_256_000, '3,650\u00a0d'],
];
