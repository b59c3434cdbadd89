import { isDeepStrictEqual } from 'node:util';
import type { WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { runStatuses } from '../../server/metrics/kernel/facts.ts';
import type { Store } from '../../server/store/orm.ts';
import type { MailRequest } from '../support/mail-double.ts';
import { repoIdOf, rollupsAndRecount } from '../sync/stage.ts';
import type { Event } from './activity.ts';
import { repositories } from './activity.ts';

type State = Pick<WorkflowRun, 'attempt' | 'status' | 'updatedAt'>;

/** A later state of a run is of a later attempt, was changed later, or is further on. */
const isBefore = (one: State, other: State) =>
  one.attempt - other.attempt ||
  one.updatedAt - other.updatedAt ||
  runStatuses.indexOf(one.status) - runStatuses.indexOf(other.status);

/** Names a run whose acknowledged state is not stored, and no later one is; null where there is none. */
export async function findLost(store: Store, acknowledged: readonly Event[]): Promise<string | null> {
  for (const name of repositories) {
    const repoId = await repoIdOf(store, name);
    const stored = await store.runs.attempts(repoId, { since: 0, limit: 100_000 });
    const byAttempt = new Map(stored.map((run) => [`${run.id}/${run.attempt}`, run]));
    for (const { repository, run } of acknowledged) {
      if (repository !== name) continue;
      const found = byAttempt.get(`${run.id}/${run.attempt}`);
      if (!found || isBefore(found, run) < 0)
        return `run ${run.id}/${run.attempt} of ${name} was acknowledged and is lost`;
    }
  }
  return null;
}

/** Names a repository whose daily rollups are not what counting its runs gives; null where there is none. */
export async function findWrongDays(store: Store): Promise<string | null> {
  for (const name of repositories) {
    const { daily, recounted } = await rollupsAndRecount(store, await repoIdOf(store, name));
    const wrong = recounted.find((one, index) => !isDeepStrictEqual(one, daily[index]));
    if (wrong || daily.length !== recounted.length)
      return `day ${wrong?.date ?? 'unknown'} of ${name} is not its recount`;
  }
  return null;
}

/** What was sent, and when something happened after which it may be sent again: an answer that was lost. */
export type Sending = { sent: MailRequest } | { disturbed: true };

/** Names an email that was sent twice although its first answer arrived, or with another text; null without one. */
export function findSentTwice(sendings: readonly Sending[]): string | null {
  const earlier = new Map<string, { text: string; disturbances: number }>();
  let disturbances = 0;
  for (const one of sendings) {
    if ('disturbed' in one) {
      disturbances++;
      continue;
    }
    const key = String(one.sent.headers['idempotency-key']);
    const before = earlier.get(key);
    if (before && before.text !== one.sent.text) return `email ${key} was sent with two texts`;
    if (before && before.disturbances === disturbances) return `email ${key} was sent twice`;
    earlier.set(key, { text: one.sent.text, disturbances });
  }
  return null;
}
