import type { Collector } from '../../sync/collect.ts';
import type { RepositorySyncResult } from '../../sync/repository-sync-result.ts';
import { whyOff } from './in-effect.ts';
import { renewTotal } from './judge.ts';

/** Judges the recommendations of a tracked repository with the service's token. */
export const adviceCollector: Collector<RepositorySyncResult> = {
  kind: 'advice',
  queue: 'collect-advice',
  async collect(known, repository, { services, store, codehost }) {
    const source = { services, store, codehost: async () => codehost, isDemo: false };
    // Queued before they were turned off.
    if ((await whyOff(source)) === null) await renewTotal(known, repository, source);
    return { repo: `${known.owner}/${known.repo}`, status: 'ok' };
  },
  emptyResult: (result) => result,
};
