import type { PartError } from './transport.ts';

const marks = new Map<string | number, string>([
  ['author', 'isAuthorUnread'],
  ['user', 'isUserUnread'],
  ['name', 'isNameUnread'],
  ['changedFilesIfAvailable', 'isChangedFilesUnread'],
  ['signature', 'isSignatureUnread'],
  ['commit', 'isCommitUnread'],
  ['creator', 'isCreatorUnread'],
  ['mergedBy', 'isMergerUnread'],
  ['actor', 'isActorUnread'],
  ['stateReason', 'isStateReasonUnread'],
]);

/**
 * Marks in the data of an answer what lacks a field because of an error, as `isAuthorUnread` and the like. These are
 * fields that may be empty, so that nothing else distinguishes it: of what a deleted account made, the author is null too.
 */
export function markUnreadFields(data: unknown, errors: readonly PartError[]): void {
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
