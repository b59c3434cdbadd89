import pMap from 'p-map';
import type { Context } from '../../access/context.ts';
import { type OpenPullRequests, readOpenOfRepositories } from '../../facts/open-pull-requests.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { findQueues, type QueueFacts, type QueueHistory, queueHistory } from '../../metrics/merge-queue/history.ts';
import type { Store } from '../../store/orm.ts';
import { type PolledQueue, readPolledQueues } from '../../store/polled-queues.ts';
import { sampleCi } from '../ci/demo.ts';
import { findScope, type ScopeRepository, type StoredScope } from '../ci/reading.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { assertOwner } from '../repositories/visibility.ts';
import { readSampleQueues } from './demo.ts';
import { findLengthAsOf, type KnownQueue, type RepositoryQueues, readMs } from './known-queue.ts';

interface ScopeQueues {
  scope: StoredScope;
  repositories: RepositoryQueues[];
  now: Instant;
}

/** Each has statements of its own. */
const atOnce = 4;

/**
 * The queues of every repository of an organization that the caller can see, as far as they are stored: the platform is
 * asked for nothing but what may be seen.
 * @throws Problem `not_found` for an owner of whom the caller sees nothing.
 */
export async function readScopeQueues(org: string, context: Context): Promise<ScopeQueues> {
  const calendar = await teamCalendar(context);
  const scope = await findScope({ org }, calendar, context, (items) => sampleCi(items, context));
  if (scope.visible === 0) await assertOwner(org, context);
  const now = context.services.clock.now();
  if (context.isDemo) return { scope, now, repositories: await readSampleQueues(scope, context) };
  return { scope, now, repositories: await readStored(scope, context.store, now) };
}

async function readStored({ repositories }: StoredScope, store: Store, now: Instant): Promise<RepositoryQueues[]> {
  const ids = [...repositories.keys()];
  const since = now - readMs;
  const [windows, open, polled, seen] = await Promise.all([
    store.pullRequestWindows(ids),
    readOpenOfRepositories(ids, store, now),
    readPolledQueues(store, ids, now),
    store.mergeQueueNotices.queued(ids, since),
  ]);
  const queued = ids.filter((id) => seen.has(id) || polled.get(id)?.hasQueue);
  const ended = Map.groupBy(
    queued.length === 0 ? [] : await store.endedPullRequests(queued, { from: since, to: now }),
    ({ repoId }) => repoId,
  );
  return pMap(
    repositories.values(),
    async (repository) => {
      const { id } = repository;
      const stored = { ended: ended.get(id) ?? [], open: open.get(id), polled: polled.get(id) };
      const queues = queued.includes(id) ? await readQueues(repository, stored, store, now) : [];
      return { repository, stored: windows.get(id), polled: stored.polled, ended: stored.ended, queues };
    },
    { concurrency: atOnce },
  );
}

interface Stored {
  ended: readonly PullRequest[];
  open: OpenPullRequests | undefined;
  polled: PolledQueue | undefined;
}

async function readQueues(
  { id, onPlatform }: ScopeRepository,
  { ended, open, polled }: Stored,
  store: Store,
  now: Instant,
): Promise<KnownQueue[]> {
  const since = now - readMs;
  const [notices, runs, runsFrom] = await Promise.all([
    store.mergeQueueNotices.list(onPlatform.id, since),
    store.mergeGroupRuns(onPlatform.id, since, null),
    store.runs.knownFrom(id),
  ]);
  const numbers = new Set(ended.map(({ number }) => number));
  const stillOpen = (open?.items ?? []).filter(({ number }) => !numbers.has(number));
  const facts: QueueFacts = { pullRequests: [...ended, ...stillOpen], notices, runs };
  return listBranches(facts, polled, now).map((branch) => {
    const history = queueHistory(facts, branch, now);
    if (!open || !isWhole(open)) return { history, runsFrom, length: null };
    const asOf = findLengthAsOf(branch, { openAsOf: open.asOf, notices, polled, now });
    return { history, runsFrom, length: { value: countOpen(history), asOf } };
  });
}

function listBranches(facts: QueueFacts, polled: PolledQueue | undefined, now: Instant): string[] {
  const polledBranch = polled?.hasQueue ? [polled.branch] : [];
  return [...new Set([...findQueues(facts, now), ...polledBranch])];
}

const isWhole = ({ partial, complete }: OpenPullRequests): boolean => complete || partial === false;

const countOpen = ({ stays }: QueueHistory): number => stays.filter(({ leftAt }) => leftAt === null).length;
