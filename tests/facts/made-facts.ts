import fc from 'fast-check';
import { noTotals } from '../../server/codehost/client/totals.ts';
import { type FactKind, type FactOf, getVersion, isSince, type SyncState } from '../../server/facts/fact-repository.ts';
import {
  type Commit,
  type Deployment,
  factKeys,
  type Issue,
  type PullRequest,
  type Release,
  type Review,
} from '../../server/metrics/kernel/delivery-facts.ts';
import type { Actor } from '../../server/metrics/kernel/facts.ts';

export const kinds: FactKind[] = ['pull_requests', 'commits', 'issues', 'deployments', 'releases'];

/** The beginning of the years in which facts are made. */
export const first = Date.UTC(2019, 0, 1);
const last = Date.UTC(2027, 0, 1);

/** With quotes, braces, backslashes, accents, two-unit characters and what looks like an escape. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    'main',
    'ünï "quoted" {and} \\ \\u0000 \\\\ud83d',
    '👩‍💻\t\n',
    "'; drop table pr_facts; --",
    'null',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((one) => one.isWellFormed() && !one.includes('\0')),
);
const instant = fc.integer({ min: first, max: last });
const count = fc.oneof(fc.nat(9), fc.constant(2 ** 31 - 1));
const nullable = <T>(given: fc.Arbitrary<T>) => fc.option(given, { nil: null });
const few = <T>(given: fc.Arbitrary<T>) => fc.array(given, { maxLength: 4 });

const account: fc.Arbitrary<Actor> = fc.oneof(
  fc.constantFrom(
    { login: 'ann', avatarUrl: 'https://codehost.test/ann.png', isBot: false },
    { login: 'robot[bot]', avatarUrl: '', isBot: true },
  ),
  fc.record({ login: text, avatarUrl: text, isBot: fc.boolean() }),
);
const ghostOr = nullable(account);

const review: fc.Arbitrary<Review> = fc.record({
  id: text,
  reviewer: ghostOr,
  state: fc.constantFrom('approved', 'changes_requested', 'commented', 'dismissed'),
  submittedAt: instant,
  commitSha: nullable(text),
  comments: count,
});

const pullRequest: fc.Arbitrary<PullRequest> = fc.record({
  number: fc.integer({ min: 1, max: 12 }),
  title: fc.constant(null),
  author: ghostOr,
  state: fc.constantFrom('open', 'merged', 'closed'),
  isDraft: fc.boolean(),
  createdAt: instant,
  updatedAt: instant,
  closedAt: nullable(instant),
  mergedAt: nullable(instant),
  mergedBy: ghostOr,
  baseBranch: text,
  headBranch: text,
  headSha: nullable(text),
  labels: few(text),
  additions: count,
  deletions: count,
  changedFiles: count,
  commitCount: count,
  firstCommitAt: nullable(instant),
  isRevert: fc.boolean(),
  reviews: few(review),
  reviewsTruncated: fc.boolean(),
  clock: few(
    fc.record({
      kind: fc.constantFrom('ready_for_review', 'converted_to_draft', 'review_requested', 'pushed'),
      at: instant,
      login: nullable(text),
    }),
  ),
  mergeQueue: nullable(
    fc.record({
      events: few(
        fc.record({
          kind: fc.constantFrom('added', 'removed'),
          at: instant,
          isByBot: fc.boolean(),
          reason: nullable(text),
          headSha: nullable(text),
        }),
      ),
      mergeSha: nullable(text),
      parentSha: nullable(text),
    }),
  ),
  htmlUrl: text,
});

const commit: fc.Arbitrary<Commit> = fc.record({
  sha: fc.constantFrom(...'abcdefgh').map((digit) => digit.repeat(40)),
  author: ghostOr,
  authorName: text,
  // A clock of a developer may be anywhere.
  authoredAt: fc.oneof(instant, fc.constantFrom(-1, 0, 1, Date.UTC(2106, 1, 7))),
  committedAt: instant,
  parents: count,
  additions: nullable(count),
  deletions: nullable(count),
  changedFiles: nullable(count),
});

const issue: fc.Arbitrary<Issue> = fc.record({
  number: fc.integer({ min: 1, max: 12 }),
  title: fc.constant(null),
  createdAt: instant,
  updatedAt: instant,
  closedAt: nullable(instant),
  closeReason: nullable(fc.constantFrom('completed', 'not_planned')),
  closedByBot: fc.boolean(),
  author: ghostOr,
  labels: few(fc.record({ name: text, color: text })),
  assignees: few(text),
  comments: count,
  htmlUrl: text,
});

const deployment: fc.Arbitrary<Deployment> = fc.record({
  id: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  environment: text,
  createdAt: instant,
  sha: text,
  ref: nullable(text),
  creator: ghostOr,
  statuses: few(fc.record({ state: fc.constantFrom('error', 'in_progress', 'success', 'inactive'), at: instant })),
  url: nullable(text),
});

const release: fc.Arbitrary<Release> = fc.record({
  tag: text,
  publishedAt: instant,
  isPrerelease: fc.boolean(),
  isDraft: fc.boolean(),
  htmlUrl: text,
});

/** Any fact that can be, the same ones often. */
export const anyFact: { [Kind in FactKind]: fc.Arbitrary<FactOf[Kind]> } = {
  pull_requests: pullRequest,
  commits: commit,
  issues: issue,
  deployments: deployment,
  releases: release,
};

