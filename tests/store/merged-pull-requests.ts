import type { FactBatch } from '../../server/facts/fact-repository.ts';
import type { PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import type { Store } from '../../server/store/orm.ts';
import { syncStateOf } from '../facts/made-facts.ts';
import { repository } from './world.ts';

type Merged = Partial<PullRequest> & Pick<PullRequest, 'number'> & { mergedAt: number };

/** A merged pull request of ann; what is not said is small and plain. */
export const mergedPullRequest = ({ mergedAt, ...differing }: Merged): PullRequest => ({
  title: null,
  isRevert: false,
  author: { login: 'ann', avatarUrl: 'https://codehost.test/ann.png', isBot: false },
  state: 'merged',
  isDraft: false,
  createdAt: mergedAt - 3_600_000,
  updatedAt: mergedAt,
  closedAt: mergedAt,
  mergedAt,
  mergedBy: null,
  baseBranch: 'main',
  headBranch: `change-${differing.number}`,
  headSha: null,
  labels: [],
  additions: 10,
  deletions: 2,
  changedFiles: 1,
  commitCount: 1,
  firstCommitAt: null,
  reviews: [],
  reviewsTruncated: false,
  clock: [],
  mergeQueue: { events: [], mergeSha: null, parentSha: null },
  htmlUrl: `https://codehost.test/Octo/repo-1/pull/${differing.number}`,
  ...differing,
});

/** Adds merged pull requests to what is stored of the repository with this id of the platform. */
export async function putMerged(store: Store, codehostId: number, ...given: Merged[]): Promise<void> {
  const items = given.map(mergedPullRequest);
  const before = await store.facts.syncStates(repository(codehostId));
  const known = before.some(({ kind }) => kind === 'pull_requests');
  const through = Math.max(...items.map(({ updatedAt }) => updatedAt), ...before.map((one) => one.through)) + 1;
  const reported = syncStateOf('pull_requests', { floor: 0, through });
  await store.facts.store(repository(codehostId), [{ syncState: reported, items, replaces: !known } as FactBatch]);
}
