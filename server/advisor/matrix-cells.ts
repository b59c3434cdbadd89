import { type Job, valueIn } from '../scan/workflow.ts';
import type { YamlMap, YamlNode, YamlScalar } from '../scan/yaml.ts';

type CellValue = string | number | boolean;

/** A combination of values of a matrix. */
export interface Cell {
  values: Readonly<Record<string, CellValue>>;
  /** Of its jobs, and of its check. */
  name: string;
}

export interface Matrix {
  axes: readonly Axis[];
  cells: readonly Cell[];
  /** Whether it has a list of what is left out. */
  hasExclude: boolean;
}

interface Axis {
  key: string;
  values: readonly CellValue[];
}

/** The matrix of a job, where it is written out and nothing is added to its combinations; null for any other. */
export function readMatrix(job: Job): Matrix | null {
  const node = valueIn(job.strategy, 'matrix');
  if (node?.kind !== 'map' || valueIn(node, 'include') !== null || job.uses !== null) return null;
  const exclude = valueIn(node, 'exclude');
  const excluded = exclude === null ? [] : readExcluded(exclude);
  const axes = node.entries.flatMap(({ key, value }) => (key.value === 'exclude' ? [] : [readAxis(key.value, value)]));
  if (excluded === null || axes.some((axis) => axis === null)) return null;
  const known = axes.filter((axis) => axis !== null);
  if (known.reduce((product, { values }) => product * values.length, 1) > maxCells) return null;
  const cells = combine(known)
    .filter((values) => !excluded.some((one) => Object.entries(one).every(([key, value]) => values[key] === value)))
    .map((values) => ({ values, name: nameCell(job, values) }));
  const names = new Set(cells.map(({ name }) => name));
  if (names.has(null) || names.size < cells.length) return null;
  return {
    axes: known,
    cells: cells.flatMap(({ values, name }) => (name === null ? [] : { values, name })),
    hasExclude: exclude !== null,
  };
}

/** The platform takes no more. */
const maxCells = 256;

function readAxis(key: string, node: YamlNode): Axis | null {
  if (node.kind !== 'list' || node.items.length === 0) return null;
  const values = node.items.map((item) => (item.kind === 'scalar' ? readValue(item) : null));
  return values.includes(null) ? null : { key, values: values.filter((value) => value !== null) };
}

function readExcluded(node: YamlNode): Record<string, CellValue>[] | null {
  if (node.kind !== 'list') return null;
  const all = node.items.map((item) => (item.kind === 'map' ? readValues(item) : null));
  return all.includes(null) ? null : all.filter((one) => one !== null);
}

function readValues({ entries }: YamlMap): Record<string, CellValue> | null {
  const values = entries.map(
    ({ key, value }) => [key.value, value.kind === 'scalar' ? readValue(value) : null] as const,
  );
  return values.some(([, value]) => value === null) ? null : (Object.fromEntries(values) as Record<string, CellValue>);
}

/** null for what readers of YAML do not agree on, or would write in another way. */
function readValue({ value, style }: YamlScalar): CellValue | null {
  if (value.includes('${{') || style === 'literal' || style === 'folded') return null;
  if (style === 'quoted') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^\d+(\.\d+)?$/.test(value)) return String(Number(value)) === value ? Number(value) : null;
  return ambiguous.test(value) ? null : value;
}

/** Numbers of other forms, and words that are no texts for some readers. */
const ambiguous =
  /^([-+.]?\d[\d_]*(e[-+]?\d+)?|0[box][\da-f]+|[-+]?\.(inf|nan|\d+)|true|false|yes|no|on|off|null|~|)$/i;

function combine(axes: readonly Axis[]): Record<string, CellValue>[] {
  return axes.reduce<Record<string, CellValue>[]>(
    (cells, { key, values }) => cells.flatMap((cell) => values.map((value) => ({ ...cell, [key]: value }))),
    [{}],
  );
}

/** The name that runs give the job of a cell; null where it depends on more than the matrix. */
function nameCell(job: Job, values: Readonly<Record<string, CellValue>>): string | null {
  const template = job.name ?? job.id;
  if (!template.includes('${{')) return `${template} (${Object.values(values).join(', ')})`;
  const name = template.replace(/\$\{\{\s*matrix\.([\w-]+)\s*\}\}/g, (written, key: string) =>
    key in values ? String(values[key]) : written,
  );
  return name.includes('${{') ? null : name;
}

/** Axes whose values are surroundings of the same work, not parts of it. */
const surroundings =
  /^(os|runs[-_]on|runner|platform|arch(itecture)?|([a-z]+[-_])?versions?|node(js)?|python|ruby|java|jdk|go(lang)?|php|dotnet|rust|toolchain|compiler|browser|database|db|postgres(ql)?|mysql|mariadb|redis|django|rails|laravel|symfony|react|vue|angular|typescript|elixir|otp|scala|kotlin|swift|xcode)$/i;

/** Whether each cell does the same, in other surroundings; else leaving one out may leave out a part of the work. */
export const repeatsWork = ({ axes }: Matrix): boolean => axes.every(({ key }) => surroundings.test(key));

/** The cells that may be left out: each of their values stays in another cell, and none is the newest or oldest. */
export const spareCells = ({ axes, cells }: Matrix): Cell[] =>
  cells.filter((cell) =>
    axes.every((axis) => {
      const value = cell.values[axis.key] as CellValue;
      return cells.some((other) => other !== cell && other.values[axis.key] === value) && !isAtEdge(axis, value);
    }),
  );

const machines = /^(os|runs[-_]on|runner|platform|arch(itecture)?)$/i;

/** Whether a value is the newest or the oldest of its axis, or may be. */
function isAtEdge({ key, values }: Axis, value: CellValue): boolean {
  const version = parseVersion(value);
  if (values.length === 1 || (version === null && machines.test(key))) return false;
  if (version === null) return true;
  const alike = values.flatMap((one) => parseVersion(one) ?? []).filter(({ of }) => of === version.of);
  if (alike.length === 1) return !machines.test(key);
  return (
    alike.every((one) => compareVersions(one, version) <= 0) || alike.every((one) => compareVersions(one, version) >= 0)
  );
}

/** A version with what stands around it; null for a name without one. */
function parseVersion(value: CellValue): { of: string; numbers: number[] } | null {
  const [, before = '', numbers, after = ''] = /^([^\d]*)(\d+(?:\.\d+)*)(.*)$/s.exec(String(value)) ?? [];
  return numbers === undefined ? null : { of: `${before} ${after}`, numbers: numbers.split('.').map(Number) };
}

function compareVersions({ numbers: one }: { numbers: number[] }, { numbers: other }: { numbers: number[] }): number {
  const index = one.findIndex((part, place) => part !== other[place]);
  return index < 0 ? one.length - other.length : (one[index] ?? 0) - (other[index] ?? -1);
}
