import type { Services } from '../server/access/context.ts';
import type { Instant, Repository } from '../server/metrics/kernel/facts.ts';
import type { Store } from '../server/store/orm.ts';
import type { BackgroundReading, BackgroundReadingCode } from '../server/store/sync-progress.ts';
import type { Collected } from './collected.ts';

/** A repository of which something is left. */
export interface Left {
  repository: Repository;
  reading: BackgroundReading;
  /** Not requested before. */
  dueAt: Instant;
  /** How often in a row the platform did not answer. */
  outages: number;
}

/** What is left of the synchronizations of one account. */
export interface Unfinished {
  services: Services;
  store: Store;
  left: Map<number, Left>;
}

/** While another reader is at a repository. */
const lockedMs = 5000;
/** After the first time that the platform did not answer; longer after the next in a row. */
export const outageMs = 20_000;
const maxOutageMs = 600_000;
/** Other processes believe that somebody reads for so long after they last heard of it. */
const cacheTtlMs = 90_000;
/** Why it ended is reported for so long. */
const failureShownMs = 86_400_000;

/** A repository of which nothing was read in the background so far. */
export const newlyLeft = (repository: Repository, { clock }: Services): Left => ({
  repository,
  reading: { state: 'running', code: null, resumeAt: null },
  dueAt: clock.now(),
  outages: 0,
});

/** What comes next for a repository after a pass. */
export async function settle(
  left: Left,
  task: Unfinished,
  { status, code, resumeAt }: Omit<Collected, 'repo'>,
): Promise<void> {
  const now = task.services.clock.now();
  const { id } = left.repository;
  if (status === 'ok' || (status === 'locked' && (await isRead(id, task)))) {
    task.left.delete(id);
    left.reading = { state: 'done', code: null, resumeAt: null };
  } else if (code === 'upstream_unavailable') {
    wait(left, code, now + Math.min(outageMs * 2 ** left.outages++, maxOutageMs));
  } else if (status === 'error' && code !== 'unauthenticated') {
    task.left.delete(id);
    left.reading = { state: 'failed', code: code === 'internal' ? code : 'access_lost', resumeAt: null };
  } else if (resumeAt !== undefined) {
    wait(left, 'upstream_rate_limited', resumeAt);
  } else {
    const dueAt = status === 'locked' ? now + lockedMs : now;
    Object.assign(left, { dueAt, outages: 0, reading: { state: 'running', code: null, resumeAt: null } });
  }
  await note(task, [left], left.reading.state === 'failed' ? failureShownMs : cacheTtlMs);
}

/** Whether somebody else has finished a repository meanwhile. */
async function isRead(codehostId: number, { services, store }: Unfinished): Promise<boolean> {
  const [progress] = await store.syncProgress.of([codehostId], services.clock.now());
  return progress?.isBeingRead === false && progress.cursor !== null && progress.cursor.resume === null;
}

/** Lets a repository wait until an instant, and says for what. */
export function wait(left: Left, code: BackgroundReadingCode, resumeAt: Instant): void {
  left.dueAt = resumeAt;
  left.reading = { state: 'waiting', code, resumeAt };
}

/** Ends the reading of all that is left, and says why. */
export async function giveUp(task: Unfinished, code: BackgroundReadingCode): Promise<void> {
  const all = [...task.left.values()];
  task.left.clear();
  for (const left of all) left.reading = { state: 'failed', code, resumeAt: null };
  await note(task, all, failureShownMs);
}

/** Tells every process how far the reading of these repositories is. */
export async function note(
  { store, services }: Pick<Unfinished, 'store' | 'services'>,
  all: readonly Left[],
  ttlMs = cacheTtlMs,
): Promise<void> {
  const readings = new Map(all.map(({ repository, reading }) => [repository.id, reading]));
  if (readings.size > 0) await store.syncProgress.note(readings, services.clock.now(), ttlMs);
}
