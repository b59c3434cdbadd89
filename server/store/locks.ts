import { type RawBuilder, sql } from 'kysely';
import type { Database, Queries } from './database.ts';

/** The numbers of the advisory locks, which `store/sql` takes too. Readers never take one. */
const numbers = {
  /** One process that brings the database to its shape: two replicas that start together take turns. */
  migrations: 7246110,
  /** Writers of runs and rollups share it, a change of the time zone has it alone. */
  timeZone: 7246111,
  /** One writer of runs per repository, so that what a statement reads is still so when it writes. */
  runs: 7246112,
  /** One process that recomputes rollups; another one leaves the work to it. */
  rollups: 7246113,
  /** One process that tracks repositories: two at once could both find a name free. */
  repositories: 7246114,
  /** One claim on filing an issue per user, so that two at once cannot both find none. A pair, so not `identities`. */
  filedIssues: 7246115,
  /** One change of who is the same person; the trigger that prevents chains of links takes it too. */
  identities: 7246115,
  /** One change of groups or sign-in of a first administrator: two at once could take away the last one. */
  administrators: 7246117,
  /** One change of a setting, so that the audit log has what it was before. */
  settings: 7246118,
  /** One change of alert rules, so that two at once cannot both find that there is no such rule. */
  alertRules: 7246119,
  /** One change of saved views, so that two at once cannot both find room, or a name free. */
  savedViews: 7246120,
  /** One access token that is made, so that two at once cannot both find room. */
  accessTokens: 7246121,
  /** One share that is made, likewise. */
  shares: 7246122,
  /** One change of dismissed recommendations, so that the audit log has what was before. */
  advisorDismissals: 7246123,
  /** One claim on opening a pull request per user, likewise. */
  advisorPullRequests: 7246124,
} as const;

export type LockName = Exclude<keyof typeof numbers, 'runs' | 'filedIssues' | 'advisorPullRequests'>;

/** Waits for a lock and holds it until the transaction ends. */
export async function lock(queries: Pick<Queries, 'db'>, name: LockName): Promise<void> {
  await call(queries, sql`pg_advisory_xact_lock(${sql.lit(numbers[name])})`);
}

/** Waits for a lock that others may share, and holds it until the transaction ends. */
export async function shareLock(queries: Queries, name: 'timeZone'): Promise<void> {
  await call(queries, sql`pg_advisory_xact_lock_shared(${sql.lit(numbers[name])})`);
}

/** Takes a lock that nobody holds until the transaction ends. Answers whether it was free. */
export async function tryLock(queries: Queries, name: LockName): Promise<boolean> {
  return (await call(queries, sql`pg_try_advisory_xact_lock(${sql.lit(numbers[name])})`)) === true;
}

/** Waits for the lock on the runs of one repository and holds it until the transaction ends. */
export async function lockRuns(queries: Queries, repoId: number): Promise<void> {
  await call(queries, sql`pg_advisory_xact_lock(${sql.lit(numbers.runs)}, ${repoId}::int)`);
}

/** Waits for the lock on the filed issues of one user and holds it until the transaction ends. */
export async function lockFiledIssues(queries: Queries, userId: number): Promise<void> {
  await call(queries, sql`pg_advisory_xact_lock(${sql.lit(numbers.filedIssues)}, hashint8(${userId}::bigint))`);
}

/** The same for the pull requests that one user opens. */
export async function lockAdvisorPullRequests(queries: Queries, userId: number): Promise<void> {
  await call(queries, sql`pg_advisory_xact_lock(${sql.lit(numbers.advisorPullRequests)}, hashint8(${userId}::bigint))`);
}

/**
 * Locks the row of a repository until the transaction ends: one writer of its facts, so that neither they nor the purge
 * wait for each other in a circle.
 */
export async function lockRepository({ db }: Queries, repoId: number): Promise<void> {
  await db.selectFrom('repos').select('id').where('id', '=', repoId).forNoKeyUpdate().execute();
}

/**
 * Locks the row of a destination of traces until the transaction ends. Locks come in this order, so that nobody waits in
 * a circle: the destination, its backfill, the runs of a repository, rows of the outbox. Whoever changes several rows of
 * the outbox has their destination; those who store runs add rows in the order of their key, and wait for none.
 */
export async function lockDestination({ db }: Queries, destinationId: number): Promise<void> {
  await db.selectFrom('otlp_destinations').select('id').where('id', '=', destinationId).forNoKeyUpdate().execute();
}

/** Works in a transaction that has the lock on a destination. */
export const holdingDestination = <T>(
  database: Database,
  destinationId: number,
  work: (queries: Queries) => Promise<T>,
): Promise<T> =>
  database.transaction(async (queries) => {
    await lockDestination(queries, destinationId);
    return work(queries);
  });

async function call({ db }: Pick<Queries, 'db'>, lockFunction: RawBuilder<unknown>): Promise<unknown> {
  const row = await db.selectNoFrom(lockFunction.as('result')).executeTakeFirst();
  return row?.result;
}
