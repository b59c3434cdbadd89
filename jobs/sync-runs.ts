import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import type { Services } from '../server/access/context.ts';
import type { Codehost } from '../server/codehost/client.ts';
import type { Instant, Repository } from '../server/metrics/facts.ts';
import { Problem } from '../server/platform/problem.ts';
import { isDatabaseUnavailable } from '../server/store/failure.ts';
import type { Store } from '../server/store/orm.ts';
import { type RunSync, syncRuns } from '../server/sync/workflow-runs.ts';

export interface RepositorySync {
  repo: string;
  status: 'ok' | 'partial' | 'locked' | 'error';
  /** Attempts of runs inserted or actually changed. */
  synced: number;
  totalInDb: number;
  latestRunId: number | null;
  syncedThrough: number | null;
  /** Since when the platform does not give the repository; only where it does not. */
  unreachableSince?: Instant;
  error?: string;
  code?: string;
}

export interface SyncResult {
  durationMs: number;
  /** Repositories that were not begun. */
  remaining: number;
  /** true while anything is left to read. */
  partial: boolean;
  /** true when the platform gives no more for now: to go on at once would bring nothing. */
  quotaSpent: boolean;
  results: RepositorySync[];
}

export interface SyncRequest {
  codehost: Codehost;
  store: Store;
  repositories: readonly Repository[];
  trackedBy: string;
  /** No repository and no request is begun after this long. */
  budgetMs: number;
  /** Nor after this is raised: what was read by then is kept, and the next call goes on there. */
  signal: AbortSignal;
}

type SyncServices = Pick<Services, 'env' | 'clock' | 'log'>;

/**
 * Synchronizes repositories, four side by side, and keeps a row about it. One that fails does not stop the others; a
 * spent quota does.
 * @throws Problem when the platform rejects the token.
 */
export async function syncRepositories(services: SyncServices, request: SyncRequest): Promise<SyncResult> {
  const { clock } = services;
  const { jobRuns } = request.store;
  // Not the slot of a day: what one person asked for does not stand in for the nightly work.
  const row = await jobRuns.start({ job: 'runs-sync', slot: 'manual', trigger: 'manual', now: clock.now() });
  try {
    const result = await syncAll(services, request);
    const failed = result.results.filter(({ status }) => status === 'error').length;
    const summary = { repositories: result.results.length, failed, remaining: result.remaining };
    await jobRuns.finish(row, { status: result.partial ? 'partial' : 'done', summary, now: clock.now() });
    return result;
  } catch (error) {
    await jobRuns.finish(row, { status: 'failed', summary: {}, now: clock.now() }).catch(() => undefined);
    throw error;
  }
}

async function syncAll(services: SyncServices, request: SyncRequest): Promise<SyncResult> {
  const { clock } = services;
  const startedAt = clock.now();
  let quotaSpent = false;
  const fatal: unknown[] = [];
  const mayGoOn = () =>
    !quotaSpent && fatal.length === 0 && !request.signal.aborted && clock.now() < startedAt + request.budgetMs;
  const attempt = async (repository: Repository) => {
    if (!mayGoOn()) return null;
    try {
      const result = await syncOne(services, request, repository, mayGoOn);
      quotaSpent ||= result.code === 'upstream_rate_limited';
      return result;
    } catch (error) {
      fatal.push(error);
      return null;
    }
  };
  const all = await pMap(request.repositories, attempt, { concurrency: 4 });
  // The others have come to their end by now, so that nothing goes on behind the answer.
  if (fatal.length > 0) throw fatal[0];
  const results = all.filter((one) => one !== null);
  const remaining = all.length - results.length;
  const partial = remaining > 0 || results.some(({ status }) => status === 'partial');
  return { durationMs: clock.now() - startedAt, remaining, partial, quotaSpent, results };
}

async function syncOne(
  services: SyncServices,
  { codehost, store, trackedBy }: SyncRequest,
  repository: Repository,
  mayGoOn: () => boolean,
): Promise<RepositorySync> {
  const { env, clock } = services;
  const known = await store.repositories.find(repository);
  const repoId = await store.repositories.track(repository, trackedBy, clock.now());
  const { SYNC_BACKFILL_DAYS: backfillDays, SYNC_MAX_PAGES: maxPages } = env;
  const options = { codehost, store, clock, backfillDays, maxPages, mayGoOn };
  const held = await store.leases
    .hold(`runs:${repoId}`, randomUUID(), () => syncRuns(repoId, repository, options))
    .catch((error: unknown) => defect(error, services));
  if (held?.problem?.code === 'unauthenticated') throw held.problem;
  if (held?.problem && refusals.has(held.problem.code) && !known?.tracked) await store.repositories.untrack(repoId);
  const unreachableSince = await noteReach(repoId, held, store, clock.now());
  const { total, latestRunId } = await store.runs.summary(repoId);
  return {
    repo: `${repository.owner}/${repository.repo}`,
    ...verdict(held),
    ...(unreachableSince !== null && { unreachableSince }),
    synced: held?.changed ?? 0,
    totalInDb: total,
    latestRunId,
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

/** What the platform will not give tomorrow either. */
const refusals: ReadonlySet<string> = new Set([
  'not_found',
  'gone',
  'legally_blocked',
  'upstream_forbidden',
  'sso_required',
]);

function verdict(held: RunSync | null): Pick<RepositorySync, 'status' | 'error' | 'code'> {
  if (!held) return { status: 'locked' };
  const { problem, complete } = held;
  if (!problem) return { status: complete ? 'ok' : 'partial' };
  const status = problem.code === 'upstream_rate_limited' ? 'partial' : 'error';
  return { status, error: problem.message, code: problem.code };
}

/** A defect concerns this repository only; without the database there is no going on. */
function defect(error: unknown, { log }: SyncServices): RunSync {
  if (isDatabaseUnavailable(error)) throw error;
  log.error({ err: error }, 'a repository could not be synchronized');
  const problem = new Problem('internal', 'Something went wrong here.');
  return { changed: 0, complete: false, syncedThrough: null, problem };
}
