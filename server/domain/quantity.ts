/** Units a value may come in; the same names the metrics use, and `points` for differences between percentages. */
export type Unit =
  | 'percent'
  | 'points'
  | 'score'
  | 'count'
  | 'milliseconds'
  | 'minutes'
  | 'hours'
  | 'days'
  | 'per_day'
  | 'per_week'
  | 'usd';

/** A value as text, `1 d 5 h` or `12.5 %`; an unknown one is a dash, never a zero. */
export function quantity(value: number | null, unit: Unit): string {
  if (value === null) return '–';
  const { figure, unit: word } = split(value, unit);
  if (unit === 'usd') return figure;
  return word ? `${figure}${space}${word}` : figure;
}

/** The same value as figure and unit apart, for a headline that sets them in two sizes. */
export function split(value: number, unit: Unit): { figure: string; unit: string } {
  if (unit in msIn) return { figure: duration(value * msIn[unit as keyof typeof msIn]), unit: '' };
  if (unit === 'usd') return { figure: `${value < 0 ? '−' : ''}$${figures(Math.abs(value), 2, 2)}`, unit: '' };
  const digits = unit === 'per_day' || unit === 'per_week' ? 2 : 1;
  return { figure: figures(value, digits), unit: suffixes[unit as keyof typeof suffixes] };
}

/** From this sample on a tenth of a percent is meaningful. */
const fineSample = 200;

/** A rate in percent: as computed, and from counts of 200 on with one decimal. */
export const refineRate = (answered: number | null, part: number | null, total: number | null): number | null =>
  answered === null || part === null || total === null || total < fineSample
    ? answered
    : Math.round((1000 * part) / total) / 10;

/** Milliseconds in the two largest parts that matter: `850 ms`, `45 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 0) return `−${duration(-ms)}`;
  if (ms > 0 && ms < 1000) return `${Math.round(ms)}${space}ms`;
  const seconds = Math.round(ms / 1000);
  for (const [index, [size, word]] of parts.entries()) {
    if (seconds < size) continue;
    const [smaller, smallerWord] = parts[index + 1] ?? [1, ''];
    const rest = Math.floor((seconds % size) / smaller);
    const text = `${figures(Math.floor(seconds / size), 0)}${space}${word}`;
    return rest > 0 && smallerWord ? `${text} ${rest}${space}${smallerWord}` : text;
  }
  return `0${space}s`;
}

/** A plain number with thousands apart: `1,250`, `0.5`. At most one decimal by default. */
export function figures(value: number, digits = 1, minDigits = 0): string {
  const rounded = Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value;
  const [integer = '', fraction = ''] = Math.abs(rounded).toFixed(digits).split('.');
  const trimmed = fraction.slice(0, minDigits) + fraction.slice(minDigits).replace(/0+$/, '');
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${rounded < 0 ? '−' : ''}${grouped}${trimmed ? `.${trimmed}` : ''}`;
}

/** `1 run`, `1,250 runs`. */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${figures(value, 0)}${space}${value === 1 ? one : many}`;

/** A reduction in percent as words, `5 % fewer`; a negative one is `5 % more`. At most one decimal by default. */
export function formatFewer(percent: number, digits = 1): string {
  const share = figures(Math.abs(percent), digits);
  return `${share} % ${percent < 0 && share !== '0' ? 'more' : 'fewer'}`;
}

/** A number of hours as a window is spoken of: `24 hours`, `7 days`. */
export const formatHours = (hours: number): string =>
  hours > 24 && hours % 24 === 0 ? count(hours / 24, 'day') : count(hours, 'hour');

/** A number of what a phrase names in the plural: `12 runs that passed`, `1 run that passed`. */
export const counted = (value: number, many: string): string => `${figures(value)} ${value === 1 ? one(many) : many}`;

/** The phrase in the singular: the noun before the first word that qualifies it. */
function one(many: string): string {
  const [named = ''] = many.split(/(?= (?:of|that|whose|with|without|in|into|on)\b)/, 1);
  const singular = named.replace(/ies\b/g, 'y').replace(/(?<=x|ch|sh|ss)es\b|(?<![isu])s\b/g, '');
  return singular + many.slice(named.length);
}

/** The unit an axis is marked in, so that a span of milliseconds gets round minutes. */
export function axisUnit(highest: number, unit: Unit): { word: string; size: number } {
  if (!(unit in msIn)) return { word: suffixes[unit as keyof typeof suffixes], size: 1 };
  const perMinute = 60_000 / msIn[unit as keyof typeof msIn];
  const minutes = highest / perMinute;
  if (minutes < 1.5) return { word: 's', size: perMinute / 60 };
  if (minutes < 100) return { word: 'min', size: perMinute };
  if (minutes < 60 * 50) return { word: 'h', size: perMinute * 60 };
  return { word: 'd', size: perMinute * 1440 };
}

const space = '\u00a0';
const parts = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;
const msIn = { milliseconds: 1, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const suffixes = {
  percent: '%',
  points: 'points',
  score: '',
  count: '',
  per_day: 'per day',
  per_week: 'per week',
  usd: '$',
};
