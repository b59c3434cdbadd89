import { z } from 'zod';
import { counted } from '../../domain/quantity.ts';

/** Items of a list that were excluded because a field of theirs could not be read. */
export interface Excluded {
  count: number;
  /** The fields, at most five, as the platform names them. */
  fields: string[];
}

/** What could be read of a list. */
export interface ReadableItems<T> {
  items: T[];
  /** null when every item could be read. */
  excluded: Excluded | null;
}

/** Schema of a list that is stored without the items that `item` cannot read, with how many those are. */
export const readableItems = <S extends z.ZodType>(item: S) =>
  z.array(z.unknown()).transform((given): ReadableItems<z.output<S>> => {
    const read = given.map((one) => item.safeParse(one));
    const errors = read.flatMap(({ error }) => error ?? []);
    const items = read.flatMap(({ success, data }) => (success ? [data as z.output<S>] : []));
    return { items, excluded: errors.length === 0 ? null : { count: errors.length, fields: fieldsIn(errors) } };
  });

export const isReadableItems = (value: unknown): value is ReadableItems<unknown> =>
  typeof value === 'object' && value !== null && 'items' in value && 'excluded' in value;

/** The same for a list of which no number depends on every item. */
export const readableOnly = <S extends z.ZodType>(item: S) => readableItems(item).transform(({ items }) => items);

/** The fields at fault, at most five; places in lists are excluded from their names. */
export function fieldsIn(errors: readonly z.ZodError[]): string[] {
  const fields = errors.flatMap(({ issues }) => issues.map(({ path }) => fieldAt(path)));
  return [...new Set(fields)].slice(0, maxFields);
}

/** Items of a GraphQL list that lack something, by the paths of the errors that the platform gave in its place. */
export function unreadAt(paths: readonly (readonly (string | number)[])[]): Excluded | null {
  if (paths.length === 0) return null;
  // An item is named in its list by number; an error about no item has the name of the list alone.
  const placed = paths.map((path) => ({ path, below: path.findIndex((key) => typeof key === 'number') + 1 || 1 }));
  const items = new Set(placed.map(({ path, below }) => path.slice(0, below).join('.')));
  const fields = placed.map(({ path, below }) =>
    fieldAt(path.slice(below).filter((key) => key !== 'nodes' && /^\w+$/.test(String(key)))),
  );
  return { count: items.size, fields: [...new Set(fields)].slice(0, maxFields) };
}

/** What several lists excluded together. */
export function mergeExcluded(lists: readonly { excluded: Excluded | null }[]): Excluded | null {
  const all = lists.flatMap(({ excluded }) => excluded ?? []);
  if (all.length === 0) return null;
  const fields = [...new Set(all.flatMap((one) => one.fields))].slice(0, maxFields);
  return { count: all.reduce((sum, { count }) => sum + count, 0), fields };
}

/** Why a list is partial, for people and logs; undefined when nothing was excluded and nothing in it is unread. */
export function describePartial(operation: string, excluded: Excluded | null, unread: Excluded | null = null) {
  const items = ({ count }: Excluded) => counted(count, operation.replace(/^list /, ''));
  return joinedReasons([
    excluded ? `${items(excluded)} excluded: ${excluded.fields.join(', ')} could not be read` : undefined,
    unread ? `${unread.fields.join(', ')} of ${items(unread)} could not be read` : undefined,
  ]);
}

/** Several reasons as one, each once; undefined without any. */
export const joinedReasons = (reasons: readonly (string | undefined)[]): string | undefined =>
  [...new Set(reasons.filter((one) => one !== undefined))].join('; ') || undefined;

const maxFields = 5;

const fieldAt = (path: readonly PropertyKey[]): string =>
  path.filter((key) => typeof key === 'string').join('.') || 'the whole item';
