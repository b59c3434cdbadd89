import { randomUUID } from 'node:crypto';
import type { Evaluation } from '../server/alerts/evaluate.ts';
import type { Repository } from '../server/metrics/kernel/facts.ts';
import { keepOpenPullRequests } from '../server/sync/open-pull-requests.ts';
import { type PullRequestSync, type PullRequestSyncOptions, syncPullRequests } from '../server/sync/pull-requests.ts';
import { type Collecting, type Collector, collectAll, inTurn } from './collect.ts';
import { type Collected, problemIn } from './collected.ts';
import { evaluated } from './evaluated.ts';
import { job } from './job.ts';

/** What reading the pull requests of one repository came to. */
export interface PullRequestFacts extends Collected {
  upserted: number;
  reviews: number;
  rules: Evaluation;
}

export interface PullRequestFactsReport {
  inScope: number;
  done: number;
  remaining: number;
  upserted: number;
  reviews: number;
  rules: Evaluation;
}

export const noRules: Evaluation = { evaluated: 0, fired: 0 };
const none = { upserted: 0, reviews: 0, rules: noRules };

export const pullRequestCollector: Collector<PullRequestFacts> = {
  kind: 'prs',
  queue: 'collect-pull-requests',
  atOnce: 3,
  async collect(known, repository, collecting) {
    const repo = `${known.owner}/${known.repo}`;
    const read = await alone(known.id, collecting, (options) => readAll(known.id, repository, options));
    if (!read) return { repo, status: 'locked', ...none };
    const { upserted, reviews } = read;
    const about = { feed: 'pull-requests', source: 'cron', store: collecting.store } as const;
    const rules = read.complete && !read.problem ? await evaluated(known, about, collecting.services) : noRules;
    return { repo, ...verdict(read, collecting), upserted, reviews, rules };
  },
  emptyResult: (_known, collected) => ({ ...collected, ...none }),
};

/** Those that ended, and once they are whole those that are open. */
async function readAll(
  repoId: number,
  repository: Repository,
  options: PullRequestSyncOptions,
): Promise<PullRequestSync> {
  const ended = await syncPullRequests(repoId, repository, options);
  if (!ended.complete) return ended;
  if (!options.mayContinue()) return { ...ended, complete: false };
  const problem = await keepOpenPullRequests(repoId, repository, options);
  return problem === null ? ended : { ...ended, complete: false, problem };
}

/**
 * Does what only one reader of a repository's facts does at a time; null when another one is at it, or could be. What
 * a reader that was only paused still writes is true all the same, but it asks for no more.
 */
export const alone = <T>(
  repoId: number,
  { services, store, codehost, mayContinue }: Collecting,
  work: (options: PullRequestSyncOptions) => Promise<T>,
): Promise<T | null> =>
  store.leases.hold(`facts:${repoId}`, randomUUID(), (lost) =>
    work({
      codehost,
      store,
      clock: services.clock,
      facts: store.facts,
      mayContinue: () => !lost.aborted && mayContinue(),
    }),
  );

/** What the rules over all these repositories came to. */
export const sumOfRules = (results: readonly { rules: Evaluation }[]): Evaluation => ({
  evaluated: results.reduce((sum, { rules }) => sum + rules.evaluated, 0),
  fired: results.reduce((sum, { rules }) => sum + rules.fired, 0),
});

/** How a reading ended, by its problem or by what is left. */
export const verdict = (
  { problem, complete }: Pick<PullRequestSync, 'problem' | 'complete'>,
  { services }: Collecting,
) =>
  problem ? problemIn(problem, services.clock.now()) : { status: complete ? ('ok' as const) : ('partial' as const) };

export const syncPrFacts = job<PullRequestFactsReport>({
  name: 'pr-facts',
  title: 'Pull requests',
  does: 'Reads pull requests that ended in the last 90 days or are open, and their reviews, of every tracked repository.',
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
      report: { inScope: repositories.length, done, remaining, upserted, reviews, rules: sumOfRules(results) },
    };
  },
});
