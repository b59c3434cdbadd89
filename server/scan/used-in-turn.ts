import { type FileUses, isCommitId, type UsedRef, usedRefKey } from './action-uses.ts';

/**
 * Why it is not known what is used. `expression`: an expression names it. `local_action`: an action of the same
 * repository. `unreadable_action`: the file of an action or workflow could not be read. `graph_limit`: more levels or
 * more actions than are followed.
 */
export const unknownReasons = ['expression', 'local_action', 'unreadable_action', 'graph_limit'] as const;

/** A use of which it is not known what it is. */
export interface UnknownUse {
  reason: (typeof unknownReasons)[number];
  /** As written. */
  text: string;
  /** The use in a workflow file that leads to it, `owner/repo/path@ref`; empty where it stands in a workflow file. */
  through: string;
}

/** A file of an action, or of a called workflow, at a commit. */
export interface NeededFile extends UsedRef {
  commit: string;
}

/** What is known of the files of actions. */
export interface KnownFiles {
  /** The commit that a ref leads to; null where it is not known. */
  commitOf(used: UsedRef): string | null;
  /** undefined for what was not read yet; null for what cannot be. */
  usesOf(path: string, commit: string): FileUses | null | undefined;
}

/** What a use leads to. */
export interface UsedInTurn {
  refs: UsedRef[];
  unknown: UnknownUse[];
  /** Files that have to be read to know more: until then they are unknown uses. */
  needed: NeededFile[];
}

/** As the platform nests composite actions. */
const maxDepth = 10;
const maxNodes = 500;

/** What a use in a workflow file uses in turn, level by level, each once: a cycle is cut where it closes. */
export function followUse(root: UsedRef, files: KnownFiles): UsedInTurn {
  const through = nameUse(root);
  const found = new Map([[usedRefKey(root), root]]);
  const result: UsedInTurn = { refs: [], unknown: [], needed: [] };
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    const next: UsedRef[] = [];
    for (const used of level.filter(({ kind }) => kind !== 'image')) {
      const commit = isCommitId(used.ref) ? used.ref : files.commitOf(used);
      const uses = commit === null ? null : files.usesOf(used.path, commit);
      if (commit !== null && uses === undefined) result.needed.push({ ...used, commit });
      if (!uses) result.unknown.push({ reason: 'unreadable_action', text: nameUse(used), through });
      else {
        result.unknown.push(...uses.unknown.map((one) => ({ ...one, through })));
        const called = uses.localWorkflows.map((path) => ({ ...used, path, kind: 'reusable_workflow' as const }));
        for (const one of [...uses.refs, ...called]) {
          if (!found.has(usedRefKey(one))) next.push(one);
          found.set(usedRefKey(one), one);
        }
      }
    }
    if (next.length > 0 && (depth + 1 > maxDepth || found.size > maxNodes)) {
      result.unknown.push({ reason: 'graph_limit', text: through, through });
      break;
    }
    result.refs.push(...next);
    level = next;
  }
  return result;
}

/** As workflow files write it. */
export const nameUse = ({ actionKey, path, ref }: UsedRef): string =>
  `${path === '' ? actionKey : `${actionKey}/${path}`}@${ref}`;
