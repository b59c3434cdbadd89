import type { Context, Reply } from '../../access/context.ts';
import type { Advised } from '../../advisor/advise.ts';
import type { Dismissal } from '../../advisor/dismissal.ts';
import type { AdvisedRepository } from '../../advisor/recommend.ts';
import { noteCanonicalName, noteListing } from '../kernel/notes.ts';
import { readDismissals } from './dismissals.ts';
import { type AdviceInput, type AdviceSource, type Gathered, gather, logMismatch } from './gather.ts';
import { adviseOn, type Question } from './thread.ts';

/** The recommendations of a repository with what they were made of. */
export interface Advice extends Omit<Gathered, 'known'>, Advised {
  /** In the usable window; null without one. */
  attempts: number | null;
  /** What they were looked for in. */
  advised: AdvisedRepository;
  /** Those in force, by the id of the recommendation. */
  dismissals: ReadonlyMap<string, Dismissal>;
}

/** What a report shows beside the recommendations. */
export interface Shown extends Pick<Question, 'seesSecurity'> {
  /** Ids of those whose runs and change are requested. */
  chosen?: readonly string[];
  /** Whether to tell what those that are not dismissed come to together. */
  total?: boolean;
}

/** The advice of a repository for a request, with what the headers of its answer report. */
export async function readAdvice(input: AdviceInput, shown: Shown, context: Context, reply: Reply): Promise<Advice> {
  const advice = await makeAdvice(input, shown, context);
  noteCanonicalName(reply, await context.codehost(), input);
  noteListing(reply, advice.files);
  return advice;
}

/** Reads a repository and looks for recommendations. Requests what `gather` does, and what else these depend on. */
export async function makeAdvice(
  input: AdviceInput,
  { seesSecurity, chosen = [], total = false }: Shown,
  source: AdviceSource,
): Promise<Advice> {
  const { known, pricing, ...gathered } = await gather(input, source);
  const { repository } = gathered;
  const dismissals = await readDismissals(repository, source);
  const question = { pricing, seesSecurity, chosen, dismissed: total ? [...dismissals.keys()] : null };
  const { advised, answer } = await adviseOn(known, input, question, source);
  if (answer.calibration?.state === 'failed') logMismatch(repository, source);
  return { ...gathered, pricing, attempts: advised.attempts?.length ?? null, advised, dismissals, ...answer };
}
