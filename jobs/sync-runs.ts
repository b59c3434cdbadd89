import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import type { Services } from '../server/access/context.ts';
import type { Codehost } from '../server/codehost/client.ts';
import type { Repository } from '../server/metrics/facts.ts';
import { Problem } from '../server/platform/problem.ts';
import type { Store } from '../server/store/orm.ts';
import { syncRuns } from '../server/sync/workflow-runs.ts';

export interface RepositorySync {
  repo: string;
  status: 'ok' | 'partial' | 'locked' | 'error';
  synced: number;
  totalInDb: number;
  latestRunId: number | null;
  syncedThrough: number | null;
  error?: string;
  code?: string;
}

export interface SyncResult {
  durationMs: number;
  remaining: number;
  results: RepositorySync[];
}

interface Asked {
  codehost: Codehost;
  store: Store;
  repositories: Repository[];
  trackedBy: string;
  /** No repository is begun after this long. */
  budgetMs: number;
}

/** Problems that would meet every further repository too. */
const stopsEverything = new Set(['unauthenticated', 'upstream_rate_limited']);

/** Synchronizes repositories side by side; one that fails does not stop the others, a spent quota does. */
export async function syncRepositories(services: Services, asked: Asked): Promise<SyncResult> {
  const { clock } = services;
  const startedAt = clock.now();
  const deadline = startedAt + asked.budgetMs;
  let stopped: Problem | null = null;
  const results = await pMap(
    asked.repositories,
    async (repository) => {
      if (stopped || clock.now() >= deadline) return null;
      const result = await syncOne(services, asked, repository, deadline).catch((error: unknown) => {
        const problem = failure(error, services);
        if (stopsEverything.has(problem.code)) stopped = problem;
        return failed(repository, problem);
      });
      return result;
    },
    { concurrency: 4 },
  );
  const reached = results.filter((result) => result !== null);
  return { durationMs: clock.now() - startedAt, remaining: results.length - reached.length, results: reached };
}

async function syncOne(
  { env, clock }: Services,
  { codehost, store, trackedBy }: Asked,
  repository: Repository,
  deadline: number,
): Promise<RepositorySync> {
  const repoId = await store.repositories.track(repository, trackedBy, clock.now());
  const { SYNC_BACKFILL_DAYS: backfillDays, SYNC_MAX_PAGES: maxPages } = env;
  const options = { codehost, store, clock, backfillDays, maxPages, deadline };
  const held = await store.leases.hold(`runs:${repoId}`, randomUUID(), () => syncRuns(repoId, repository, options));
  const { total, latestRunId } = await store.runs.summary(repoId);
  return {
    repo: `${repository.owner}/${repository.repo}`,
    status: held === null ? 'locked' : held.complete ? 'ok' : 'partial',
    synced: held?.changed ?? 0,
    totalInDb: total,
    latestRunId,
    syncedThrough: held?.cursor.syncedThrough ?? null,
  };
}

function failure(error: unknown, { log }: Services): Problem {
  if (error instanceof Problem) return error;
  log.error({ err: error }, 'a repository could not be synchronized');
  return new Problem('internal', 'Something went wrong here.');
}

const failed = ({ owner, repo }: Repository, { message, code }: Problem): RepositorySync => ({
  repo: `${owner}/${repo}`,
  status: 'error',
  synced: 0,
  totalInDb: 0,
  latestRunId: null,
  syncedThrough: null,
  error: message,
  code,
});
