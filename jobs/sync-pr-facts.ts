import { randomUUID } from 'node:crypto';
import { type PullRequestSync, type PullRequestSyncOptions, syncPullRequests } from '../server/sync/pull-requests.ts';
import { type Collecting, type Collector, collectAll, inTurn } from './collect.ts';
import { type Collected, problemIn } from './collected.ts';
import { job } from './job.ts';

/** What reading the pull requests of one repository came to. */
export interface PullRequestFacts extends Collected {
  upserted: number;
  reviews: number;
}

export interface PullRequestFactsReport {
  inScope: number;
  done: number;
  remaining: number;
  upserted: number;
  reviews: number;
}

const none = { upserted: 0, reviews: 0 };

export const pullRequestCollector: Collector<PullRequestFacts> = {
  kind: 'prs',
  queue: 'collect-pull-requests',
  atOnce: 3,
  async collect(known, repository, collecting) {
    const repo = `${known.owner}/${known.repo}`;
    const read = await alone(known.id, collecting, (options) => syncPullRequests(known.id, repository, options));
    if (!read) return { repo, status: 'locked', ...none };
    const { upserted, reviews } = read;
    return { repo, ...verdict(read, collecting), upserted, reviews };
  },
  refused: (_known, collected) => ({ ...collected, ...none }),
};

/**
 * Does what only one reader of a repository's facts does at a time; null when another one is at it, or could be. What
 * a reader that was only paused still writes is true all the same, but it asks for no more.
 */
export const alone = <T>(
  repoId: number,
  { services, store, codehost, mayGoOn }: Collecting,
  work: (options: PullRequestSyncOptions) => Promise<T>,
): Promise<T | null> =>
  store.leases.hold(`facts:${repoId}`, randomUUID(), (lost) =>
    work({
      ...{ codehost, store, clock: services.clock, shelf: store.facts },
      mayGoOn: () => !lost.aborted && mayGoOn(),
    }),
  );

/** How a reading ended, by its problem or by what is left. */
export const verdict = (
  { problem, complete }: Pick<PullRequestSync, 'problem' | 'complete'>,
  { services }: Collecting,
) =>
  problem ? problemIn(problem, services.clock.now()) : { status: complete ? ('ok' as const) : ('partial' as const) };

export const syncPrFacts = job<PullRequestFactsReport>({
  name: 'pr-facts',
  title: 'Pull requests',
  does: 'Reads pull requests that ended in the last 90 days, and their reviews, of every tracked repository.',
  schedule: '17 4 * * *',
  seconds: 240,
  hardSeconds: 290,
  housekeeping: false,
  needsToken: true,
  async run(context) {
    const repositories = await inTurn(pullRequestCollector.kind, context);
    const { results, resumeAt } = await collectAll(pullRequestCollector, repositories, context);
    const done = results.filter(({ status }) => status === 'ok').length;
    const failed = results.filter(({ status }) => status === 'error').length;
    const remaining = repositories.length - done - failed;
    const upserted = results.reduce((sum, one) => sum + one.upserted, 0);
    const reviews = results.reduce((sum, one) => sum + one.reviews, 0);
    return {
      partial: remaining > 0 || resumeAt !== null,
      resumeAt,
      summary: { repositories: repositories.length, failed, remaining, pull_requests: upserted },
      report: { inScope: repositories.length, done, remaining, upserted, reviews },
    };
  },
});
