import { isPlainText } from '../../scan/yaml-scalars.ts';
import type { Value } from './change.ts';
import type { Layout } from './layout.ts';

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isMap = (value: Value): value is { readonly [key: string]: Value } =>
  typeof value === 'object' && !isList(value);

/** The lines of an entry of a block map, whose key begins at a column. */
export function formatEntry(key: string, value: Value, column: number, layout: Layout): string[] {
  const begin = `${' '.repeat(column)}${formatScalar(key, false)}:`;
  if (isMap(value)) return [begin, ...formatEntries(value, column + layout.mapStep, layout)];
  if (!isList(value)) return [`${begin} ${formatScalar(value, false)}`];
  if (arePatterns(key)) return [begin, ...value.map((pattern) => formatPattern(pattern, column + layout.listStep))];
  if (!value.some(isMap)) return [`${begin} ${formatFlow(value)}`];
  return [begin, ...value.flatMap((item) => formatItem(item, column + layout.listStep, layout))];
}

export const formatEntries = (map: { readonly [key: string]: Value }, column: number, layout: Layout): string[] =>
  Object.entries(map).flatMap(([key, value]) => formatEntry(key, value, column, layout));

/** The lines of an item of a block list, whose dash is at a column. */
export function formatItem(value: Value, column: number, layout: Layout): string[] {
  const dash = `${' '.repeat(column)}- `;
  if (!isMap(value)) return [dash + (isList(value) ? formatFlow(value) : formatScalar(value, false))];
  const [first = '{}', ...others] = formatEntries(value, column + 2, layout);
  return [dash + first.trimStart(), ...others];
}

/** A value in one line, as it stands in flow collections. */
export function formatFlow(value: Value): string {
  if (isList(value)) return `[${value.map(formatFlow).join(', ')}]`;
  if (isMap(value)) return `{${Object.entries(value).map(formatFlowEntry).join(', ')}}`;
  return formatScalar(value, true);
}

export const formatFlowEntry = ([key, value]: [key: string, value: Value]): string =>
  `${formatScalar(key, true)}: ${formatFlow(value)}`;

/** Without quotes where every reader reads the same, else in single ones. */
export function formatScalar(value: Value, inFlow: boolean): string {
  return typeof value !== 'string' || isPlainText(value, inFlow) ? String(value) : quote(value, "'");
}

export function quote(text: string, mark: "'" | '"'): string {
  return mark === "'" ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
}

/** Lists of path patterns are long: one a line, always in quotes. */
const arePatterns = (key: string) => key === 'paths' || key === 'paths-ignore';
const formatPattern = (pattern: Value, column: number) => `${' '.repeat(column)}- ${quote(String(pattern), "'")}`;
