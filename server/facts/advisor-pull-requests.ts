import type { AdvisorPullRequests, OpenedPullRequest, WantedPullRequest } from '../advisor/opened-pull-requests.ts';
import { memoryClaims } from '../platform/claims.ts';

/** The pull requests that people open from a process without a database. */
export function memoryAdvisorPullRequests(): AdvisorPullRequests {
  const claims = memoryClaims<OpenedPullRequest, WantedPullRequest>();
  const opened = new Map<number, Map<string, OpenedPullRequest>>();
  return {
    ...claims,
    async done(claimed, made, note) {
      await claims.done(claimed, made, note);
      const known = opened.get(claimed.repository.id) ?? new Map<string, OpenedPullRequest>();
      for (const id of made.ids) known.set(id, made);
      opened.set(claimed.repository.id, known);
    },
    list: async (repositoryId) => opened.get(repositoryId) ?? new Map(),
  };
}
