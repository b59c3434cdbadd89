import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Codehost } from '../codehost/client/client.ts';
import { hasSpareQuota } from '../codehost/client/rate-limit.ts';
import type { AttemptJobs, AttemptName } from '../facts/job-repository.ts';
import type { Repository } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import type { Clock } from '../platform/clock.ts';
import { Problem } from '../platform/problem.ts';
import type { Store } from '../store/orm.ts';

export interface JobSyncOptions {
  codehost: Codehost;
  store: Store;
  clock: Clock;
  /** Attempts to read at most: a request each, more for over a hundred jobs. */
  limit: number;
  /** No new request is begun once this is false. */
  mayContinue(): boolean;
}

/** How many attempts of one repository a synchronization of so many reads: 600 of all together, and 3 to 60 of each. */
export const shareJobReads = (repositories: number): number =>
  Math.max(3, Math.min(60, Math.floor(600 / Math.max(1, repositories))));

/** Jobs are read of runs that were created within the longest range of the reports. */
const lookBackMs = 90 * dayMs;
/** Half of a token's places: pages do not wait behind jobs. */
const atOnce = 4;
/** The share of the token's quota of an hour that is left to everything else. */
export const jobsReservedShare = 0.8;

/** Attempts whose jobs the platform does not have, or not all of them. */
const unreadable = new LRUCache<string, true>({ max: 10_000, ttl: dayMs });

/** Attempts of which a job had not ended when they were listed: the next list is believed. */
const lagging = new LRUCache<string, true>({ max: 10_000, ttl: 7 * dayMs });

/**
 * Stores the jobs of completed runs that have none: the newest run of each workflow first, then the second newest of
 * each, so that no workflow takes the reads of the others. Stops early when more than a fifth of the quota is used, or
 * when the platform gives no more; the next synchronization goes on. Answers how many attempts were read.
 * @throws Problem `unauthenticated` when the platform rejects the token.
 */
export async function syncRunJobs(repoId: number, repository: Repository, options: JobSyncOptions): Promise<number> {
  const held = await options.store.leases.hold(`jobs:${repoId}`, randomUUID(), (lost) =>
    readDue(repoId, repository, { ...options, mayContinue: () => !lost.aborted && options.mayContinue() }),
  );
  return held ?? 0;
}

async function readDue(repoId: number, repository: Repository, options: JobSyncOptions): Promise<number> {
  const { store, clock, limit } = options;
  return readJobs(repository, await store.runs.withoutCosts(repoId, clock.now() - lookBackMs, 2 * limit), options);
}

/**
 * Stores the jobs of these completed attempts, in their order, but of those that the platform lately did not have.
 * Stops early like `syncRunJobs`; answers how many attempts were read.
 * @throws Problem `unauthenticated` when the platform rejects the token.
 */
export async function readJobs(
  repository: Repository,
  attempts: readonly AttemptName[],
  { store, codehost, clock, limit, mayContinue }: JobSyncOptions,
): Promise<number> {
  const wanted = attempts.filter((one) => !unreadable.has(toKey(repository, one))).slice(0, limit);
  let read = 0;
  for (let start = 0; start < wanted.length; start += atOnce) {
    if (!mayContinue() || !(await hasSpareQuota(codehost, jobsReservedShare).catch(toUnknown))) break;
    const answers = await Promise.all(
      wanted.slice(start, start + atOnce).map((one) => readOne(codehost, repository, one)),
    );
    const found = answers.filter((answer) => answer !== null && answer !== 'stop');
    await store.jobs.attempts.store(repository, found, clock.now());
    read += found.length;
    if (answers.includes('stop')) break;
  }
  return read;
}

/** What the platform does not say of its quota is none to spare; the rejection of a token is thrown on. */
function toUnknown(error: unknown): false {
  if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
  return false;
}

/** null where the platform does not have all jobs, or not yet; `stop` where it gives none for now. */
async function readOne(
  codehost: Codehost,
  repository: Repository,
  one: AttemptName,
): Promise<AttemptJobs | 'stop' | null> {
  try {
    const { items, partial } = await codehost.jobs.ofCompleted(repository, one.runId, one.attempt);
    const key = toKey(repository, one);
    if (!partial && (lagging.has(key) || items.every(({ status }) => status === 'completed')))
      return { ...one, detail: 'full', jobs: items };
    if (!partial) {
      lagging.set(key, true);
      return null;
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
    if (error.code !== 'not_found' && error.code !== 'gone') return 'stop';
  }
  unreadable.set(toKey(repository, one), true);
  return null;
}

const toKey = ({ id }: Repository, { runId, attempt }: AttemptName) => `${id} ${runId} ${attempt}`;
