import type { FactKind, FactOf } from '../../facts/fact-repository.ts';

/** The key that distinguishes the facts of one kind of a repository. */
export const factKeys: { [Kind in FactKind]: (fact: FactOf[Kind]) => string | number } = {
  pull_requests: ({ number }) => number,
  commits: ({ sha }) => sha,
  issues: ({ number }) => number,
  deployments: ({ id }) => id,
  releases: ({ tag }) => tag,
};
