import { randomUUID } from 'node:crypto';
import type { Services } from '../access/context.ts';
import type { Codehost } from '../codehost/client/client.ts';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import { isDatabaseUnavailable } from '../store/failure.ts';
import type { Store } from '../store/orm.ts';
import { problemResult, type RepositorySyncResult } from './repository-sync-result.ts';
import { type RunSync, syncRuns } from './workflow-runs.ts';

export interface RepositorySync extends RepositorySyncResult {
  /** Runs inserted or actually changed, counted as `totalInDb` counts them. */
  synced: number;
  /** Runs that were listed with a field that could not be read: they are not stored. */
  unreadRuns: number;
  totalInDb: number;
  latestRunId: number | null;
  syncedThrough: number | null;
  alertsFired: number;
  /** Since when the platform does not give the repository; only where it does not. */
  unreachableSince?: Instant;
}

/** Whose token reads, and for whom the repository is tracked. */
export interface SyncOf {
  codehost: Codehost;
  store: Store;
  trackedBy: string;
  source: 'sync' | 'cron';
  /** Leaves unfinished runs alone that were seen less long ago; 0 where it is not given. */
  refreshAfterMs?: number;
}

export type SyncServices = Pick<Services, 'clock' | 'env' | 'log' | 'evaluateAfterSync'>;

/**
 * Brings the runs of one repository into the database and tracks it from now on, unless nothing could be read.
 * @throws Problem when the platform rejects the token.
 */
export async function syncRepository(
  services: SyncServices,
  { codehost, store, trackedBy, source, refreshAfterMs = 0 }: SyncOf,
  repository: Repository,
  mayContinue: () => boolean,
): Promise<RepositorySync> {
  const { env, clock } = services;
  const known = await store.repositories.find(repository);
  const repoId = await store.repositories.track(repository, trackedBy, clock.now());
  const { SYNC_BACKFILL_DAYS: backfillDays, SYNC_MAX_PAGES: maxPages } = env;
  const options = { codehost, store, clock, backfillDays, maxPages, refreshAfterMs, mayContinue };
  const held = await store.leases
    .hold(`runs:${repoId}`, randomUUID(), (lost, fence) => syncRuns(repoId, repository, { ...options, lost, fence }))
    .catch((error: unknown) => defect(error, services));
  if (held && !known?.tracked && hasFailed(held)) await store.repositories.untrack(repoId);
  if (held?.problem?.code === 'unauthenticated') throw held.problem;
  const unreachableSince = await noteReach(repoId, held, store, clock.now());
  // However much of the past is still to be read: a metric gives no value for a window that is not known completely.
  const { fired } = held?.upToDate
    ? await services.evaluateAfterSync({ ...repository, id: repoId }, 'workflow-runs', source)
    : { fired: 0 };
  const { total, latestRunId } = await store.runs.summary(repoId);
  return {
    repo: `${repository.owner}/${repository.repo}`,
    ...toResult(held, clock.now()),
    ...(unreachableSince !== null && { unreachableSince }),
    synced: held?.changed ?? 0,
    unreadRuns: held?.unread ?? 0,
    totalInDb: total,
    latestRunId,
    alertsFired: fired,
    syncedThrough: held?.syncedThrough ?? (await store.cursors.get(repoId))?.syncedThrough ?? null,
  };
}

/** Keeps since when the platform does not give a repository, so that nightly work can leave it alone after a while. */
async function noteReach(repoId: number, held: RunSync | null, { repositories }: Store, now: Instant) {
  const code = held?.problem?.code;
  if (code === 'not_found' || code === 'legally_blocked') return repositories.unreachable(repoId, code, now);
  if (held && !held.problem) await repositories.reachable(repoId);
  return null;
}

/** Whether the platform let nothing be read; a limit only puts it off, and a defect says nothing of the repository. */
const hasFailed = ({ problem, changed }: RunSync): boolean =>
  problem !== null && problem.code !== 'upstream_rate_limited' && problem.code !== 'internal' && changed === 0;

function toResult(held: RunSync | null, now: Instant): Omit<RepositorySyncResult, 'repo'> {
  if (!held) return { status: 'locked' };
  const { problem, complete, skipped } = held;
  if (problem) return problemResult(problem, now);
  // What is left is read first: single runs that the platform does not give hold up nothing.
  if (!complete) return { status: 'partial' };
  return skipped ? problemResult(skipped, now) : { status: 'ok' };
}

/** A defect concerns this repository only; without the database there is no going on. */
function defect(error: unknown, { log }: SyncServices): RunSync {
  if (isDatabaseUnavailable(error)) throw error;
  log.error({ err: error }, 'a repository could not be synchronized');
  const problem = new Problem('internal', 'Something went wrong here.');
  return { changed: 0, unread: 0, complete: false, syncedThrough: null, upToDate: false, problem, skipped: null };
}
