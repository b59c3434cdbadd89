import type { Services } from '../access/context.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { alertMetrics } from './metrics.ts';

/** What came of a round over merge queues. */
export interface QueueRound {
  evaluated: number;
  fired: number;
  /** The repository after which the next round goes on, by its id in the database; 0 where none was left. */
  reached: number;
}

interface RoundOptions {
  /** After which repository it goes on. */
  after: number;
  mayContinue(): boolean;
}

const nothing: QueueRound = { evaluated: 0, fired: 0, reached: 0 };

/** Evaluates the rules over merge queues of the repositories that any of them watches, beginning where a round ended. */
export async function evaluateQueues(
  { store, clock, evaluateAfterSync }: Pick<Services, 'store' | 'clock' | 'evaluateAfterSync'>,
  { after, mayContinue }: RoundOptions,
): Promise<QueueRound> {
  if (!store) return nothing;
  const metrics = alertMetrics.filter(({ dataSource }) => dataSource === 'merge-queue').map(({ key }) => key);
  const scopes = await store.alertRules.watchedScopes(metrics, clock.now());
  if (scopes.size === 0) return nothing;
  const repositories = await store.repositories.tracked();
  const watched = repositories.filter((one) => isWatched(one, scopes)).sort((a, b) => a.id - b.id);
  const round = { evaluated: 0, fired: 0, reached: after };
  for (const repository of [...watched.filter(({ id }) => id > after), ...watched.filter(({ id }) => id <= after)]) {
    if (!mayContinue()) return round;
    const { evaluated, fired } = await evaluateAfterSync(repository, 'merge-queue', 'cron');
    round.evaluated += evaluated;
    round.fired += fired;
    round.reached = repository.id;
  }
  return { ...round, reached: 0 };
}

const isWatched = ({ owner, repo }: KnownRepository, scopes: ReadonlySet<string>): boolean =>
  scopes.has(owner.toLowerCase()) || scopes.has(`${owner}/${repo}`.toLowerCase());
