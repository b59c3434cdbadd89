export interface Difference {
  /** The part that changed; empty for the whole. */
  name: string;
  /** What is gone, in words; null when there was nothing. */
  removed: string | null;
  /** What came; null when there is nothing. */
  added: string | null;
}

/** What changed between two values of the audit log, part by part; parts that stayed or had no value are excluded. */
export function differences(before: unknown, after: unknown): Difference[] {
  if (Array.isArray(before) || Array.isArray(after)) return compareLists(toList(before), toList(after));
  const [earlier, later] = [toRecord(before), toRecord(after)];
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
  return names
    .filter((name) => JSON.stringify(earlier[name]) !== JSON.stringify(later[name]))
    .map((name) => ({ name, removed: formatValue(earlier[name]), added: formatValue(later[name]) }))
    .filter(({ removed, added }) => removed !== null || added !== null);
}

function compareLists(before: readonly unknown[], after: readonly unknown[]): Difference[] {
  const [gone, come] = [before.filter((one) => !after.includes(one)), after.filter((one) => !before.includes(one))];
  if (gone.length === 0 && come.length === 0) return [];
  return [{ name: '', removed: listed(gone, before), added: listed(come, after) }];
}

/** Nothing left of a list is worth a word; a part that stayed is not. */
const listed = (changed: readonly unknown[], all: readonly unknown[]) =>
  changed.length > 0 ? changed.map(String).join(', ') : all.length === 0 ? 'none' : null;

const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];

const toRecord = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : { '': value ?? undefined };

function formatValue(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
