import { type Collector, collectAll, inTurn } from './collect.ts';
import { job } from './job.ts';
import { type RepositorySync, syncRepository } from './sync-repository.ts';

export interface RunsSyncReport {
  tracked: number;
  remaining: number;
  results: RepositorySync[];
}

export const runsCollector: Collector<RepositorySync> = {
  kind: 'runs',
  queue: 'collect-runs',
  atOnce: 3,
  async collect(_known, repository, { services, store, codehost, mayGoOn }) {
    const result = await syncRepository(services, { codehost, store, trackedBy: 'nightly' }, repository, mayGoOn);
    return result;
  },
  refused: (_known, collected) => ({
    ...{ synced: 0, totalInDb: 0, latestRunId: null, syncedThrough: null },
    ...collected,
  }),
};

export const runsSync = job<RunsSyncReport>({
  name: 'runs-sync',
  title: 'Workflow runs',
  does: 'Reads new, changed and unfinished runs of every tracked repository.',
  schedule: '17 3 * * *',
  seconds: 240,
  hardSeconds: 290,
  housekeeping: false,
  needsToken: true,
  async run(context) {
    const repositories = await inTurn(runsCollector.kind, context);
    const { results, remaining, resumeAt } = await collectAll(runsCollector, repositories, context);
    const failed = results.filter(({ status }) => status === 'error').length;
    const left = remaining + results.filter(({ status }) => status === 'partial' || status === 'locked').length;
    const runs = results.reduce((sum, { synced }) => sum + synced, 0);
    return {
      partial: left > 0 || resumeAt !== null,
      resumeAt,
      summary: { repositories: repositories.length, failed, remaining: left, runs },
      report: { tracked: repositories.length, remaining, results },
    };
  },
});
