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
 * Why something of a text is not used. `no_action`: a package of another kind. `no_name`: a commit that stands near no
 * name. `commits_listed`: versions, where the commits are known. `image`: an image, which is searched by itself.
 */
export const ignoredReasons = ['no_action', 'no_name', 'commits_listed', 'image'] as const;

export interface Ignored {
  text: string;
  reason: (typeof ignoredReasons)[number];
}
