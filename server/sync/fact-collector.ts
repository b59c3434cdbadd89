import { randomUUID } from 'node:crypto';
import type { Evaluation } from '../alerts/evaluate.ts';
import type { Feed } from '../alerts/metric.ts';
import type { KnownRepository } from '../store/repositories.ts';
import type { CollectorContext } from './collect.ts';
import type { PullRequestSync, PullRequestSyncOptions } from './pull-requests.ts';
import { problemResult, type RepositorySyncResult } from './repository-sync-result.ts';

/** What reading facts of one repository came to, and the rules over them. */
export interface FactSyncResult extends RepositorySyncResult {
  rules: Evaluation;
}

export const noRules: Evaluation = { evaluated: 0, fired: 0 };

/**
 * Does what only one reader of a repository's facts does at a time; null when another one is at it, or could be. What
 * a reader that was only paused still writes is true all the same, but it requests no more.
 */
export const withRepositoryLease = <T>(
  repoId: number,
  { services, store, codehost, mayContinue }: CollectorContext,
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

/** How a reading ended. Rules are evaluated when it is complete; null is one that another reader was at. */
export async function factSyncResult(
  known: KnownRepository,
  feed: Feed,
  read: Pick<PullRequestSync, 'problem' | 'complete'> | null,
  { services }: CollectorContext,
): Promise<FactSyncResult> {
  const repo = `${known.owner}/${known.repo}`;
  if (!read) return { repo, status: 'locked', rules: noRules };
  if (read.problem) return { repo, ...problemResult(read.problem, services.clock.now()), rules: noRules };
  if (!read.complete) return { repo, status: 'partial', rules: noRules };
  return { repo, status: 'ok', rules: await services.evaluateAfterSync(known, feed, 'cron') };
}

/** What the rules over all these repositories came to. */
export const totalRules = (results: readonly FactSyncResult[]): Evaluation => ({
  evaluated: results.reduce((sum, { rules }) => sum + rules.evaluated, 0),
  fired: results.reduce((sum, { rules }) => sum + rules.fired, 0),
});
