import type { Advised, AdviseTask } from '../../advisor/advise.ts';
import type { AdvisedRepository } from '../../advisor/recommend.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { type AdviceSource, withChecks } from './gather.ts';

/** A request about a repository that was read. */
export type Question = Omit<AdviseTask, 'repository' | 'isTooLarge' | 'hasReadChecks'>;

/** What could be changed in a repository, and what that was looked for in. */
export interface AdvisedNow {
  advised: AdvisedRepository;
  answer: Advised;
}

/**
 * Looks for recommendations in the thread for it. Which checks pull requests need is requested only where nothing else
 * excludes one.
 */
export async function adviseOn(
  known: AdvisedRepository,
  name: RepositoryName,
  question: Question,
  source: AdviceSource,
): Promise<AdvisedNow> {
  const answer = await runAdvise({ ...question, repository: known, hasReadChecks: false }, source);
  if (answer !== null) return { advised: known, answer };
  const advised = await withChecks(known, await source.codehost(), name);
  return { advised, answer: await adviseAgain(advised, question, source) };
}

/** The same of a repository whose checks were read where they matter. */
export async function adviseAgain(
  advised: AdvisedRepository,
  question: Question,
  source: Pick<AdviceSource, 'services'>,
): Promise<Advised> {
  const answer = await runAdvise({ ...question, repository: advised, hasReadChecks: true }, source);
  if (answer === null) throw new Error('Recommendations depend on checks that were read.');
  return answer;
}

/** Beyond it history is left aside. */
const limitMs = 30_000;

/** Without history where that takes too long, or too much memory. */
async function runAdvise(task: Omit<AdviseTask, 'isTooLarge'>, { services }: Pick<AdviceSource, 'services'>) {
  const first = await services.advising.run({ ...task, isTooLarge: false }, limitMs);
  const isTooLarge = first.state === 'timeout' || first.state === 'out_of_memory';
  const outcome = isTooLarge ? await services.advising.run({ ...task, isTooLarge }, limitMs) : first;
  if (outcome.state === 'done') return outcome.result;
  throw new Error(`Recommendations could not be looked for: ${outcome.state}.`);
}
