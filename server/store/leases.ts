import { setInterval } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import type { Database } from './database.ts';

const ttlMs = 30_000;
const renewEveryMs = 10_000;

/**
 * Work that only one process does at a time. A lease ends 30 s after its holder was last heard of, by the database's
 * clock, which all processes share.
 */
export function leases(database: Database, log: Log) {
  const renew = async (job: string, holder: string, ttl = ttlMs): Promise<boolean> =>
    (await database.query(extend, [job, holder, ttl])).length > 0;
  const acquire = async (job: string, holder: string, ttl = ttlMs): Promise<boolean> =>
    (await database.query(take, [job, holder, ttl])).length > 0;
  const release = async (job: string, holder: string): Promise<void> => {
    await database.query('delete from job_leases where job = $1 and holder = $2', [job, holder]);
  };
  return {
    /** Takes a lease that nobody holds. A holder may take its own again. */
    acquire,
    /** Answers false when the lease was lost. */
    renew,
    release,
    /** Does the work under a lease that is renewed meanwhile; null when somebody else holds it. */
    async hold<T>(job: string, holder: string, work: () => Promise<T>): Promise<T | null> {
      if (!(await acquire(job, holder))) return null;
      const done = new AbortController();
      const renewing = keepRenewed(
        () => renew(job, holder),
        done.signal,
        (error) => log.warn({ err: error, job }, 'a lease could not be renewed'),
      );
      try {
        return await work();
      } finally {
        done.abort();
        await renewing;
        await release(job, holder);
      }
    },
    /** Gives back every lease: for a database that has no other process. */
    reclaimAll: async (): Promise<void> => {
      await database.query('delete from job_leases');
    },
  };
}

async function keepRenewed(renew: () => Promise<boolean>, signal: AbortSignal, failed: (error: unknown) => void) {
  try {
    for await (const _ of setInterval(renewEveryMs, undefined, { signal, ref: false })) await renew().catch(failed);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const until = `clock_timestamp() + $3::int * interval '1 millisecond'`;

const take = `
  insert into job_leases as held (job, holder, acquired_at, expires_at) values ($1, $2, clock_timestamp(), ${until})
  on conflict (job) do update
    set holder = excluded.holder, acquired_at = excluded.acquired_at, expires_at = excluded.expires_at
    where held.expires_at < clock_timestamp() or held.holder = excluded.holder
  returning job`;

const extend = `
  update job_leases set expires_at = ${until}
  where job = $1 and holder = $2 and expires_at >= clock_timestamp() returning job`;
