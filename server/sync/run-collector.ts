import { minuteMs } from '../metrics/kernel/window.ts';
import type { Collector } from './collect.ts';
import { shareJobReads, syncRunJobs } from './run-jobs.ts';
import { type RepositorySync, syncRepository } from './sync-repository.ts';

/** Reads the workflow runs of a tracked repository, and the jobs of some. */
export const runCollector: Collector<RepositorySync> = {
  kind: 'runs',
  queue: 'collect-runs',
  async collect({ id }, repository, { services, store, codehost, mayContinue }) {
    const of = { codehost, store, trackedBy: 'nightly', source: 'cron', refreshAfterMs: 15 * minuteMs } as const;
    const result = await syncRepository(services, of, repository, mayContinue);
    if (result.status !== 'ok') return result;
    const limit = shareJobReads(await store.repositories.countTracked());
    await syncRunJobs(id, repository, { codehost, store, clock: services.clock, limit, mayContinue });
    return result;
  },
  emptyResult: (result) => ({
    synced: 0,
    unreadRuns: 0,
    totalInDb: 0,
    latestRunId: null,
    syncedThrough: null,
    alertsFired: 0,
    ...result,
  }),
  join: (before, after) => ({
    ...after,
    synced: before.synced + after.synced,
    unreadRuns: before.unreadRuns + after.unreadRuns,
    alertsFired: before.alertsFired + after.alertsFired,
  }),
};
