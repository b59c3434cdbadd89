import type { FactBatch } from '../../server/facts/fact-repository.ts';
import { storeOpenPullRequests } from '../../server/facts/open-pull-requests.ts';
import type { OpenPullRequest, PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../server/metrics/kernel/facts.ts';
import type { Store } from '../../server/store/orm.ts';
import { syncStateOf } from '../facts/made-facts.ts';
import { repository } from '../store/world.ts';

interface Reading {
  /** The id of the repository in the database. */
  repoId: number;
  /** Its id on the platform. */
  codehostId: number;
  asOf: Instant;
  floor: Instant;
}

/** Keeps pull requests as a night's reading would: those that ended, and those that are open. */
export async function keepPullRequests(
  store: Store,
  { repoId, codehostId, asOf, floor }: Reading,
  pullRequests: readonly PullRequest[],
  { partial = false } = {},
): Promise<void> {
  const ended = pullRequests.filter(({ state }) => state !== 'open');
  const reported = syncStateOf('pull_requests', { floor, through: asOf });
  await store.facts.store(repository(codehostId), [{ syncState: reported, items: ended, replaces: true } as FactBatch]);
  const open = pullRequests.filter(({ state }) => state === 'open').map(asOpen);
  const listing = { items: open, partial, totalCount: open.length, stale: false, asOf };
  const codehost = { pullRequests: { open: async () => listing } };
  await storeOpenPullRequests(repoId, repository(codehostId), { codehost, store });
}

const asOpen = (pullRequest: PullRequest): OpenPullRequest => ({
  ...pullRequest,
  mergeable: 'unknown',
  reviewDecision: null,
  requestedReviewers: [],
  requestedTeams: [],
  lastPushAt: null,
});
