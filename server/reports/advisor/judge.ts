import type { JudgedPlan, Judgement, JudgeTask } from '../../advisor/judge.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { Problem } from '../../platform/problem.ts';
import type { Store } from '../../store/orm.ts';
import type { KnownRepository } from '../../store/repositories.ts';
import { beginApplied, type FoundNow } from './applied.ts';
import { readDismissals } from './dismissals.ts';
import { type AdviceSource, gather, logMismatch, withChecks } from './gather.ts';

/** Beyond it a repository is too large, and is left for the next time. */
const limitMs = 60_000;

/**
 * Judges a repository in a thread of its own: what its open recommendations save, alone and together. Requests what
 * `gather` does, and two more where a recommendation depends on the checks that pull requests need. Throws where not all
 * of it was answered: a plan without some files is none.
 */
export async function judgeRepository(repository: Repository, source: AdviceSource): Promise<JudgedNow> {
  const { known, pricing, partial } = await gather({ owner: repository.owner, repo: repository.repo }, source);
  if (partial) throw new Problem('upstream_unavailable', 'Not every workflow file could be read.');
  const dismissed = [...(await readDismissals(repository, source)).keys()];
  const first = await runJudge({ repository: known, pricing, dismissed }, source);
  const { files } = known;
  if (!first?.dependsOnChecks) return { ...(first ?? tooLarge), files };
  const advised = await withChecks(known, await source.codehost(), repository);
  if (advised.requiredChecks === null) return { ...first, files };
  return { ...((await runJudge({ repository: advised, pricing, dismissed }, source)) ?? tooLarge), files };
}

/** A plan with what it was made of. */
interface JudgedNow extends FoundNow {
  plan: JudgedPlan;
}

const tooLarge: Omit<JudgedNow, 'files'> = {
  plan: { reason: 'too_large', total: null, days: [], rows: [] },
  found: null,
};

/** null where it takes too long, or too much memory. */
async function runJudge(task: JudgeTask, { services }: Pick<AdviceSource, 'services'>): Promise<Judgement | null> {
  const outcome = await services.judging.run(task, limitMs);
  if (outcome.state === 'done') return outcome.result;
  if (outcome.state === 'timeout' || outcome.state === 'out_of_memory') return null;
  throw new Error(`A repository could not be judged: ${outcome.state}.`);
}

/** What was judged before is no plan any more. */
export const longestPlanMs = 7 * dayMs;

/** Judges a repository as it is now, and stores what came of it, with what somebody changed since the last time. */
export async function renewTotal(
  known: Pick<KnownRepository, 'id'>,
  repository: Repository,
  { store, ...source }: AdviceSource & { store: Store },
): Promise<void> {
  const asOf = source.services.clock.now();
  const { plan, ...now } = await judgeRepository(repository, source);
  if (plan.reason === 'minutes_not_reproduced') logMismatch(repository, source);
  const previous = (await store.advisorTotals.ofTracked([repository.id])).get(repository.id);
  if (previous && asOf - previous.asOf <= longestPlanMs)
    await beginApplied(known, repository, { previous, now }, { ...source, store });
  await store.advisorTotals.put(known.id, { asOf, plan });
}
