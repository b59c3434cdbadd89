import type { Context } from '../../access/context.ts';
import type { JudgedPlan } from '../../advisor/judge.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import type { Store } from '../../store/orm.ts';
import { judgeRepository, longestPlanMs } from './judge.ts';
import { judgeDue } from './judge-due.ts';
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

/** The sample world is judged when it is looked at first, once for everybody. */
const samples = new WeakMap<Platform, Map<number, Promise<JudgedPlan>>>();

async function judgeSample(visible: readonly Repository[], context: Context): Promise<Judged> {
  const codehost = await context.codehost();
  const known = samples.get(codehost) ?? new Map<number, Promise<JudgedPlan>>();
  samples.set(codehost, known);
  for (const one of visible)
    if (!known.has(one.id))
      known.set(
        one.id,
        judgeRepository(one, context).then(({ plan }) => plan),
      );
  const now = context.services.clock.now();
  const planned = visible.map(async ({ id, owner, repo }) => {
    const plan = (await known.get(id)) ?? 'pending';
    return { id, owner, repo, plan, judgedAt: now, opened: new Map() } as const;
  });
  return { planned: await Promise.all(planned), asOf: visible.map(() => now) };
}
