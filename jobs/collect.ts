import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../server/access/context.ts';
import type { Platform } from '../server/codehost/changes/client.ts';
import type { Instant, Repository } from '../server/metrics/kernel/facts.ts';
import { dayMs } from '../server/metrics/kernel/window.ts';
import { Problem } from '../server/platform/problem.ts';
import { openServiceToken } from '../server/platform/service-token.ts';
import type { QueueName } from '../server/queue/queue.ts';
import { isDatabaseUnavailable } from '../server/store/failure.ts';
import type { Store } from '../server/store/orm.ts';
import type { KnownRepository } from '../server/store/repositories.ts';
import type { SyncKind } from '../server/store/sync-queue.ts';
import { type Collected, problemIn } from './collected.ts';
import type { JobContext } from './job.ts';

/** What a reading of one repository works with. */
export interface Collecting {
  services: Services;
  store: Store;
  codehost: Platform;
  mayContinue(): boolean;
}

/** One kind of nightly reading: where its work is shared out, and how one repository of it is read. */
export interface Collector<Result extends Collected> {
  kind: SyncKind;
  queue: QueueName;
  /** Repositories side by side in one process. */
  atOnce: number;
  /** Reads one repository that the platform gives; problems of the platform are part of the result. */
  collect(known: KnownRepository, repository: Repository, collecting: Collecting): Promise<Result>;
  /** The result of a repository that could not be begun. */
  emptyResult(known: KnownRepository, collected: Collected): Result;
}

export interface Collection<Result extends Collected> {
  results: Result[];
  /** Repositories that were not begun. */
  remaining: number;
  /** When what was not read may be had: the platform gives it again, or its other reader is done. */
  resumeAt: Instant | null;
}

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
export async function inTurn(
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
export async function collectAll<Result extends Collected>(
  collector: Collector<Result>,
  repositories: readonly KnownRepository[],
  context: JobContext,
): Promise<Collection<Result>> {
  const { queue, clock } = context.services;
  const { queue: name, atOnce } = collector;
  const course = circuitBreaker(context.mayContinue);
  if (!queue) throw new Error('Collecting needs a database.');
  if (repositories.length === 0) return { results: [], remaining: 0, resumeAt: null };
  await queue.refill(
    name,
    repositories.map((known) => itemOf(known, context.until)),
  );
  const one = async (data: object) => {
    const result = await collectOne(collector, (data as ItemData).known, context.services, course.mayContinue);
    course.note(result);
    return result;
  };
  const loop = async () => {
    while (course.mayContinue() && (await queue.doNext(name, one)));
  };
  for (;;) {
    const ends = await Promise.allSettled(Array.from({ length: atOnce }, loop));
    const broken = ends.find((end) => end.status === 'rejected');
    if (broken) throw broken.reason;
    // What other processes took, and what was given back, comes to its end as well.
    if (!course.mayContinue() || (await queue.status(name)).open === 0) break;
    await sleep(lookAgainMs);
  }
  await queue.withdraw(name);
  const { done } = await queue.status(name);
  const results = [...done.values()].filter((result): result is Result => 'repo' in result);
  const waits = results.map((result) => againAt(result, clock.now())).filter((at) => at !== null);
  return {
    results,
    remaining: repositories.length - results.length,
    resumeAt: waits.length ? Math.max(...waits) : null,
  };
}

/** When to read a repository once more of which the reading was held up; null when only the next night may. */
function againAt({ status, code, resumeAt }: Collected, now: Instant): Instant | null {
  if (resumeAt !== undefined) return resumeAt;
  if (status === 'locked') return now + lockedMs;
  return code === 'upstream_unavailable' ? now + outageMs : null;
}

interface ItemData {
  known: KnownRepository;
  /** Not begun after this instant. */
  until: Instant;
}

const itemOf = (known: KnownRepository, until: Instant) => {
  const data: ItemData = { known, until };
  return { key: String(known.id), data };
};

/** Takes part in a collection that another process began, for as long as there is something to take. */
export async function helpCollect<Result extends Collected>(
  collector: Collector<Result>,
  { services, mayContinue }: Pick<JobContext, 'services' | 'mayContinue'>,
): Promise<number> {
  const { queue, clock } = services;
  const course = circuitBreaker(mayContinue);
  let taken = 0;
  const one = async (data: object) => {
    const { known, until } = data as ItemData;
    if (clock.now() >= until) return {};
    taken++;
    const result = await collectOne(collector, known, services, () => course.mayContinue() && clock.now() < until);
    course.note(result);
    return result;
  };
  while (course.mayContinue() && (await queue?.doNext(collector.queue, one)));
  return taken;
}

/** Whether a process goes on collecting, by what its readings came to. */
function circuitBreaker(mayContinue: () => boolean) {
  let isSpent = false;
  let outages = 0;
  return {
    mayContinue: () => !isSpent && mayContinue(),
    note({ code, resumeAt }: Collected) {
      outages = code === 'upstream_unavailable' ? outages + 1 : 0;
      isSpent ||= resumeAt !== undefined || outages >= maxOutages;
    },
  };
}

/** Reads one repository with the service's token, and notes how it ended. Only what concerns all of them is thrown. */
async function collectOne<Result extends Collected>(
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
      throw new Problem('service_token_missing', 'The platform rejects the token of the service.');
    if (problem.code === 'not_found' || problem.code === 'legally_blocked')
      await store.repositories.unreachable(known.id, problem.code, clock.now());
    return collector.emptyResult(known, { repo, ...problemIn(problem, clock.now()) });
  });
  const { status, code: error = null } = result;
  await store.syncQueue.ended(known.id, collector.kind, { status, error, startedAt, finishedAt: clock.now() });
  return result;
}

async function readOne<Result extends Collected>(
  { collect }: Collector<Result>,
  known: KnownRepository,
  collecting: Collecting,
): Promise<Result> {
  const repository = await collecting.codehost.repositories.get(known);
  if (repository.id === known.codehostId) return collect(known, repository, collecting);
  // A name may have passed to another repository; what was stored of this one is not to be mixed with it.
  throw new Problem('not_found', `${known.owner}/${known.repo} is another repository now.`);
}
