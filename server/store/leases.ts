import { setInterval, setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import type { Database } from './database.ts';
import { serviceStatements } from './statements.ts';

const usual = { ttlMs: 30_000, renewEveryMs: 10_000 };
const releaseEveryMs = 1000;

/**
 * Work that only one process does at a time. A lease ends 30 s after its holder last renewed it, by the database's
 * clock, which all processes share.
 */
export function leases(database: Database, log: Log, { ttlMs, renewEveryMs } = usual) {
  const renew = async (job: string, holder: string, ttl = ttlMs): Promise<boolean> =>
    (await database.run(serviceStatements.renew_lease, { job, holder, ttl_ms: ttl })).length > 0;
  const acquire = async (job: string, holder: string, ttl = ttlMs): Promise<boolean> =>
    (await database.run(serviceStatements.acquire_lease, { job, holder, ttl_ms: ttl })).length > 0;
  const release = async (job: string, holder: string): Promise<void> => {
    await database.db.deleteFrom('job_leases').where('job', '=', job).where('holder', '=', holder).execute();
  };
  /** What could not be written to the database at its time is written when it is back, for as long as the lease lives. */
  const releaseLater = async (job: string, holder: string): Promise<void> => {
    const endsAt = performance.now() + ttlMs;
    for await (const _ of setInterval(releaseEveryMs, undefined, { ref: false })) {
      const isReleased = await release(job, holder).then(...ended);
      if (isReleased || performance.now() > endsAt) return;
    }
  };
  return {
    /** Takes a lease that nobody holds. A holder may take its own again. */
    acquire,
    /** Answers false when the lease was lost. */
    renew,
    release,
    /**
     * Does the work under a lease that is renewed meanwhile; null when somebody else holds it, or could take it before
     * the work was done, because this process did not renew it. `lost` is raised then. `fence` is for what only the
     * holder may write: its transactions commit while the lease is held and throw `LeaseLost` afterwards, which the
     * work may leave uncaught.
     */
    async hold<T>(
      job: string,
      holder: string,
      work: (lost: AbortSignal, fence: Fence) => Promise<T>,
    ): Promise<T | null> {
      if (!(await acquire(job, holder))) return null;
      const lost = new AbortController();
      const done = new AbortController();
      const lose = () => {
        if (!lost.signal.aborted) log.warn({ job }, 'a lease was lost');
        lost.abort(new LeaseLost(job));
      };
      const failed = (error: unknown) => {
        log.warn({ err: error, job }, 'a lease could not be renewed');
        return undefined;
      };
      const renewing = keepRenewed({
        renew: () => renew(job, holder),
        ttlMs,
        renewEveryMs,
        done: done.signal,
        failed,
        lose,
      });
      try {
        const result = await work(lost.signal, createFence(database, job, holder, lose));
        return lost.signal.aborted ? null : result;
      } catch (error) {
        if (error instanceof LeaseLost) return null;
        throw error;
      } finally {
        done.abort();
        await renewing;
        await release(job, holder).catch((error: unknown) => {
          log.warn({ err: error, job }, 'a lease could not be given back yet');
          void releaseLater(job, holder);
        });
      }
    },
    /** Gives back every lease: for a database that has no other process. */
    reclaimAll: async (): Promise<void> => {
      await database.db.deleteFrom('job_leases').execute();
    },
  };
}

const ended = [() => true, () => false] as const;

/** Where what only the holder of a lease may write is written. */
export type Fence = Pick<Database, 'transaction'>;

/** The lease is somebody else's, or nobody's, by now. */
export class LeaseLost extends Error {
  constructor(job: string) {
    super(`The lease of ${job} was lost.`);
  }
}

/** Nobody can take the lease between the question and the end of the transaction. */
const createFence = (database: Database, job: string, holder: string, lose: () => void): Fence => ({
  transaction: (work) =>
    database.transaction(async (queries) => {
      const held = await queries.run(serviceStatements.fence_lease, { job, holder });
      if (held.length > 0) return work(queries);
      lose();
      throw new LeaseLost(job);
    }),
});

interface Renewing {
  renew(): Promise<boolean>;
  ttlMs: number;
  renewEveryMs: number;
  done: AbortSignal;
  failed(error: unknown): undefined;
  lose(): void;
}

/** Lost is also what could not be renewed for as long as it lives. */
async function keepRenewed({ renew, ttlMs, renewEveryMs, done, failed, lose }: Renewing) {
  let heardAt = performance.now();
  try {
    for await (const _ of setInterval(renewEveryMs, undefined, { signal: done, ref: false })) {
      const requestedAt = performance.now();
      // A renewal that hangs must not outlast the lease.
      const rest = sleep(ttlMs - (requestedAt - heardAt), undefined, { signal: done, ref: false });
      const isHeld = await Promise.race([renew().catch(failed), rest]);
      if (isHeld) heardAt = requestedAt;
      else if (isHeld === false || performance.now() - heardAt >= ttlMs) return lose();
    }
  } catch (error) {
    if (!done.aborted) throw error;
  }
}
