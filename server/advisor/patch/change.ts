/** Where a node is in a workflow file: keys of maps, indexes of lists. */
export type YamlPath = readonly (string | number)[];

/** A value to write. */
export type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

/** One change of a workflow file: exactly these nodes differ afterwards, nothing else. Paths are those before it. */
export type Change =
  /** A new entry of a map, after the first of `after` that is there, else last. Missing maps of `at` are created. */
  | { do: 'insert'; at: YamlPath; key: string; value: Value; after: readonly string[] }
  /** One more item at the end of a list. */
  | { do: 'append'; at: YamlPath; value: Value }
  /**
   * Another value. A scalar keeps its quotes and its trailing comment, before whose text `comment` is put; in a flow
   * collection no comment is put.
   */
  | { do: 'replace'; at: YamlPath; value: Value; comment?: string }
  /** An entry or item with its lines and its own trailing comment; `orEmptyParent`: what it leaves empty, too. */
  | { do: 'remove'; at: YamlPath; orEmptyParent?: boolean }
  /** Filters of some events of `on`, which becomes a map if it is none; the events stay in their order. */
  | { do: 'filter-triggers'; filters: { readonly [event: string]: { readonly [key: string]: readonly string[] } } };

/** The changes of one recommendation in one file; `kind` is that of the recommendation (ADV-NN). */
export interface ChangeSet {
  id: string;
  kind: string;
  changes: readonly Change[];
}

/** Text to put in place of the characters from `offset` to `end`, exclusive, of the original file. */
export interface Edit {
  offset: number;
  end: number;
  insert: string;
  /** What it concerns, such as `jobs.test.steps[0].uses`. */
  path: string;
  kind: string;
}

export interface Patch {
  text: string;
  /** In the order of the file, not overlapping. */
  edits: Edit[];
  /** Unified, with three lines of context; `git apply` accepts it. */
  diff: string;
}

export type RefusalCode =
  | 'shared_node'
  | 'unusual_yaml'
  | 'expression'
  | 'tabs'
  | 'hidden_characters'
  | 'conflicts_with'
  /** The lines around the change hold a hard-coded credential, which a diff would repeat. */
  | 'shows_credential'
  /** With the others it would be more than one patch may hold. */
  | 'too_large'
  /** The patch was made and did not pass its verification: a defect of ours, to be logged as an error. */
  | 'not_verified';

export interface PatchRefusal {
  code: RefusalCode;
  /** One sentence. */
  text: string;
  /** What it concerns, such as `jobs.test.strategy`; null for the complete file. */
  path: string | null;
  /** From 1. */
  lines: number[];
}

/** What must hold afterwards and only the caller can say. */
export interface PatchCheck {
  /** Whether a recommendation's finding is gone from a text. */
  isGone(text: string, set: ChangeSet): boolean;
  /** The findings of our scan in `after` that were not in `before`. */
  newFindings(before: string, after: string): string[];
  /** Whether a diff repeats a hard-coded credential of the file. */
  showsCredential(diff: string): boolean;
}

/** A path as people read it: `jobs.test.steps[0].with`. */
export const formatPath = (path: YamlPath): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
