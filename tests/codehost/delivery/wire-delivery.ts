/** Variables of a GraphQL request. */
export const variablesOf = (body: string) =>
  (JSON.parse(body) as { variables: Record<string, string | number | boolean | null> }).variables;

export const person = (login: string, kind = 'User') => ({
  __typename: kind,
  login,
  avatarUrl: `https://example.test/${login}.png`,
});

/** A pull request as GraphQL gives it. */
export const wirePullRequest = (over: Record<string, unknown> = {}) => ({
  number: 7,
  title: 'Fix it',
  state: 'MERGED',
  isDraft: false,
  createdAt: '2025-12-01T10:00:00Z',
  updatedAt: '2026-03-08T10:00:00Z',
  closedAt: '2026-03-05T10:00:00Z',
  mergedAt: '2026-03-05T10:00:00Z',
  url: 'https://example.test/pull/7',
  baseRefName: 'main',
  headRefName: 'fix',
  headRefOid: 'a'.repeat(40),
  additions: 10,
  deletions: 2,
  changedFiles: 3,
  author: person('mona'),
  mergedBy: person('web-flow'),
  labels: { nodes: [{ name: 'bug' }] },
  commits: { totalCount: 2, nodes: [{ commit: { authoredDate: '2026-03-01T08:00:00Z' } }] },
  reviews: { totalCount: 0, nodes: [] },
  timelineItems: { pageInfo: { hasPreviousPage: false }, nodes: [] },
  ...over,
});

interface SearchParts {
  issueCount: number;
  next?: string | null;
  name?: string;
}

/** One page of a search in a repository. */
export const searchAnswer = (nodes: (object | null)[], { issueCount, next = null, name = 'web' }: SearchParts) => ({
  data: {
    repository: { name, owner: { login: 'octo' } },
    search: { issueCount, pageInfo: { hasNextPage: next !== null, endCursor: next }, nodes },
  },
});