/** What the platform would tell of facts at different times: copies of one version are equal. */
export const copies: { [Kind in FactKind]: fc.Arbitrary<FactOf[Kind][]> } = {
  pull_requests: versions(pullRequest, ({ number, updatedAt }) => `${number} ${updatedAt}`, 'updatedAt'),
  commits: versions(commit, ({ sha }) => sha),
  issues: versions(issue, ({ number, updatedAt }) => `${number} ${updatedAt}`, 'updatedAt'),
  deployments: versions(deployment, ({ id, statuses }) => `${id} ${statuses?.length}`),
  releases: versions(release, ({ tag }) => tag),
};

/** Few moments of updating, so that ties are common. */
function versions<Fact extends object>(
  fact: fc.Arbitrary<Fact>,
  copyOf: (fact: Fact) => string,
  moment?: keyof Fact,
): fc.Arbitrary<Fact[]> {
  const rounded = fact.map((one) =>
    moment ? { ...one, [moment]: first + (Number(one[moment]) % 4) * 86_400_000 } : one,
  );
  return fc.array(rounded, { maxLength: 30 }).map((facts) => {
    const reported = new Map<string, Fact>();
    for (const one of facts) if (!reported.has(copyOf(one))) reported.set(copyOf(one), one);
    return facts.map((one) => reported.get(copyOf(one)) ?? one);
  });
}

/** A sync state that claims all there is. */
export const syncStateOf = <Kind extends FactKind>(
  kind: Kind,
  differing: Partial<SyncState> = {},
): SyncState<Kind> => ({
  floor: first - 1,
  through: last,
  capped: false,
  ...noTotals,
  ...differing,
  kind,
});

/** In an order that says nothing. */
export const sorted = <Kind extends FactKind>(kind: Kind, facts: readonly FactOf[Kind][]): FactOf[Kind][] => {
  const key = (fact: FactOf[Kind]) => `${factKeys[kind](fact)}`;
  return facts.toSorted((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
};

/** What is known of merge queues is not lost to a copy of the same version that lacks it. */
function withKnownQueue<Fact extends object>(fact: Fact, same: Fact | null): Fact {
  if (!same || !('mergeQueue' in fact) || !('mergeQueue' in same)) return fact;
  return { ...fact, mergeQueue: fact.mergeQueue ?? same.mergeQueue };
}

/** Of every identity the newest version, of equals the last, where it matters at `since`. */
export function expected<Kind extends FactKind>(kind: Kind, facts: readonly FactOf[Kind][], since: number) {
  const newest = new Map<string | number, FactOf[Kind]>();
  for (const fact of facts) {
    const older = newest.get(factKeys[kind](fact));
    if (!older || getVersion[kind](fact) >= getVersion[kind](older))
      newest.set(
        factKeys[kind](fact),
        withKnownQueue(fact, older && getVersion[kind](fact) === getVersion[kind](older) ? older : null),
      );
  }
  return sorted(
    kind,
    [...newest.values()].filter((fact) => isSince(kind, fact, since)),
  );
}
