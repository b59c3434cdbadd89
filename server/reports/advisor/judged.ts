import type { Context } from '../../access/context.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import type { Store } from '../../store/orm.ts';
import { longestPlanMs } from './judge.ts';
import { judgeDue } from './judge-due.ts';
import { judgeSample } from './judged-sample.ts';
import type { PlannedRepository } from './plan-answer.ts';

/** What the open recommendations of repositories come to. */
export interface Judged {
  planned: PlannedRepository[];
  /** When each of those that are judged was. */
  asOf: Instant[];
}

/**
 * The repositories as each was judged last; some that were too long ago are judged again behind the answer. The caller
 * must have proved that they may be seen. Without a store they are those of the sample world.
 */
export async function readJudged(
  visible: readonly Repository[],
  store: Store | null,
  context: Context,
): Promise<Judged> {
  if (store === null) return judgeSample(visible, context);
  const tracked = await store.advisorTotals.ofTracked(visible.map(({ id }) => id));
  judgeDue(visible, tracked, context);
  const oldest = context.services.clock.now() - longestPlanMs;
  const opened = await store.advisorPullRequests.ofRepositories([...tracked.keys()]);
  const judged = new Map([...tracked].map(([id, stored]) => [id, stored && stored.asOf >= oldest ? stored : null]));
  return {
    planned: visible.map(({ id, owner, repo }) => {
      const plan = judged.get(id)?.plan ?? (judged.has(id) ? 'pending' : 'history_absent');
      const judgedAt = judged.get(id)?.asOf ?? null;
      return { id, owner, repo, plan, judgedAt, opened: opened.get(id) ?? new Map() };
    }),
    asOf: [...judged.values()].flatMap((stored) => stored?.asOf ?? []),
  };
}
