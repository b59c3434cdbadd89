import { LRUCache } from 'lru-cache';
import type { EventReader } from '../codehost/webhook/events.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { invalidRequest, Problem } from '../platform/problem.ts';
import type { Delivery } from '../store/deliveries.ts';
import { isDatabaseUnavailable, isInvalidValue } from '../store/failure.ts';
import type { QueueDelivery } from '../store/merge-queue-notices.ts';
import type { Store } from '../store/orm.ts';
import type { RefDelivery } from '../store/ref-notices.ts';

/** An event as the platform delivers it. */
export interface Event {
  event: string;
  /** The platform's id of this delivery. */
  delivery: string;
  payload: object;
}

/** What came of a delivery. `ignored`: its owner is neither allowed nor tracked. */
export type WebhookResult =
  | { kind: 'ping' | 'skipped' | 'duplicate' | 'ignored' }
  | { kind: 'ref'; ref: string; action: string }
  | { kind: 'run' | 'job' | 'queue' | 'closed'; id: number; action: string; happenedAt: Instant | null };

export interface WebhookHandler {
  /**
   * Resolves once the delivery is durable. A delivery that is rejected was not noted, so that it can be
   * delivered again. Uses nothing but the database.
   * @throws Problem `invalid_request`, `db_not_configured`, `db_unavailable`
   */
  receive(event: Event): Promise<WebhookResult>;
}

export interface WebhookHandlerOptions {
  store: Pick<
    Store,
    'actionLedger' | 'advisorPullRequests' | 'deliveries' | 'mergeQueueNotices' | 'repositories'
  > | null;
  read: EventReader;
  /** Owners of which everything is stored, in any case of letters; empty means of all. */
  allowedOwners: readonly string[];
  /** Commits under way at once; at least one. */
  partitions: number;
  clock: Clock;
  log: Log;
}

export function createWebhookHandler({
  store,
  read,
  allowedOwners,
  ...options
}: WebhookHandlerOptions): WebhookHandler {
  const allowed = new Set(allowedOwners.map((owner) => owner.toLowerCase()));
  const take = store && takeByPartition({ ...options, deliveries: store.deliveries });
  const isTracked = store && trackedOwners(store);
  const orUnavailable = (error: unknown) => {
    options.log.error({ err: error, deliveries: 1 }, 'deliveries could not be stored');
    throw toProblem(error);
  };
  /** The ping of a new webhook shows that it works. */
  const note = async (id: string, event: string) =>
    store?.deliveries.note({ id, event }, options.clock.now()).catch(orUnavailable);
  const takeNotice = async (queueDelivery: QueueDelivery) =>
    store?.mergeQueueNotices.take(queueDelivery, options.clock.now()).catch(orUnavailable);
  const takeRef = async (delivery: RefDelivery) =>
    (await store?.actionLedger.notices.take(delivery, options.clock.now()).catch(orUnavailable)) ?? 'unused';
  return {
    async receive({ event, delivery, payload }) {
      const message = read(event, payload);
      if (message.kind === 'ping') await note(delivery, event);
      if (message.kind === 'ping' || message.kind === 'skipped') return message;
      if (message.kind === 'ref' && !store) return { kind: 'skipped' };
      if (!take || !isTracked)
        throw new Problem('db_not_configured', 'No database is configured, so nothing is stored.');
      const owner = message.repository.owner.toLowerCase();
      if (allowed.size > 0 && !allowed.has(owner) && !(await isTracked(owner))) return { kind: 'ignored' };
      if (message.kind === 'ref') {
        const { action, repository, notice } = message;
        const taken = await takeRef({ id: delivery, event, action, repository, notice });
        if (taken === 'unused') return { kind: 'skipped' };
        return taken === 'duplicate' ? { kind: 'duplicate' } : { kind: 'ref', ref: notice.ref, action };
      }
      const { action, repository } = message;
      if (message.kind === 'queue') {
        const { notice } = message;
        const isFirst = await takeNotice({ id: delivery, event, action, repository, notice });
        return isFirst ? { kind: 'queue', id: notice.number, action, happenedAt: notice.at } : { kind: 'duplicate' };
      }
      if (message.kind === 'closed') {
        const { number, state, at } = message;
        // Only one that was opened from here is stored, and again it changes nothing.
        const isOurs = await store?.advisorPullRequests.close(repository.id, number, state).catch(orUnavailable);
        return isOurs ? { kind: 'closed', id: number, action, happenedAt: at } : { kind: 'skipped' };
      }
      const { run, job } = message;
      const isNew = await take({ id: delivery, event, action, repository, run, job });
      if (!isNew) return { kind: 'duplicate' };
      if (run) return { kind: 'run', id: run.id, action, happenedAt: run.updatedAt };
      return { kind: 'job', id: job.id, action, happenedAt: job.completedAt ?? job.startedAt ?? job.createdAt };
    },
  };
}

