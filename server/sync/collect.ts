import { setTimeout as sleep } from 'node:timers/promises';
import type { JobContext } from '../../jobs/job.ts';
import type { Services } from '../access/context.ts';
import type { Platform } from '../codehost/changes/client.ts';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import { Problem } from '../platform/problem.ts';
import { openServiceToken } from '../platform/service-token.ts';
import type { QueueName } from '../queue/queue.ts';
import { isDatabaseUnavailable } from '../store/failure.ts';
import type { Store } from '../store/orm.ts';
import type { KnownRepository } from '../store/repositories.ts';
import type { SyncKind } from '../store/sync-queue.ts';
import { problemResult, type RepositorySyncResult } from './repository-sync-result.ts';

/** What the reading of one repository works with. */
export interface CollectorContext {
  services: Services;
  store: Store;
  codehost: Platform;
  mayContinue(): boolean;
}

/** One kind of nightly reading: where its work is shared out, and how one repository of it is read. */
export interface Collector<Result extends RepositorySyncResult> {
  kind: SyncKind;
  queue: QueueName;
  /** Reads one repository that the platform gives; problems of the platform are part of the result. */
  collect(known: KnownRepository, repository: Repository, context: CollectorContext): Promise<Result>;
  /** The result of a repository that could not be begun. */
  emptyResult(result: RepositorySyncResult): Result;
  /**
   * What two passes of one repository came to together. Only where a pass is bounded: then what it leaves is read on, once
   * all others had theirs, for as long as time is left.
   */
  join?(before: Result, after: Result): Result;
}

export interface CollectionResult<Result extends RepositorySyncResult> {
  results: Result[];
  /** Repositories that were not begun. */
  remaining: number;
  /** When what was not read may be had: the platform gives it again, or its other reader is done. */
  resumeAt: Instant | null;
}

/** Repositories side by side in one process. */
const concurrency = 3;
/** After so many repositories in a row that the platform did not answer for, no more are requested. */
const maxOutages = 3;
/** And requested again after this long. */
const outageMs = 20_000;
/** What another reader was at, or one that died half a minute ago, is looked at again soon. */
const lockedMs = 5000;
const lookAgainMs = 1000;

/** A repository that was not given for so long is left alone until somebody synchronizes it. */
const givenUpAfterMs = 7 * dayMs;

/** Every tracked repository, the one that waits longest first, but those the platform has not given for a week. */
export async function byOldestSync(
  kind: SyncKind,
  { services, since }: Pick<JobContext, 'services' | 'since'>,
): Promise<KnownRepository[]> {
  const now = services.clock.now();
  const all = (await services.store?.syncQueue.byOldestSync(kind, since)) ?? [];
  return all.filter(({ unreachableSince }) => (unreachableSince ?? now) > now - givenUpAfterMs);
}

/**
 * Reads the repositories in their order, shared out among all processes that do such work. One that fails does not
 * stop the others; a spent quota and an outage do, for the time they last.
 * @throws Problem `service_token_missing` when the platform rejects the service's token.
 */
export async function collectAll<Result extends RepositorySyncResult>(
  collector: Collector<Result>,
  repositories: readonly KnownRepository[],
  { services, until, mayContinue }: JobContext,
): Promise<CollectionResult<Result>> {
  const all = new Map<string, Result>();
  const breaker = circuitBreaker(mayContinue);
  let due = repositories;
  while (due.length > 0 && breaker.mayContinue()) {
    for (const [key, result] of await collectOnce(collector, due, services, until, breaker)) {
      const before = all.get(key);
      all.set(key, before && collector.join ? collector.join(before, result) : result);
    }
    due = due.filter((known) => collector.join !== undefined && isCut(all.get(toKey(known))));
  }
  const results = [...all.values()];
  const retries = results.map((result) => getRetryAt(result, services.clock.now())).filter((at) => at !== null);
  return {
    results,
    remaining: repositories.length - results.length,
    resumeAt: retries.length > 0 ? Math.max(...retries) : null,
  };
}

/** Whether nothing but the bound of its pass ended the reading of a repository. */
const isCut = (result: RepositorySyncResult | undefined) => result?.status === 'partial' && result.code === undefined;

