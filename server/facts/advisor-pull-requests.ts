import type {
  AdvisorPullRequests,
  OpenedPullRequest,
  TrackedPullRequest,
  WantedPullRequest,
} from '../advisor/opened-pull-requests.ts';
import { memoryClaims } from '../platform/claims.ts';

/** The pull requests that people open from a process without a database. */
export function memoryAdvisorPullRequests(): AdvisorPullRequests {
  const claims = memoryClaims<OpenedPullRequest, WantedPullRequest>();
  const opened = new Map<number, Map<string, TrackedPullRequest>>();
  return {
    ...claims,
    async done(claimed, made, note) {
      await claims.done(claimed, made, note);
      const known = opened.get(claimed.repository.id) ?? new Map<string, TrackedPullRequest>();
      // Without a database no job looks what became of it.
      const tracked = { ...made, state: 'open' as const, mergedAt: null, mergeCommit: null };
      for (const id of made.ids) known.set(id, tracked);
      opened.set(claimed.repository.id, known);
    },
    list: async (repositoryId) => opened.get(repositoryId) ?? new Map(),
  };
}
