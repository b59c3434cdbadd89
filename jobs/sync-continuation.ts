import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import type { Context } from '../server/access/context.ts';
import { offers } from '../server/access/decision.ts';
import { identify } from '../server/access/identify.ts';
import { feature } from '../server/access/rules.ts';
import type { Platform } from '../server/codehost/changes/client.ts';
import type { Repository } from '../server/metrics/kernel/facts.ts';
import { Problem } from '../server/platform/problem.ts';
import { openServiceToken } from '../server/platform/service-token.ts';
import { withoutLimits } from '../server/platform/work-limits.ts';
import { type Collected, problemIn } from './collected.ts';
import { stopwatch } from './stopwatch.ts';
import { syncRepository } from './sync-repository.ts';
import { giveUp, type Left, newlyLeft, note, outageMs, settle, type Unfinished, wait } from './unfinished-sync.ts';

/** Reads on in the background what a person's synchronization left, until nothing is left. */
export interface SyncContinuation {
  /**
   * Takes the repositories over and returns before they are read. Nothing is taken over with `SCHEDULER=off`, nor from
   * a script, whose token is not stored beyond its request, unless the service has a token of its own.
   */
  begin(context: Context, repositories: readonly Repository[]): Promise<void>;
  /** Resolves when what was going on has ended, which it does when the process is signalled to stop. */
  ended(): Promise<void>;
}

/** The synchronizations of one account that are gone on with. */
interface Task extends Unfinished {
  /**
   * The latest request with a session, which is checked again before each round (alive, may synchronize); null
   * once it does not, or for a script.
   */
  signedIn: Context | null;
  trackedBy: string;
}

/** Before each round, and between two looks at the clock. */
const pauseMs = 1000;
/** A repository is read for so long before it is another one's turn, and the session is looked at again. */
const passMs = 20_000;
/** Side by side; half of what a person's own request reads. */
const atOnce = 2;
const heardEveryMs = 30_000;
const defectMs = 5000;
const maxDefectMs = 300_000;
/** Defects in a row, after which a continuation is given up; nightly work, or a person, goes on. */
const maxDefects = 12;

const synchronizing = feature('dataSync');

export function createSyncContinuation(): SyncContinuation {
  const tasks = new Map<number, Task>();
  const running = new Set<Promise<void>>();
  return {
    async begin(context, repositories) {
      const { services, store } = context;
      const { env } = services;
      const { id, login, session } = await context.actor();
      if (env.SCHEDULER === 'off' || repositories.length === 0 || (!session && !env.CODEHOST_TOKEN)) return;
      const left = new Map(repositories.map((repository) => [repository.id, newlyLeft(repository, services)]));
      const isNew = ({ repository }: Left) => !tasks.get(id)?.left.has(repository.id);
      await note({ services, store }, [...left.values()].filter(isNew));
      const task = tasks.get(id);
      if (task) {
        task.left = new Map([...left, ...task.left]);
        if (session) task.signedIn = context;
        return;
      }
      const begun: Task = { services, store, signedIn: session && context, trackedBy: login, left };
      tasks.set(id, begun);
      // No wait lies between the last look at what is left and this, so that nothing is handed to a task that has ended.
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
  const heartbeat = setInterval(() => void note(task, [...task.left.values()]).catch(ignore), heardEveryMs);
  heartbeat.unref();
  let defects = 0;
  while (task.left.size > 0 && !stopping.aborted) {
    await paused(pauseMs, stopping);
    if (stopping.aborted) break;
    try {
      const isDue = [...task.left.values()].some(({ dueAt }) => dueAt <= clock.now());
      if (isDue) await readRound(task);
      defects = 0;
    } catch (error) {
      log.warn({ err: error }, 'a synchronization could not be gone on with');
      if (++defects >= maxDefects) await giveUp(task, 'internal').catch(ignore);
      else await paused(Math.min(defectMs * 2 ** defects, maxDefectMs), stopping);
    }
  }
  end();
  clearInterval(heartbeat);
}

const ignore = () => undefined;

const paused = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false }).catch(ignore);

/** One pass of each repository that is due. */
async function readRound(task: Task): Promise<void> {
  const { clock } = task.services;
  let reader: Platform | null;
  try {
    reader = await readerOf(task);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const dueAt = clock.now() + 1000 * (error.details?.retry_after_s ?? outageMs / 1000);
    for (const left of task.left.values()) wait(left, 'upstream_unavailable', dueAt);
    return note(task, [...task.left.values()]);
  }
  if (!reader) return giveUp(task, 'session_ended');
  const { signedIn } = task;
  const due = [...task.left.values()].filter(({ dueAt }) => dueAt <= clock.now());
  const options = { concurrency: atOnce, stopOnError: false };
  const isRejected = (await pMap(due, (left) => readOne(left, task, reader), options)).includes('unauthenticated');
  // Meanwhile the account may have begun another session.
  if (!isRejected || task.signedIn !== signedIn) return;
  if (!signedIn) return giveUp(task, 'session_ended');
  task.signedIn = null;
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

/** What says nothing about whether somebody may. */
const transient: ReadonlySet<string> = new Set([
  'authz_unavailable',
  'rate_limited',
  'upstream_unavailable',
  'upstream_rate_limited',
]);

/** Answers the code of the problem that ended the pass, if one did. */
async function readOne(left: Left, task: Task, codehost: Platform): Promise<string | undefined> {
  const { services } = task;
  if (services.stopping.aborted) return;
  const result = await pass(left, task, codehost).catch((error: unknown): Omit<Collected, 'repo'> => {
    if (error instanceof Problem) return problemIn(error, services.clock.now());
    throw error;
  });
  await settle(left, task, result);
  return result.code;
}

async function pass({ repository }: Left, task: Task, codehost: Platform): Promise<Collected> {
  const { services, store, trackedBy } = task;
  const found = await codehost.repositories.get(repository);
  // A name may have passed to another repository.
  if (found.id !== repository.id) throw new Problem('not_found', 'The repository is another one now.');
  const elapsed = stopwatch(services.clock);
  const mayContinue = () => !services.stopping.aborted && elapsed() < passMs;
  return syncRepository(services, { codehost, store, trackedBy, source: 'sync' }, found, mayContinue);
}
