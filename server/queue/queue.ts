import { randomUUID } from 'node:crypto';
import { type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Log } from '../platform/log.ts';
import { Problem } from '../platform/problem.ts';
import type { Queries } from '../store/database.ts';
import type { Store } from '../store/orm.ts';

/** Something to be done by whichever process takes it. */
export interface Item {
  /** One with the same key that waits or is under way stays the only one. */
  key: string;
  data: object;
}

/**
 * Work that processes share, in the service's own database: what one of them put there, another may take. An item
 * whose process died is taken again. Stored in tables of its own, so that it needs nothing beside the database.
 */
export interface Queue {
  /** Empties the queue and fills it anew. */
  refill(name: QueueName, items: readonly Item[]): Promise<void>;
  /**
   * Takes the next item, does it and keeps what came of it; false when none waits. An item at which `work` throws is
   * given back, to be taken again a little later, and the error is thrown on.
   * @throws Problem `db_not_configured` when the queue has no tables and may not make them.
   */
  doNext(name: QueueName, work: (data: object) => Promise<object>): Promise<boolean>;
  /**
   * Makes the queue ready to be added to, and gives back the items of processes that are not heard of any more.
   * @throws Problem `db_not_configured` as above.
   */
  prepare(name: QueueName): Promise<void>;
  /**
   * Adds an item together with what the caller's transaction does; not before `prepare`. It waits for `afterMs`. When it
   * fails it is given back in pauses that grow, for a quarter of an hour or more; then it is given up.
   */
  add(transaction: Queries, name: QueueName, item: Item, afterMs?: number): Promise<void>;
  /** What came of the items that are done, by key, and how many are waiting or under way. */
  status(name: QueueName): Promise<{ done: Map<string, object>; open: number }>;
  /** The keys of the items that are waiting or under way. */
  keys(name: QueueName): Promise<Set<string>>;
  /** Removes what has not been taken. */
  withdraw(name: QueueName): Promise<void>;
  stop(): Promise<void>;
}

export type QueueName =
  | 'collect-runs'
  | 'collect-pull-requests'
  | 'collect-commits'
  | 'collect-advice'
  | 'deliver-alerts';

/** Every queue. */
export const queueNames: readonly QueueName[] = [
  'collect-runs',
  'collect-pull-requests',
  'collect-commits',
  'collect-advice',
  'deliver-alerts',
];

/** An item whose process was not heard of for so long is taken again, as soon as somebody looks for such. */
const heartbeatSeconds = 30;
const heartbeatEveryMs = 10_000;
const lookForDeadEverySeconds = 5;
const queueOptions = {
  policy: 'exclusive',
  retryLimit: 5,
  retryDelay: 5,
  heartbeatSeconds,
  expireInSeconds: 600,
} as const;

/** Five pauses of which each is about twice the one before, the first of 30 to 60 s. */
const addedRetries = { retryLimit: 5, retryDelay: 30, retryBackoff: true } as const;

export interface QueueOptions {
  store: Pick<Store, 'queue'>;
  log: Log;
  /** Whether the queue may make its tables; otherwise they must be there. */
  migrate: boolean;
}

/** Opens the queue at its first use, because most processes never need it. */
export function openQueue(options: QueueOptions): Queue {
  let opening: Promise<PgBoss> | undefined;
  let ready: Promise<unknown> | undefined;
  const boss = () => {
    opening ??= open(options).catch((error: unknown) => {
      opening = undefined;
      ready = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async refill(name, items) {
      const opened = await boss();
      await opened.deleteAllJobs(name);
      await opened.insert(
        name,
        items.map(({ key, data }, place) => ({ data: { ...data, key }, singletonKey: key, priority: -place })),
      );
    },
    async doNext(name, work) {
      const opened = await boss();
      const [job] = await opened.fetch<object>(name);
      if (!job) return false;
      // By the attempt and not by the id alone: who was taken for dead does not speak for who took the item then.
      const attempt = [job];
      const heartbeat = setInterval(() => void opened.touch(name, attempt).catch(() => undefined), heartbeatEveryMs);
      try {
        await opened.complete(name, attempt, await work(job.data));
      } catch (error) {
        await opened.fail(name, attempt).catch(() => undefined);
        throw error;
      } finally {
        clearInterval(heartbeat);
      }
      return true;
    },
    async prepare(name) {
      const opened = await boss();
      await opened.supervise(name);
      // What it knows of the queue is read now: within a transaction there may be no other connection to ask.
      ready ??= Promise.all(queueNames.map((one) => opened.findJobs(one, { id: randomUUID() })));
      await ready;
    },
    async add(transaction, name, { key, data }, afterMs = 0) {
      const db = {
        executeSql: async (sql: string, values?: unknown[]) => ({ rows: await transaction.query(sql, values) }),
      };
      const startAfter = Math.ceil(afterMs / 1000);
      const opened = await boss();
      const id = await opened.send(name, { ...data, key }, { ...addedRetries, db, singletonKey: key, startAfter });
      if (id === null) throw new Error(`There is an item ${key} already.`);
    },
    async status(name) {
      const opened = await boss();
      // Items of processes that are not heard of any more become free.
      await opened.supervise(name);
      const jobs = await opened.findJobs<{ key: string }>(name);
      const done = jobs.filter(({ state }) => state === 'completed');
      return { done: new Map(done.map(({ data, output }) => [data.key, output])), open: jobs.filter(isOpen).length };
    },
    async keys(name) {
      const jobs = await (await boss()).findJobs<{ key: string }>(name);
      return new Set(jobs.filter(isOpen).map(({ data }) => data.key));
    },
    withdraw: async (name) => (await boss()).deleteQueuedJobs(name),
    async stop() {
      const opened = await opening?.catch(() => undefined);
      opening = undefined;
      ready = undefined;
      if (opened) await stop(opened);
    },
  };
}

async function open({ store, log, migrate }: QueueOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    db: store.queue,
    schema: 'queue',
    migrate,
    // Only `status` asks for upkeep: a process that does nothing costs the database next to nothing.
    schedule: false,
    supervise: false,
    monitorVacuum: false,
    reindex: false,
    queueCacheIntervalSeconds: 3600,
    monitorIntervalSeconds: lookForDeadEverySeconds,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the queue could not be reached'));
  try {
    await boss.start();
    for (const name of queueNames) if (!(await boss.getQueue(name))) await boss.createQueue(name, queueOptions);
    return boss;
  } catch (error) {
    // What was begun of it has timers of its own.
    await stop(boss);
    if (!migrate && error instanceof Error && lacksTables.test(error.message))
      throw new Problem('db_not_configured', help);
    throw error;
  }
}

const isOpen = ({ state }: Pick<JobWithMetadata, 'state'>) => ['created', 'retry', 'active'].includes(state);

const stop = (boss: PgBoss) => boss.stop({ close: false, graceful: false });

const lacksTables = /not installed|requires migrations/;
const help =
  'The queue lacks its tables, or they are of another version: a process with MIGRATE_ON_START=true makes them when it first collects.';
