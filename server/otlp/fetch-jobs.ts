import { randomUUID } from 'node:crypto';
import type { Services } from '../access/context.ts';
import type { Platform } from '../codehost/changes/client.ts';
import { hasSpareQuota } from '../codehost/client/rate-limit.ts';
import { minuteMs } from '../metrics/kernel/window.ts';
import { Problem } from '../platform/problem.ts';
import { openServiceToken } from '../platform/service-token.ts';
import type { Store } from '../store/orm.ts';
import type { AttemptWithoutJobs } from '../store/otlp-outbox.ts';
import { jobsReservedShare, readJobs } from '../sync/run-jobs.ts';

type FetchServices = Pick<Services, 'env' | 'clock' | 'connect' | 'log'> & { store: Store };

/** Webhooks and synchronizations have this long to bring the jobs of an attempt. */
const missingForMs = 15 * minuteMs;
/** Those known from webhooks are listed once they have ended, as one of which the event was lost would not be missed. */
const endedForMs = minuteMs;
/** Attempts that are looked at, and read, in one go: a fifth of 5,000 requests an hour are 16 a minute. */
const lookedAt = 500;
const readAtOnce = 60;

/**
 * Reads jobs that destinations wait for, of the newest attempts first, with the service's token; they are then sent by
 * the next export. Stops once more than a fifth of the token's hourly quota is used, whoever used it. Answers how many
 * attempts were read.
 */
export async function fetchMissingJobs(services: FetchServices, mayContinue: () => boolean): Promise<number> {
  const held = await services.store.leases.hold('otlp-jobs', randomUUID(), (lost) =>
    fetchNewest(services, () => !lost.aborted && mayContinue()),
  );
  return held ?? 0;
}

async function fetchNewest(services: FetchServices, mayContinue: () => boolean): Promise<number> {
  const { store, env, clock, connect, log } = services;
  const until = { until: clock.now() - missingForMs, endedUntil: clock.now() - endedForMs };
  const missing = await store.otlpOutbox.withoutJobs(until, lookedAt);
  if (missing.length === 0 || !env.CODEHOST_TOKEN) return 0;
  const codehost = connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
  let read = 0;
  try {
    // What the platform does not have is passed over, so the next newest may have to be looked at.
    for (let start = 0; start < missing.length && read < readAtOnce; start += readAtOnce) {
      const newest = Map.groupBy(missing.slice(start, start + readAtOnce), ({ repoId }) => repoId);
      for (const attempts of newest.values()) {
        if (!mayContinue() || !(await hasSpareQuota(codehost, jobsReservedShare))) return read;
        const repository = await findRepository(codehost, attempts);
        const options = { codehost, store, clock, limit: readAtOnce - read, mayContinue };
        if (repository) read += await readJobs(repository, attempts, options);
      }
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ err: error }, 'jobs of traces could not be read');
  }
  return read;
}

/** null where the platform does not give it any longer, or its name belongs to another one. */
async function findRepository(codehost: Platform, [first]: readonly AttemptWithoutJobs[]) {
  if (!first) return null;
  try {
    const repository = await codehost.repositories.get(first);
    return repository.id === first.repoId ? repository : null;
  } catch (error) {
    if (error instanceof Problem && (error.code === 'not_found' || error.code === 'legally_blocked')) return null;
    throw error;
  }
}
