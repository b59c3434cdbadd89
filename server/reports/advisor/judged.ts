import type { Context } from '../../access/context.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { judgeRepository } from './judge.ts';
import { judgeDue } from './judge-due.ts';
import type { PlannedRepository } from './plan-answer.ts';

/** What the open recommendations of repositories come to. */
export interface Judged {
  planned: PlannedRepository[];
  /** When each of those that are judged was. */
  asOf: Instant[];
}

/**
 * The repositories as each was judged last; one that was too long ago is judged again behind the answer. The caller must
 * have proved that they may be seen. Requests nothing.
 */
export async function readJudged(visible: readonly Repository[], context: Context): Promise<Judged> {
  if (context.isDemo) return judgeSample(visible, context);
  const tracked = await context.store.advisorTotals.ofTracked(visible.map(({ id }) => id));
  judgeDue(visible, tracked, context);
  return {
    planned: visible.map(({ id, owner, repo }) => {
      const plan = tracked.get(id)?.plan ?? (tracked.has(id) ? 'pending' : 'history_absent');
      return { id, owner, repo, plan };
    }),
    asOf: [...tracked.values()].flatMap((stored) => stored?.asOf ?? []),
  };
}

/** The sample world is judged as it is looked at. */
async function judgeSample(visible: readonly Repository[], context: Context): Promise<Judged> {
  const now = context.services.clock.now();
  const planned = await Promise.all(
    visible.map(async (one) => ({ ...one, plan: await judgeRepository(one, context) })),
  );
  return { planned, asOf: planned.map(() => now) };
}