/** One pass of each; answers what came of those that were begun. */
async function collectOnce<Result extends RepositorySyncResult>(
  collector: Collector<Result>,
  repositories: readonly KnownRepository[],
  services: Services,
  until: Instant,
  breaker: CircuitBreaker,
): Promise<[string, Result][]> {
  const { queue } = services;
  if (!queue) throw new Error('Collecting needs a database.');
  const items = repositories.map((known) => ({ key: toKey(known), data: { known, until } satisfies Item }));
  await queue.refill(collector.queue, items);
  while (breaker.mayContinue()) {
    const takers = Array.from({ length: concurrency }, () => takeAll(collector, services, breaker));
    const broken = (await Promise.allSettled(takers)).find((end) => end.status === 'rejected');
    if (broken) throw broken.reason;
    // What other processes took, and what was given back, comes to its end as well.
    if ((await queue.status(collector.queue)).open === 0) break;
    if (breaker.mayContinue()) await sleep(lookAgainMs);
  }
  await queue.withdraw(collector.queue);
  const { done } = await queue.status(collector.queue);
  return [...done].filter((one): one is [string, Result] => 'repo' in one[1]);
}

const toKey = ({ id }: KnownRepository) => String(id);

/** Takes part in a collection that another process began. Answers how many repositories were read. */
export const collectFromQueue = <Result extends RepositorySyncResult>(
  collector: Collector<Result>,
  { services, mayContinue }: Pick<JobContext, 'services' | 'mayContinue'>,
): Promise<number> => takeAll(collector, services, circuitBreaker(mayContinue));

/** When to read a repository once more of which the reading was held up; null when only the next night may. */
function getRetryAt({ status, code, resumeAt }: RepositorySyncResult, now: Instant): Instant | null {
  if (resumeAt !== undefined) return resumeAt;
  if (status === 'locked') return now + lockedMs;
  return code === 'upstream_unavailable' ? now + outageMs : null;
}

interface Item {
  known: KnownRepository;
  /** Not begun after this instant. */
  until: Instant;
}

/** Reads one repository after the other, for as long as there is one to take. */
async function takeAll<Result extends RepositorySyncResult>(
  collector: Collector<Result>,
  services: Services,
  breaker: CircuitBreaker,
): Promise<number> {
  let taken = 0;
  const one = async (data: object) => {
    const { known, until } = data as Item;
    const mayContinue = () => breaker.mayContinue() && services.clock.now() < until;
    if (!mayContinue()) return {};
    taken++;
    const result = await collectOne(collector, known, services, mayContinue);
    breaker.record(result);
    return result;
  };
  while (breaker.mayContinue() && (await services.queue?.doNext(collector.queue, one)));
  return taken;
}

type CircuitBreaker = ReturnType<typeof circuitBreaker>;

/** Whether a process goes on collecting, by what its readings came to. */
function circuitBreaker(mayContinue: () => boolean) {
  let isSpent = false;
  let outages = 0;
  return {
    mayContinue: () => !isSpent && mayContinue(),
    record({ code, resumeAt }: RepositorySyncResult) {
      outages = code === 'upstream_unavailable' ? outages + 1 : 0;
      isSpent ||= resumeAt !== undefined || outages >= maxOutages;
    },
  };
}

/** Reads one repository with the service's token, and notes how it ended. Only what concerns all of them is thrown. */
async function collectOne<Result extends RepositorySyncResult>(
  collector: Collector<Result>,
  known: KnownRepository,
  services: Services,
  mayContinue: () => boolean,
): Promise<Result> {
  const { store, env, log, clock } = services;
  if (!store || !env.CODEHOST_TOKEN) throw new Error('Collecting needs a database and a token.');
  const collecting = {
    services,
    store,
    codehost: services.connect(openServiceToken(env.CODEHOST_TOKEN), { background: true }),
    mayContinue,
  };
  const startedAt = clock.now();
  const result = await readOne(collector, known, collecting).catch(async (error: unknown) => {
    if (isDatabaseUnavailable(error)) throw error;
    const repo = `${known.owner}/${known.repo}`;
    if (!(error instanceof Problem)) log.error({ err: error, repo }, 'a repository could not be read');
    const problem = error instanceof Problem ? error : new Problem('internal', 'Something went wrong here.');
    if (problem.code === 'unauthenticated')
      throw new Problem('service_token_missing', 'GitHub rejected the service token.');
    if (problem.code === 'not_found' || problem.code === 'legally_blocked')
      await store.repositories.unreachable(known.id, problem.code, clock.now());
    return collector.emptyResult({ repo, ...problemResult(problem, clock.now()) });
  });
  const { status, code: error = null } = result;
  await store.syncQueue.ended(known.id, collector.kind, { status, error, startedAt, finishedAt: clock.now() });
  return result;
}

async function readOne<Result extends RepositorySyncResult>(
  { collect }: Collector<Result>,
  known: KnownRepository,
  context: CollectorContext,
): Promise<Result> {
  const repository = await context.codehost.repositories.get(known);
  if (repository.id === known.codehostId) return collect(known, repository, context);
  // A name may have passed to another repository; what was stored of this one is not to be mixed with it.
  throw new Problem('not_found', `${known.owner}/${known.repo} is another repository now.`);
}
