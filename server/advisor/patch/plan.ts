import type { YamlPath } from './change.ts';
import type { Splice } from './lines.ts';

/** How a change is made; empty when there is nothing to do. */
export interface Plan {
  splices: Splice[];
  comments: CommentChange[];
  /** The nodes that are made, replaced or removed: another change may touch nothing of them. */
  claims: YamlPath[];
  /** The map or list that an entry is removed from, and how many it has. */
  removesFrom?: { holder: YamlPath; size: number };
}

/** A comment that is new, changed or removed. */
export interface CommentChange {
  /** Where it begins, or would begin. */
  offset: number;
  /** null when it is removed. */
  text: string | null;
}

export const nothingToDo: Plan = { splices: [], comments: [], claims: [] };
