import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import type { Context } from '../access/context.ts';
import { offers } from '../access/decision.ts';
import { identify } from '../access/identify.ts';
import { feature } from '../access/rules.ts';
import type { Platform } from '../codehost/changes/client.ts';
import type { Repository } from '../metrics/kernel/facts.ts';
import { minuteMs } from '../metrics/kernel/window.ts';
import { stopwatch } from '../platform/clock.ts';
import { Problem } from '../platform/problem.ts';
import { openServiceToken } from '../platform/service-token.ts';
import { withoutLimits } from '../platform/work-limits.ts';
import {
  applyPassResult,
  giveUp,
  newlyPending,
  outageMs,
  type PendingRepository,
  type PendingSync,
  postpone,
  record,
} from './pending-repositories.ts';
import { problemResult, type RepositorySyncResult } from './repository-sync-result.ts';
import { shareJobReads, syncRunJobs } from './run-jobs.ts';
import { syncRepository } from './sync-repository.ts';

/** Reads on in the background what a person's synchronization left, until nothing is left. */
export interface SyncContinuation {
  /**
   * Takes repositories over and returns before they are read: the rest of `partial` ones, and jobs of all. Nothing is
   * taken over with `SCHEDULER=off`, nor from a script, whose token is not stored beyond its request, unless the service
   * has a token of its own.
   */
  begin(context: Context, repositories: readonly Repository[], partial: readonly Repository[]): Promise<void>;
  /** Resolves when what was going on has ended, which it does when the process is signalled to stop. */
  ended(): Promise<void>;
}

/** The synchronizations of one account that are gone on with. */
interface Task extends PendingSync {
  /**
   * The latest request with a session, which is checked again before each round (alive, may synchronize); null
   * once it does not, or for a script.
   */
  signedIn: Context | null;
  trackedBy: string;
  /** Repositories whose runs are read, and some of whose jobs are not. */
  withoutJobs: Map<number, Repository>;
}

/** Before each round, and between two looks at the clock. */
const pauseMs = 1000;
/** A repository is read for so long before the next one, and the session is looked at again. */
const passMs = 20_000;
/** A pass does not request again what the one before it did. */
const refreshAfterMs = 15 * minuteMs;
/** Side by side; half of what a person's own request reads. */
const concurrency = 2;
const recordEveryMs = 30_000;
const defectMs = 5000;
const maxDefectMs = 300_000;
/** Defects in a row, after which a continuation is given up; nightly work, or a person, goes on. */
const maxDefects = 12;

const synchronizing = feature('dataSync');

export function createSyncContinuation(): SyncContinuation {
  const tasks = new Map<number, Task>();
  const running = new Set<Promise<void>>();
  return {
    async begin(context, repositories, partial) {
      const { services, store } = context;
      const { env } = services;
      const { id, login, session } = await context.actor();
      if (env.SCHEDULER === 'off' || repositories.length === 0 || (!session && !env.CODEHOST_TOKEN)) return;
      const pending = new Map(partial.map((repository) => [repository.id, newlyPending(repository, services)]));
      const withoutJobs = new Map(repositories.map((repository) => [repository.id, repository]));
      const isNew = ({ repository }: PendingRepository) => !tasks.get(id)?.pending.has(repository.id);
      await record({ services, store }, [...pending.values()].filter(isNew));
      const task = tasks.get(id);
      if (task) {
        task.pending = new Map([...pending, ...task.pending]);
        task.withoutJobs = new Map([...task.withoutJobs, ...withoutJobs]);
        if (session) task.signedIn = context;
        return;
      }
      const begun: Task = { services, store, signedIn: session && context, trackedBy: login, pending, withoutJobs };
      tasks.set(id, begun);
      // No wait lies between the last look at what is pending and this, so that nothing is handed to a task that ended.
      const work = withoutLimits(() => readAll(begun, () => tasks.delete(id)));
      running.add(work);
      void work.finally(() => running.delete(work));
    },
    async ended() {
      await Promise.all(running);
    },
  };
}

/** Never rejects. */
async function readAll(task: Task, end: () => void): Promise<void> {
  const { stopping, clock, log } = task.services;
  const recordAll = () => record(task, [...task.pending.values()]).catch(ignore);
  const recording = setInterval(() => void recordAll(), recordEveryMs).unref();
  let defects = 0;
  while (task.pending.size + task.withoutJobs.size > 0 && !stopping.aborted) {
    await sleep(pauseMs, undefined, { signal: stopping, ref: false }).catch(ignore);
    const due = [...task.pending.values()].filter(({ dueAt }) => dueAt <= clock.now());
    const withoutJobs = [...task.withoutJobs.values()].filter(({ id }) => !task.pending.has(id));
    if (due.length + withoutJobs.length === 0 || stopping.aborted) continue;
    try {
      await readRound(task, due, withoutJobs);
      defects = 0;
    } catch (error) {
      log.warn({ err: error }, 'a synchronization could not be gone on with');
      const dueAt = clock.now() + Math.min(defectMs * 2 ** ++defects, maxDefectMs);
      for (const one of task.pending.values()) one.dueAt = Math.max(one.dueAt, dueAt);
      if (defects < maxDefects) continue;
      task.withoutJobs.clear();
      await giveUp(task, 'internal').catch(ignore);
    }
  }
  end();
  clearInterval(recording);
}