/** Deliveries in one commit, and waiting in a partition. */
const maxBatchSize = 500;
const maxWaiting = 5000;

interface Waiting {
  delivery: Delivery;
  resolve(isNew: boolean): void;
  reject(error: unknown): void;
}

type CommitOptions = Pick<WebhookHandlerOptions, 'partitions' | 'clock' | 'log'> & Pick<Store, 'deliveries'>;

/**
 * Answers whether a delivery was new. A repository stays in its partition: two commits about it would only wait for
 * each other.
 */
function takeByPartition({ partitions: count, ...options }: CommitOptions) {
  const partitions = Array.from({ length: count }, () => partition(options));
  return (delivery: Delivery): Promise<boolean> => {
    const mine = partitions[delivery.repository.id % partitions.length] ?? partition(options);
    return mine(delivery);
  };
}

/**
 * Commits what waits together: the moment one commit returns the next begins, with all that came meanwhile. No timer,
 * so that one delivery alone is as quick as a commit, and the more come the more share one.
 */
function partition({ deliveries, clock, log }: Omit<CommitOptions, 'partitions'>) {
  const waiting: Waiting[] = [];
  let busy = false;
  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const given = batch.map(({ delivery }) => delivery);
      const fresh = new Set(await deliveries.take(given, clock.now()));
      for (const { delivery, resolve } of batch) resolve(fresh.delete(delivery.id));
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) {
        log.error({ err: error, deliveries: batch.length }, 'deliveries could not be stored');
        for (const { reject } of batch) reject(toProblem(error));
      }
      // One that cannot be stored is no reason to reject the others.
      else for (const one of batch) await commit([one]);
    }
  };
  const work = async () => {
    busy = true;
    while (waiting.length > 0) await commit(waiting.splice(0, maxBatchSize));
    busy = false;
  };
  return (delivery: Delivery): Promise<boolean> => {
    if (waiting.length >= maxWaiting) return Promise.reject(unavailable('Too many deliveries wait for the database.'));
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    waiting.push({ delivery, resolve, reject });
    if (!busy) void work();
    return promise;
  };
}

const toProblem = (error: unknown) =>
  isInvalidValue(error)
    ? invalidRequest([{ field: 'payload', reason: 'invalid', message: 'payload holds what cannot be stored.' }])
    : unavailable('The database did not keep the delivery.');

const unavailable = (explanation: string) =>
  new Problem('db_unavailable', explanation, { details: { retry_after_s: 10 } });

/** For so long it is believed that an owner has a tracked repository, or none. */
const cacheTtlMs = 30_000;

function trackedOwners({ repositories }: Pick<Store, 'repositories'>): (owner: string) => Promise<boolean> {
  const known = new LRUCache<string, boolean>({
    maxSize: 10_000,
    sizeCalculation: () => 1,
    ttl: cacheTtlMs,
  });
  return async (owner) => {
    const isTracked = known.get(owner) ?? (await repositories.tracked(owner)).length > 0;
    if (!known.has(owner)) known.set(owner, isTracked);
    return isTracked;
  };
}
