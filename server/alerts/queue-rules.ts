import type { Services } from '../access/context.ts';
import type { Platform } from '../codehost/changes/client.ts';
import { dayMs, hourMs, minuteMs } from '../metrics/kernel/window.ts';
import { Problem } from '../platform/problem.ts';
import type { KnownRepository } from '../store/repositories.ts';
import { pollQueue } from '../sync/queue-polls.ts';
import { alertMetrics } from './metrics.ts';

/** What came of a round over merge queues. */
export interface QueueRound {
  evaluated: number;
  fired: number;
  /** Queues that were read from the platform. */
  polled: number;
  /** The repository after which the next round goes on, by its id in the database; 0 where none was left. */
  reached: number;
}

interface RoundOptions {
  /** After which repository it goes on. */
  after: number;
  /** The platform as the service sees it; null without a token. */
  codehost: Platform | null;
  mayContinue(): boolean;
}

/** A round asks about so many queues at most; the next one goes on with the others. */
const maxPolls = 40;

/** Where a queue merged something in so long, it is in use. */
const inUseMs = 7 * dayMs;
/**
 * So often a queue is looked at that no rule watches and no webhook told of. A busy one is read again at nearly every look,
 * which takes four requests or more: 40 of these are 320 an hour.
 */
const seldomMs = 30 * minuteMs;

/**
 * Reads the merge queues of repositories that a rule watches or that a webhook named lately, and seldom those in use
 * elsewhere with what is left of the round, and evaluates the rules over them, each going on where a round ended.
 */
export async function evaluateQueues(
  { store, clock, evaluateAfterSync }: Pick<Services, 'store' | 'clock' | 'evaluateAfterSync'>,
  { after, codehost, mayContinue }: RoundOptions,
): Promise<QueueRound> {
  const round: QueueRound = { evaluated: 0, fired: 0, polled: 0, reached: after };
  if (!store) return { ...round, reached: 0 };
  const metrics = alertMetrics.filter(({ dataSource }) => dataSource === 'merge-queue').map(({ key }) => key);
  const [scopes, named] = await Promise.all([
    store.alertRules.watchedScopes(metrics, clock.now()),
    codehost ? store.mergeQueueNotices.repositories(clock.now() - 48 * hourMs) : new Set<number>(),
  ]);
  if (scopes.size + named.size === 0 && !codehost) return { ...round, reached: 0 };
  const tracked = await store.repositories.tracked();
  const isOften = (one: KnownRepository) => named.has(one.id) || isWatched(one, scopes);
  const ids = codehost ? tracked.map(({ id }) => id) : [];
  const inUse = ids.length === 0 ? new Set<number>() : await store.mergeQueueNotices.queued(ids, clock.now() - inUseMs);
  const chosen = tracked.filter((one) => inUse.has(one.id) || isOften(one)).sort((a, b) => a.id - b.id);
  const inTurn = [...chosen.filter(({ id }) => id > after), ...chosen.filter(({ id }) => id <= after)];
  for (const repository of [...inTurn.filter(isOften), ...inTurn.filter((one) => !isOften(one))]) {
    if (!mayContinue() || round.polled >= maxPolls) return round;
    const everyMs = isOften(repository) ? minuteMs : seldomMs;
    if (codehost && (await isPolled(pollQueue(repository, { store, clock, codehost, everyMs, mayContinue }))))
      round.polled++;
    if (isWatched(repository, scopes)) {
      const { evaluated, fired } = await evaluateAfterSync(repository, 'merge-queue', 'cron');
      round.evaluated += evaluated;
      round.fired += fired;
    }
    round.reached = repository.id;
  }
  return { ...round, reached: 0 };
}

/** Rules are evaluated over what is stored, also where the platform rejects the token. */
async function isPolled(polling: Promise<boolean>): Promise<boolean> {
  try {
    return await polling;
  } catch (error) {
    if (error instanceof Problem) return true;
    throw error;
  }
}

const isWatched = ({ owner, repo }: KnownRepository, scopes: ReadonlySet<string>): boolean =>
  scopes.has(owner.toLowerCase()) || scopes.has(`${owner}/${repo}`.toLowerCase());
