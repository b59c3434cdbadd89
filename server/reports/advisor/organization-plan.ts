import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import type { StoredPlan } from '../../store/advisor-totals.ts';
import type { KnownRepository } from '../../store/repositories.ts';
import { assertOwner, listVisibleRepositories } from '../repositories/visibility.ts';
import { judgeRepository } from './judge.ts';
import { judgeDue } from './judge-due.ts';
import { type PlannedRepository, toPlanAnswer } from './plan-answer.ts';
import type { Plan } from './plan-schema.ts';
import { seesSecurity, showsCost } from './report.ts';

/**
 * What the open recommendations of the repositories of an organization come to together, of those that the caller sees
 * and as each was judged last. Requests nothing but the list of these; what was judged too long ago is judged again
 * behind the answer.
 */
export async function organizationPlan(
  { org, limit }: { org: string; limit: number },
  context: Context,
): Promise<Domain<typeof Plan>> {
  const { items, partial } = await listVisibleRepositories(org, context);
  if (items.length === 0) await assertOwner(org, context);
  const judged = context.isDemo ? await judgeSample(items, context) : await readJudged(org, items, context);
  const terms = { limit, mayCost: await showsCost(context), seesSecurity: await seesSecurity(context) };
  return {
    scope: { org, owner: null, repo: null },
    ...toPlanAnswer(judged.planned, terms),
    asOf: judged.asOf.length === 0 ? null : Math.min(...judged.asOf),
    partial,
    generatedAt: context.services.clock.now(),
    dataSource: 'mixed',
  };
}

interface Judged {
  planned: PlannedRepository[];
  /** When each of them was. */
  asOf: Instant[];
}

async function readJudged(org: string, visible: readonly Repository[], context: Context): Promise<Judged> {
  const { store } = context;
  const stored = await store.advisorTotals.list(visible.map(({ id }) => id));
  const tracked = new Map((await store.repositories.tracked(org)).map((known) => [known.codehostId, known]));
  judgeDue(visible, { stored, tracked }, context);
  return {
    planned: visible.map((one) => toPlanned(one, stored, tracked)),
    asOf: [...stored.values()].map(({ asOf }) => asOf),
  };
}

/** Of a repository that is not synchronized no jobs are stored. */
function toPlanned(
  { id, owner, repo }: Repository,
  stored: ReadonlyMap<number, StoredPlan>,
  tracked: ReadonlyMap<number, KnownRepository>,
): PlannedRepository {
  const plan = stored.get(id)?.plan ?? (tracked.has(id) ? 'pending' : 'history_absent');
  return { id, owner, repo, plan };
}

/** The sample world is judged as it is looked at. */
async function judgeSample(visible: readonly Repository[], context: Context): Promise<Judged> {
  const now = context.services.clock.now();
  const planned = await Promise.all(
    visible.map(async (one) => ({ ...one, plan: await judgeRepository(one, context) })),
  );
  return { planned, asOf: planned.map(() => now) };
}