const ignore = () => undefined;

/** One pass of each repository that is due, and of one each whose runs are read the jobs of some of them. */
async function readRound(
  task: Task,
  due: readonly PendingRepository[],
  withoutJobs: readonly Repository[],
): Promise<void> {
  let reader: Platform | null;
  try {
    reader = await readerOf(task);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const dueAt = task.services.clock.now() + 1000 * (error.details?.retry_after_s ?? outageMs / 1000);
    for (const one of task.pending.values()) postpone(one, 'upstream_unavailable', dueAt);
    return record(task, [...task.pending.values()]);
  }
  if (!reader) return endAll(task);
  const { signedIn } = task;
  const options = { concurrency, stopOnError: false };
  const codes = await pMap(due, (one) => readOne(one, task, reader), options);
  const limit = shareJobReads(withoutJobs.length);
  codes.push(...(await pMap(withoutJobs, (one) => readJobs(one, task, reader, limit), options)));
  // Meanwhile the account may have begun another session.
  if (!codes.includes('unauthenticated') || task.signedIn !== signedIn) return;
  if (!signedIn) return endAll(task);
  task.signedIn = null;
}

/** Nobody is left whose token could be read with. */
function endAll(task: Task): Promise<void> {
  task.withoutJobs.clear();
  return giveUp(task, 'session_ended');
}

/**
 * The platform with the token of the person for as long as their session lives and they may synchronize, then with that
 * of the service; null without either. Leaves the last fifth of the quota to people.
 * @throws Problem when it cannot be determined whether they may.
 */
async function readerOf(task: Task): Promise<Platform | null> {
  const { services, signedIn } = task;
  if (signedIn) {
    const actor = await identify(signedIn).catch((error: unknown) => {
      if (error instanceof Problem && !transient.has(error.code)) return null;
      throw error;
    });
    if (actor && offers(synchronizing, signedIn, actor)) return services.connect(actor.token, { background: true });
    if (task.signedIn === signedIn) task.signedIn = null;
  }
  const { CODEHOST_TOKEN: token } = services.env;
  return token ? services.connect(openServiceToken(token), { background: true }) : null;
}

/** Errors that do not show whether somebody may. */
const transient: ReadonlySet<string> = new Set([
  'authz_unavailable',
  'rate_limited',
  'upstream_unavailable',
  'upstream_rate_limited',
]);

/** Answers the code of the problem that ended the pass, if one did. */
async function readOne(one: PendingRepository, task: Task, codehost: Platform): Promise<string | undefined> {
  const { services } = task;
  if (services.stopping.aborted) return;
  const result = await pass(one, task, codehost).catch((error: unknown): Omit<RepositorySyncResult, 'repo'> => {
    if (error instanceof Problem) return problemResult(error, services.clock.now());
    throw error;
  });
  await applyPassResult(one, task, result);
  return result.code;
}

/** Answers the code of the problem, if there was one; each repository is tried once. */
async function readJobs(
  repository: Repository,
  task: Task,
  codehost: Platform,
  limit: number,
): Promise<string | undefined> {
  const { services, store } = task;
  task.withoutJobs.delete(repository.id);
  try {
    const found = await codehost.repositories.get(repository);
    const known = await store.repositories.find(found);
    if (found.id !== repository.id || !known?.tracked) return;
    const elapsed = stopwatch(services.clock);
    const mayContinue = () => !services.stopping.aborted && elapsed() < passMs;
    await syncRunJobs(known.id, found, { codehost, store, clock: services.clock, limit, mayContinue });
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

async function pass({ repository }: PendingRepository, task: Task, codehost: Platform): Promise<RepositorySyncResult> {
  const { services, store, trackedBy } = task;
  const found = await codehost.repositories.get(repository);
  // A name may have passed to another repository.
  if (found.id !== repository.id) throw new Problem('not_found', 'The repository is another one now.');
  const elapsed = stopwatch(services.clock);
  const mayContinue = () => !services.stopping.aborted && elapsed() < passMs;
  const of = { codehost, store, trackedBy, source: 'sync' as const, refreshAfterMs };
  return syncRepository(services, of, found, mayContinue);
}
