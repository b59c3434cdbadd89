import type { Context, Reply } from '../../access/context.ts';
import { type Prediction, predictEffects } from '../../advisor/effects.ts';
import type { RecordedAttempt } from '../../advisor/history.ts';
import { type AdvisedRepository, dependsOnChecks, recommend } from '../../advisor/recommend.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { noteCanonicalName, noteListing } from '../kernel/notes.ts';
import { type AdviceInput, type AdviceSource, type Gathered, gather, logMismatch, withChecks } from './gather.ts';

/** The recommendations of a repository with what they were made of. */
export interface Advice extends Omit<Gathered, 'known'>, Prediction {
  /** Attempts in the usable window; null without one. */
  attempts: readonly RecordedAttempt[] | null;
  /** What they were looked for in. */
  advised: AdvisedRepository;
}

/** The advice of a repository for a request, with what the headers of its answer report. */
export async function readAdvice(input: AdviceInput, context: Context, reply: Reply): Promise<Advice> {
  const advice = await makeAdvice(input, context);
  noteCanonicalName(reply, await context.codehost(), input);
  noteListing(reply, advice.files);
  return advice;
}

/** Reads a repository and looks for recommendations. Requests what `gather` does, and what else these depend on. */
export async function makeAdvice(input: AdviceInput, source: AdviceSource): Promise<Advice> {
  const { known, pricing, ...gathered } = await gather(input, source);
  const { advised, found } = await recommendFor(known, await source.codehost(), input);
  const prediction = predictEffects(advised, found, pricing);
  if (prediction.calibration?.state === 'failed') logMismatch(gathered.repository, source);
  return { ...gathered, pricing, attempts: advised.attempts, advised, ...prediction };
}

/** Whether checks are required is requested only where nothing else excludes a recommendation. */
async function recommendFor(known: AdvisedRepository, codehost: Platform, name: RepositoryName) {
  const found = recommend(known);
  if (!dependsOnChecks(found)) return { advised: known, found };
  const advised = await withChecks(known, codehost, name);
  return { advised, found: recommend(advised) };
}
