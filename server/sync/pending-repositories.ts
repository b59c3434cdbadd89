import type { Services } from '../access/context.ts';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import type { Store } from '../store/orm.ts';
import type { BackgroundReading, BackgroundReadingCode } from '../store/sync-progress.ts';
import type { RepositorySyncResult } from './repository-sync-result.ts';

/** A repository of which something is still to be read. */
export interface PendingRepository {
  repository: Repository;
  reading: BackgroundReading;
  /** Not requested before. */
  dueAt: Instant;
  /** How often in a row the platform did not answer. */
  outages: number;
}

/** What is still to be read of the synchronizations of one account. */
export interface PendingSync {
  services: Services;
  store: Store;
  pending: Map<number, PendingRepository>;
}

/** While another reader is at a repository. */
const lockedMs = 5000;
/** After the first time that the platform did not answer; longer after the next in a row. */
export const outageMs = 20_000;
const maxOutageMs = 600_000;
/** Other processes assume that a reading is under way for so long after its last sign. */
const cacheTtlMs = 90_000;
/** Why it ended is reported for so long. */
const failureShownMs = 86_400_000;

/** A repository of which nothing was read in the background so far. */
export const newlyPending = (repository: Repository, { clock }: Services): PendingRepository => ({
  repository,
  reading: { state: 'running', code: null, resumeAt: null },
  dueAt: clock.now(),
  outages: 0,
});

/** Decides what comes next for a repository after a pass, and records it. */
export async function applyPassResult(
  one: PendingRepository,
  sync: PendingSync,
  { status, code, resumeAt }: Omit<RepositorySyncResult, 'repo'>,
): Promise<void> {
  const now = sync.services.clock.now();
  const { id } = one.repository;
  if (status === 'ok' || (status === 'locked' && (await isRead(id, sync)))) {
    sync.pending.delete(id);
    one.reading = { state: 'done', code: null, resumeAt: null };
  } else if (code === 'upstream_unavailable') {
    postpone(one, code, now + Math.min(outageMs * 2 ** one.outages++, maxOutageMs));
  } else if (status === 'error' && code !== 'unauthenticated') {
    sync.pending.delete(id);
    one.reading = { state: 'failed', code: code === 'internal' ? code : 'access_lost', resumeAt: null };
  } else if (resumeAt !== undefined) {
    postpone(one, 'upstream_rate_limited', resumeAt);
  } else {
    const dueAt = status === 'locked' ? now + lockedMs : now;
    Object.assign(one, { dueAt, outages: 0, reading: { state: 'running', code: null, resumeAt: null } });
  }
  await record(sync, [one], one.reading.state === 'failed' ? failureShownMs : cacheTtlMs);
}

/** Whether somebody else has finished a repository meanwhile. */
async function isRead(codehostId: number, { services, store }: PendingSync): Promise<boolean> {
  const [progress] = await store.syncProgress.of([codehostId], services.clock.now());
  return progress?.isBeingRead === false && progress.cursor !== null && progress.cursor.resume === null;
}

/** Lets a repository wait until an instant, with the reason. */
export function postpone(one: PendingRepository, code: BackgroundReadingCode, resumeAt: Instant): void {
  one.dueAt = resumeAt;
  one.reading = { state: 'waiting', code, resumeAt };
}

/** Ends the reading of all that is pending, with the reason. */
export async function giveUp(sync: PendingSync, code: BackgroundReadingCode): Promise<void> {
  const all = [...sync.pending.values()];
  sync.pending.clear();
  for (const one of all) one.reading = { state: 'failed', code, resumeAt: null };
  await record(sync, all, failureShownMs);
}

/** Records for every process how far the reading of these repositories is. */
export async function record(
  { store, services }: Pick<PendingSync, 'store' | 'services'>,
  all: readonly PendingRepository[],
  ttlMs = cacheTtlMs,
): Promise<void> {
  const readings = new Map(all.map(({ repository, reading }) => [repository.id, reading]));
  if (readings.size > 0) await store.syncProgress.note(readings, services.clock.now(), ttlMs);
}
