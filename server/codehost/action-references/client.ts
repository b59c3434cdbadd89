import type { ActionUse, KnownAction } from '../../scan/action-knowledge.ts';

export interface ActionReferenceReads {
  /**
   * What the platform reports of actions at refs, each with its `actionUseKey`, as soon as it is known; null for one that
   * is not public or not there. Always a request to the platform: one for twenty repositories, one more where the
   * platform writes names otherwise or moved them, and for commits that no listed tag stands on one more for twenty,
   * then up to eight for each. Ends early when the requests are used up. Throws `Problem`.
   */
  actionReferences(uses: readonly ActionUse[], maxRequests: number): AsyncIterable<[string, KnownAction | null]>;
}
