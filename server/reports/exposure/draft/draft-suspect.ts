import type { UsedRef } from '../../../scan/action-uses.ts';
import type { Match } from '../verdict/suspect.ts';

/** What a text says was compromised. */
export interface DraftSuspect {
  /** null: an action or a reusable workflow. */
  kind: Extract<UsedRef['kind'], 'image'> | null;
  name: string;
  /** Empty for every ref. */
  match: Match[];
}

/**
 * Why something of a text is not used. `no_action`: a package of another kind. `no_name`: commits or versions that stand
 * near no name. `possible_fix`: what is given as a fix, and commits that are only linked. `unreadable_range`: versions that
 * cannot be compared. `image`: an image, which is searched by itself. `short_sha`: the beginning of a commit's id.
 */
export const ignoredReasons = [
  'no_action',
  'no_name',
  'possible_fix',
  'unreadable_range',
  'image',
  'short_sha',
] as const;

export interface Ignored {
  text: string;
  reason: (typeof ignoredReasons)[number];
}
