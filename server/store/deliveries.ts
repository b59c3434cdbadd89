import { LRUCache } from 'lru-cache';
import type { Instant, Repository, WorkflowJob, WorkflowRun } from '../metrics/facts.ts';
import type { Database, Queries } from './database.ts';
import { lockRuns, runKeeper } from './ingest.ts';
import { heardOf } from './repositories.ts';
import { fromMs } from './wire-sql.ts';
import { putJobs } from './workflow-jobs.ts';

/** One event of the platform about a run or a job, as a webhook brought it. */
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

/** For so long it is believed under which id a repository is known. */
const believedMs = 60_000;

/** What webhooks bring, each delivery once. */
export function deliveries(database: Database) {
  const keepRuns = runKeeper(database);
  const believed = new LRUCache<number, number>({ max: 50_000, ttl: believedMs });
  return {
    /**
     * Takes deliveries in, all or none, and answers the ids of those that are new; of the others nothing is taken.
     * An unknown repository is noted, untracked; what is known of one is not changed by what may be old.
     */
    async take(batch: readonly Delivery[], receivedAt: Instant): Promise<ReadonlySet<string>> {
      const firstOfEach = new Map(batch.toReversed().map((one) => [one.id, one]));
      // In one order everywhere, so that two that bring the same deliveries never wait for each other.
      const distinct = [...firstOfEach.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      const write = await keepRuns(distinct.flatMap(({ run }) => run ?? []));
      const repoIds = new Map<number, number>();
      const noted = await database.transaction(async (transaction) => {
        for (const { repository } of distinct)
          if (!repoIds.has(repository.id))
            repoIds.set(repository.id, believed.get(repository.id) ?? (await heardOf(transaction, repository)));
        const located = distinct.flatMap((one): Located[] => {
          const repoId = repoIds.get(one.repository.id);
          return repoId === undefined ? [] : [{ ...one, repoId }];
        });
        // Most are new: the runs of all travel with the question, and are taken back where some are not.
        const [fresh] = await Promise.all([
          note(transaction, located, receivedAt),
          transaction.query('savepoint noted'),
          write(transaction, runsOf(located), receivedAt),
        ]);
        const isFresh = ({ id }: Delivery) => fresh.has(id);
        if (fresh.size < located.length) {
          await transaction.query('rollback to savepoint noted');
          await write(transaction, runsOf(located.filter(isFresh)), receivedAt);
        }
        await keepJobs(transaction, located.filter(isFresh), receivedAt);
        return fresh;
      });
      for (const [id, repoId] of repoIds) believed.set(id, repoId, { noUpdateTTL: true });
      return noted;
    },
  };
}

type Located = Delivery & { repoId: number };

const runsOf = (located: readonly Located[]) => located.flatMap(({ repoId, run }) => (run ? [{ repoId, run }] : []));

async function keepJobs(transaction: Queries, located: readonly Located[], receivedAt: Instant): Promise<void> {
  const jobs = located.flatMap(({ repoId, job }) => (job ? [{ ...job, repoId, detail: 'full' as const }] : []));
  if (jobs.length === 0) return;
  // As whoever keeps the jobs of an attempt does.
  const locked = transaction.query(lockRepositories, [jobs.map(({ repoId }) => repoId)]);
  await Promise.all([locked, putJobs(transaction, jobs, receivedAt)]);
}

/** Locks the repositories, writes down which deliveries came, and answers those that had not come before. */
async function note(transaction: Queries, given: readonly Located[], receivedAt: Instant): Promise<Set<string>> {
  const columns = [
    given.map(({ id }) => id),
    given.map(({ event }) => event),
    given.map(({ action }) => action),
    given.map(({ repository: { owner, repo } }) => `${owner}/${repo}`.toLowerCase()),
  ];
  const inOrder = [...new Set(given.map(({ repoId }) => repoId))].sort((a, b) => a - b);
  const rows = await transaction.query<{ id: string }>(lockAndNote, [receivedAt, inOrder, ...columns]);
  return new Set(rows.map(({ id }) => id));
}

/** One way to the database less: the locks are taken before the first row is, and every later statement sees more. */
const lockAndNote = `
  with locked as materialized (select ${lockRuns('$2')})
  insert into webhook_deliveries (delivery_id, event, action, repo_key, received_at)
  select id, event, action, repo_key, ${fromMs('$1')}
  from unnest($3::text[], $4::text[], $5::text[], $6::text[]) given (id, event, action, repo_key)
  where (select count(*) from locked) > 0
  on conflict do nothing returning delivery_id as id`;

const lockRepositories = 'select from repos where id = any ($1::int[]) order by id for no key update';
