import type { Context } from '../../access/context.ts';
import { readFacts } from '../../facts/facts.ts';
import { minuteMs } from '../../metrics/kernel/window.ts';
import { findQueues, queueHistory } from '../../metrics/merge-queue/history.ts';
import type { StoredScope } from '../ci/reading.ts';
import { sampleQueue } from '../merge-queue/demo.ts';
import { type RepositoryQueues, readMs } from './known-queue.ts';

/** The queues of the sample organization, which has no database: those of the pages of its repositories. */
export async function readSampleQueues({ repositories }: StoredScope, context: Context): Promise<RepositoryQueues[]> {
  const { services } = context;
  const codehost = await context.codehost();
  const now = services.clock.now();
  const source = { codehost, factRepository: services.facts, clock: services.clock };
  return Promise.all(
    [...repositories.values()].map(async (repository) => {
      const request = { since: now - readMs, maxAgeMs: 5 * minuteMs };
      const [set, open] = await Promise.all([
        readFacts(source, repository.onPlatform, 'pull_requests', request),
        codehost.pullRequests.open(repository.onPlatform),
      ]);
      const numbers = new Set(set.items.map(({ number }) => number));
      const stillOpen = open.items.filter(({ number }) => !numbers.has(number));
      const sample = sampleQueue(repository.onPlatform, [...set.items, ...stillOpen], now);
      const queues = findQueues(sample.facts, now).map((branch) => ({
        history: queueHistory(sample.facts, branch, now),
        runsFrom: sample.runsFrom,
        length: { value: sample.queue?.total ?? 0, asOf: now },
      }));
      return { repository, stored: { from: now - readMs, to: set.asOf }, polled: undefined, ended: [], queues };
    }),
  );
}
