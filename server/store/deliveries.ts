import { LRUCache } from 'lru-cache';
import type { Instant, Repository, RepositoryName, WorkflowJob, WorkflowRun } from '../metrics/kernel/facts.ts';
import { dayMs, minuteMs } from '../metrics/kernel/window.ts';
import { accountDictionary } from './accounts.ts';
import type { Database, Queries } from './database.ts';
import { distinctBatches, listActors, toRunArrays } from './ingest.ts';
import { renewAttempts } from './renewed-attempts.ts';
import { upsertSeen } from './repositories.ts';
import { intakeStatements } from './statements.ts';
import { putJobs } from './workflow-jobs.ts';

/** One event of the platform about a run or a job, as a webhook delivered it. */
export interface Delivery {
  /** The platform's id of the delivery; the same when it is delivered again. */
  id: string;
  event: string;
  action: string;
  /** As it was when the event happened. */
  repository: Repository;
  run: WorkflowRun | null;
  job: WorkflowJob | null;
}

/** For so long it is cached under which id a repository is known. */
const cacheTtlMs = 60_000;

/** What webhooks bring, each delivery once. */
export function deliveries(database: Database) {
  const accounts = accountDictionary(database);
  const cachedIds = new LRUCache<number, number>({
    maxSize: 50_000,
    sizeCalculation: () => 1,
    ttl: cacheTtlMs,
  });
  return {
    /**
     * Takes deliveries in, all or none, and answers the ids of those that are new; of the others nothing is taken.
     * An unknown repository is noted, untracked; what is known of one is not changed by what may be old.
     */
    async take(batch: readonly Delivery[], receivedAt: Instant): Promise<ReadonlySet<string>> {
      const firstOfEach = new Map(batch.toReversed().map((one) => [one.id, one]));
      // In one order everywhere, so that two that bring the same deliveries never wait for each other.
      const distinct = [...firstOfEach.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      const toAccountKey = await accounts.store(listActors(distinct.flatMap(({ run }) => run ?? [])));
      const repoIds = new Map(distinct.map(({ repository: { id } }) => [id, cachedIds.get(id)]));
      const calls = distinctBatches(distinct, ({ id, run }) => run?.id ?? id);
      const take = async (queries: Queries) => {
        for (const { repository } of distinct)
          if (repoIds.get(repository.id) === undefined)
            repoIds.set(repository.id, await upsertSeen(queries, repository));
        const fresh = new Set<string>();
        for (const call of calls) {
          const located = call.map((one) => locate(one, repoIds));
          const runs = call.map(({ run }) => run);
          const [inserted] = await queries.run<{ fresh: string[] }>(intakeStatements.insert_deliveries, {
            ...toDeliveryArrays(located),
            seen_ms: receivedAt,
            ...toRunArrays(runs, toAccountKey),
          });
          for (const id of inserted?.fresh ?? []) fresh.add(id);
          await storeJobs(
            queries,
            located.filter(({ id }) => fresh.has(id)),
            receivedAt,
          );
        }
        return fresh;
      };
      // Most often one call takes all, and is all or none by itself.
      const isOneCall =
        calls.length === 1 && distinct.every(({ job, repository }) => !job && repoIds.get(repository.id));
      const fresh = await (isOneCall ? take(database) : database.transaction(take));
      for (const [id, repoId] of repoIds) cachedIds.set(id, repoId, { noUpdateTTL: true });
      return fresh;
    },
    /**
     * Notes a delivery that brings no facts, as the ping of a new webhook; delivered again, it is noted again. Its key is
     * no delivery's id, so that it keeps no other delivery out.
     */
    async note({ id, event }: Pick<Delivery, 'id' | 'event'>, receivedAt: Instant): Promise<void> {
      await database.db
        .insertInto('webhook_deliveries')
        .values({ deliveryId: `${event}:${id}`, event, action: null, repoKey: null, receivedAt })
        .onConflict((conflict) => conflict.column('deliveryId').doUpdateSet({ receivedAt }))
        .execute();
    },
    /** Whether any was about this repository since then. */
    async isAbout({ owner, repo }: RepositoryName, since: Instant): Promise<boolean> {
      const found = await database.db
        .selectFrom('webhook_deliveries')
        .select('deliveryId')
        .where('receivedAt', '>=', since)
        .where('repoKey', '=', `${owner}/${repo}`.toLowerCase())
        .limit(1)
        .execute();
      return found.length > 0;
    },
    /** The newest delivery, and null where none is stored. */
    latest: (now: Instant) => findLatest(database, now),
  };
}

/** The index knows ages and no order, so the newest is looked for among few first. */
const latestWithinMs = [10 * minuteMs, dayMs, Number.POSITIVE_INFINITY];

async function findLatest({ db }: Queries, now: Instant): Promise<{ event: string; receivedAt: Instant } | null> {
  for (const ageMs of latestWithinMs) {
    const latest = await db
      .selectFrom('webhook_deliveries')
      .select(['event', 'receivedAt'])
      .where('receivedAt', '>=', Math.max(0, now - ageMs))
      .orderBy('receivedAt', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (latest) return latest;
  }
  return null;
}

type Located = Delivery & { repoId: number };

function locate(delivery: Delivery, repoIds: ReadonlyMap<number, number | undefined>): Located {
  const repoId = repoIds.get(delivery.repository.id);
  if (repoId === undefined) throw new Error('The repository of a delivery is known by now.');
  return { ...delivery, repoId };
}

async function storeJobs(transaction: Queries, located: readonly Located[], receivedAt: Instant): Promise<void> {
  const jobs = located.flatMap(({ repoId, job }) => (job ? [{ ...job, repoId, detail: 'full' as const }] : []));
  if (jobs.length === 0) return;
  // As whoever keeps the jobs of an attempt does.
  const locked = lockRepositories(
    transaction,
    jobs.map(({ repoId }) => repoId),
  );
  await Promise.all([locked, putJobs(transaction, jobs, receivedAt)]);
  await renewAttempts(transaction, jobs, receivedAt);
}

const toDeliveryArrays = (located: readonly Located[]) => ({
  delivery_ids: located.map(({ id }) => id),
  events: located.map(({ event }) => event),
  actions: located.map(({ action }) => action),
  repo_keys: located.map(({ repository: { owner, repo } }) => `${owner}/${repo}`.toLowerCase()),
  repo_ids: located.map(({ repoId }) => repoId),
});

const lockRepositories = ({ db }: Queries, ids: readonly number[]) =>
  db
    .selectFrom('repos')
    .select('id')
    .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
