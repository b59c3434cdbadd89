import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sourceFile } from './source-files.ts';
import type { ThreadStart } from './thread.ts';

/**
 * How a task ended; `ms` is how long it ran, without the wait in the queue and for the thread to start. `not_started`:
 * it waited in the queue for too long.
 */
export type Outcome<Result> = { state: 'done'; result: Result; ms: number } | { state: Failure; ms: number };
type Failure = 'timeout' | 'out_of_memory' | 'failed' | 'not_started';

/** Runs tasks in a thread of its own, one after the other, so that none of them delays or ends the process. */
export interface TaskThread<Task, Result> {
  /** Never rejects for what a task does; after a task that did not end well, the next one has a new thread. */
  run(task: Task, limitMs: number, waitMs?: number): Promise<Outcome<Result> & { waitedMs: number }>;
  close(): void;
}

/**
 * A thread that starts with the first task. Its file posts a message when it is ready, and one for each task:
 * `{ result, ms }`.
 */
export function taskThread<Task, Result>(file: string, memoryMb: number): TaskThread<Task, Result> {
  let thread: Promise<Worker> | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const end = () => {
    const ending = thread;
    thread = null;
    // Not waited for: a thread that runs out of memory may take its time.
    void ending?.then(
      (worker) => worker.terminate(),
      () => {},
    );
  };
  const runAlone = async (task: Task, limitMs: number): Promise<Outcome<Result>> => {
    if (isClosed) return { state: 'failed', ms: 0 };
    thread ??= start(file, memoryMb);
    const outcome = await runIn<Task, Result>(await thread, task, limitMs);
    if (outcome.state !== 'done') end();
    return outcome;
  };
  return {
    async run(task, limitMs, waitMs = maxWaitMs) {
      const from = performance.now();
      const waiting = new AbortController();
      const late = sleep(waitMs, true, { signal: waiting.signal, ref: false }).catch(() => false);
      let waitedMs = waitMs;
      let isLate = false;
      const ran = queue.then(() => {
        if (isLate) return notStarted;
        waiting.abort();
        waitedMs = performance.now() - from;
        return runAlone(task, limitMs);
      });
      queue = ran.catch(() => {
        thread = null;
      });
      isLate = await late;
      return { ...(isLate ? notStarted : await ran), waitedMs };
    },
    close() {
      isClosed = true;
      end();
    },
  };
}

const notStarted = { state: 'not_started', ms: 0 } as const;
/** Longer than any queue. */
const maxWaitMs = 3_600_000;

async function start(file: string, memoryMb: number): Promise<Worker> {
  // As the process: a report about a crash has no secret of the environment.
  const execArgv = ['--report-exclude-env'];
  // Node names a folder of its own release in that which was asked for.
  const cache = getCompileCacheDir();
  const workerData: ThreadStart = { file, compiled: cache ? dirname(cache) : null };
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
  const worker = new Worker(sourceFile('server/platform/thread.ts'), { execArgv, resourceLimits, workerData });
  await once(worker, 'message');
  // Whoever runs a task listens too; between tasks nobody does.
  worker.on('error', () => {});
  worker.unref();
  return worker;
}

async function runIn<Task, Result>(worker: Worker, task: Task, limitMs: number): Promise<Outcome<Result>> {
  const from = performance.now();
  const settled = new AbortController();
  const { signal } = settled;
  worker.ref();
  const answered = once(worker, 'message', { signal }).then(
    ([{ result, ms }]): Outcome<Result> => ({ state: 'done', result, ms }),
    (error): Outcome<Result> => ({ state: toFailure(error), ms: performance.now() - from }),
  );
  const exited = once(worker, 'exit', { signal }).then(
    (): Outcome<Result> => ({ state: 'failed', ms: performance.now() - from }),
    () => new Promise<never>(() => {}),
  );
  const late = hasTakenTooLong(worker, limitMs, signal).then(
    (): Outcome<Result> => ({ state: 'timeout', ms: limitMs }),
    () => new Promise<never>(() => {}),
  );
  worker.postMessage(task);
  const outcome = await Promise.race([answered, exited, late]);
  settled.abort();
  worker.unref();
  return outcome;
}

const toFailure = (error: unknown): Failure =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'failed';

/** On a busy machine the limit is one of processor time, as long as the thread reports how much it had. */
async function hasTakenTooLong(worker: Worker, limitMs: number, signal: AbortSignal): Promise<void> {
  const before = await usedMs(worker);
  for (let tries = 0; tries < 10; tries++) {
    await sleep(limitMs, undefined, { signal, ref: false });
    const now = await usedMs(worker);
    if (before === null || now === null || now - before >= 0.9 * limitMs) return;
  }
}

/** null where the thread cannot report it, as in older releases of Node. */
async function usedMs(worker: Worker): Promise<number | null> {
  if (typeof worker.cpuUsage !== 'function') return null;
  const usage = worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => null,
  );
  return Promise.race([usage, sleep(100, null, { ref: false })]);
}
