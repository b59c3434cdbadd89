import { type FileUses, isCommitId, type JobReach, type UsedRef, usedRefKey } from './action-uses.ts';

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
  /** As of what is used in turn. */
  privateSources: readonly number[];
}

/** What is used in turn. */
export interface NestedRef extends UsedRef {
  /**
   * The platform's ids of the private repositories whose files say so: only who sees all of them may see this. Where
   * several ways lead to it, of the first that was found.
   */
  privateSources: readonly number[];
}

/** What the jobs of a workflow file have in reach. */
export interface FileReach {
  jobs: readonly JobReach[];
  /** As of what it uses, with its own repository. */
  privateSources: readonly number[];
}

/** A file of an action, or of a called workflow, at a commit. */
export interface NeededFile extends UsedRef {
  /** Or the id of a tag itself, where a file pins that. */
  commit: string;
}

/** What a file of an action uses. */
export interface KnownFile {
  /** null where it cannot be parsed. */
  uses: FileUses | null;
  /** The commit that has it: another than the requested one where that is the id of a tag. */
  leadsTo: string;
  /** The platform's id of its repository, where that is private. */
  privateSource: number | null;
}

/** What is known of the files of actions. */
export interface KnownFiles {
  /** The commit that a ref leads to; null where it is not known. */
  commitOf(used: UsedRef): string | null;
  /** undefined for what was not read yet. */
  fileAt(path: string, commit: string): KnownFile | undefined;
}

/** What a use leads to. */
export interface UsedInTurn {
  refs: NestedRef[];
  unknown: UnknownUse[];
  /** At which commits the files were read, also that of the use itself, by `usedRefKey`. */
  readAt: Map<string, string>;
  /** Of the workflow files among them, where that was read, by `usedRefKey`. */
  reach: Map<string, FileReach>;
  /** Files that have to be read to know more: until then they are unknown uses. */
  needed: NeededFile[];
}

/** As the platform nests composite actions. */
const maxDepth = 10;
const maxNodes = 500;

/** What a use in a workflow file uses in turn, level by level, each once: a cycle is cut where it closes. */
export function followUse(root: UsedRef, files: KnownFiles): UsedInTurn {
  const through = nameUse(root);
  const found = new Set([usedRefKey(root)]);
  const result: UsedInTurn = { refs: [], unknown: [], readAt: new Map(), reach: new Map(), needed: [] };
  let level: NestedRef[] = [{ ...root, privateSources: [] }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: NestedRef[] = [];
    for (const used of level.filter(({ kind }) => kind !== 'image')) {
      const commit = isCommitId(used.ref) ? used.ref : files.commitOf(used);
      const file = commit === null ? undefined : files.fileAt(used.path, commit);
      if (commit !== null && file === undefined) result.needed.push(toNeeded(used, commit));
      const { privateSources } = used;
      if (commit === null || !file?.uses) {
        result.unknown.push({ reason: 'unreadable_action', text: nameUse(used), through, privateSources });
        continue;
      }
      result.readAt.set(usedRefKey(used), file.leadsTo);
      const sources = addSource(privateSources, file.privateSource);
      const { jobs } = file.uses;
      if (used.kind === 'reusable_workflow' && jobs)
        result.reach.set(usedRefKey(used), { jobs, privateSources: sources });
      result.unknown.push(...file.uses.unknown.map((one) => ({ ...one, through, privateSources: sources })));
      for (const one of [...file.uses.refs, ...listCalled(used, file.uses)]) {
        if (!found.has(usedRefKey(one))) next.push({ ...one, privateSources: sources });
        found.add(usedRefKey(one));
      }
    }
    if (next.length > 0 && (depth + 1 > maxDepth || found.size > maxNodes)) {
      result.unknown.push({ reason: 'graph_limit', text: through, through, privateSources: [] });
      break;
    }
    result.refs.push(...next);
    level = next;
  }
  return result;
}

const toNeeded = ({ actionKey, path, kind, ref }: UsedRef, commit: string): NeededFile => ({
  actionKey,
  path,
  kind,
  ref,
  commit,
});

const addSource = (sources: readonly number[], one: number | null): readonly number[] =>
  one === null || sources.includes(one) ? sources : [...sources, one];

/** Workflows of the same repository are called at the same ref. */
const listCalled = ({ actionKey, ref }: UsedRef, { localWorkflows }: FileUses): UsedRef[] =>
  localWorkflows.map((path) => ({ actionKey, ref, path, kind: 'reusable_workflow' }));

/** As workflow files write it. */
export const nameUse = ({ actionKey, path, ref }: UsedRef): string =>
  `${path === '' ? actionKey : `${actionKey}/${path}`}@${ref}`;
