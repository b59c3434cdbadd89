import type { Unit } from '../../metrics/metric.ts';

/** A value in words, as the pages tell it: `12.5 %`, `3.4 h`; an unknown one is a dash, never a zero. */
export function quantity(value: number | null, unit: Unit): string {
  if (value === null) return '–';
  if (unit === 'milliseconds') return duration(value);
  if (unit === 'usd') return `${value < 0 ? '−' : ''}$${figures(Math.abs(value), 2, 2)}`;
  if (unit === 'minutes' || unit === 'hours' || unit === 'days') return span(value * minutesIn[unit]);
  const digits = unit === 'per_day' || unit === 'per_week' ? 2 : 1;
  return joined(figures(value, digits), words[unit]);
}

/** A plain number with thousands apart: `1,250`, `0.5`. */
export function figures(value: number, digits = 1, atLeast = 0): string {
  const rounded = Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value;
  const [whole = '', fraction = ''] = Math.abs(rounded).toFixed(digits).split('.');
  const trimmed = fraction.slice(0, atLeast) + fraction.slice(atLeast).replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${rounded < 0 ? '−' : ''}${grouped}${trimmed ? `.${trimmed}` : ''}`;
}

/** `1 alert`, `1,250 alerts`. */
export const count = (value: number, one: string, many = `${one}s`): string =>
  joined(figures(value, 0), value === 1 ? one : many);

/** A number of hours as a window is spoken of: `24 hours`, `7 days`. */
export const hoursWords = (hours: number): string =>
  hours > 24 && hours % 24 === 0 ? count(hours / 24, 'day') : count(hours, 'hour');

const joined = (figure: string, word: string): string => (word ? `${figure}\u00a0${word}` : figure);

const minutesIn = { minutes: 1, hours: 60, days: 1440 };
const words = { percent: '%', score: '', count: '', per_day: 'per day', per_week: 'per week' };

function span(minutes: number): string {
  const size = Math.abs(minutes);
  if (size > 0 && size < 1) return joined(figures(minutes * 60, 0), 's');
  if (size < 90) return joined(figures(minutes), 'min');
  if (size < 60 * 48) return joined(figures(minutes / 60), 'h');
  return joined(figures(minutes / 1440), 'days');
}

const parts = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Milliseconds in the two largest parts that matter. */
function duration(ms: number): string {
  if (ms < 0) return `−${duration(-ms)}`;
  if (ms > 0 && ms < 1000) return joined(String(Math.round(ms)), 'ms');
  const seconds = Math.round(ms / 1000);
  const index = parts.findIndex(([size]) => seconds >= size);
  const [size, word] = parts[index] ?? [1, 's'];
  const [smaller, smallerWord] = parts[index + 1] ?? [1, ''];
  const rest = index < 0 ? 0 : Math.floor((seconds % size) / smaller);
  const whole = joined(figures(Math.floor(seconds / size), 0), word);
  return rest > 0 && smallerWord ? `${whole} ${joined(String(rest), smallerWord)}` : whole;
}
