import type { PartError } from './transport.ts';

const marks = new Map<string | number, string>([
  ['author', 'isAuthorUnread'],
  ['creator', 'isCreatorUnread'],
  ['mergedBy', 'isMergerUnread'],
]);

/**
 * Marks in the data of an answer what lacks an account because of an error, as `isAuthorUnread` and the like: nothing
 * else distinguishes it from what a deleted account made.
 */
export function markUnreadAccounts(data: unknown, errors: readonly PartError[]): void {
  for (const { path } of errors) {
    let holder: unknown = data;
    for (const key of path ?? []) {
      if (!isObject(holder)) break;
      const mark = marks.get(key);
      if (mark !== undefined && (holder[key] ?? null) === null) holder[mark] = true;
      holder = holder[key];
    }
  }
}

const isObject = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;
