import type { Collector } from './collect.ts';
import { type RepositorySync, syncRepository } from './sync-repository.ts';

/** Reads the workflow runs of a tracked repository. */
export const runCollector: Collector<RepositorySync> = {
  kind: 'runs',
  queue: 'collect-runs',
  collect: (_known, repository, { services, store, codehost, mayContinue }) =>
    syncRepository(services, { codehost, store, trackedBy: 'nightly', source: 'cron' }, repository, mayContinue),
  emptyResult: (result) => ({
    synced: 0,
    totalInDb: 0,
    latestRunId: null,
    syncedThrough: null,
    alertsFired: 0,
    ...result,
  }),
};
