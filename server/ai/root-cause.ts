import { z } from 'zod';
import { type Context, callerKey } from '../access/context.ts';
import type { Domain } from '../api/wire.ts';
import type { RepositoryName } from '../metrics/kernel/facts.ts';
import { grantedSections } from './snapshot-reading.ts';
import { type RootCauseSnapshot, readFailures } from './snapshot-root-cause.ts';
import { rootCauseSurface } from './surfaces.ts';
import { origin, toAnswerOrigin } from './surfaces-answer.ts';

export const RootCauseAnswer = z
  .object({
    ...origin,
    provider: z.string().meta({ description: 'Empty where nothing was written.' }),
    failure_count: z.int().meta({ description: 'Failed runs among the newest 50.' }),
    partial: z.boolean().meta({ description: 'The jobs of some failed runs were not known to the text.' }),
    content: z
      .object({
        hypotheses: z.array(
          z.object({
            rank: z.int(),
            hypothesis: z.string(),
            evidence: z.string(),
            confidence: z.enum(['high', 'medium', 'low']),
            next_step: z.string(),
          }),
        ),
      })
      .nullable()
      .meta({ description: 'null with fewer than three failures: no provider is called then.' }),
  })
  .meta({ id: 'RootCauseAnswer' });

type RootCauseRequest = RepositoryName & { workflow_id: number };

const minFailures = 3;
const cacheTtlMs = 10 * 60_000;

/** Why runs of a workflow may fail, in hypotheses. Throws the problems of the platform. */
export async function rootCause(input: RootCauseRequest, context: Context): Promise<Domain<typeof RootCauseAnswer>> {
  await context.services.ai.assertEnabled();
  const snapshot = await cachedFailures(input, context);
  const { failure_count: failureCount, partial } = snapshot;
  if (failureCount < minFailures) {
    const generatedAt = context.services.clock.now();
    const nobody = { ok: true as const, provider: '', model: '', generatedAt, cached: false, unverified: false };
    return { ...nobody, failureCount, partial, content: null };
  }
  const generated = await context.services.ai.generate(rootCauseSurface, {
    scope: `${snapshot.repo.toLowerCase()} ${input.workflow_id}`,
    snapshot,
    refresh: false,
    priority: 'interactive',
  });
  const hypotheses = generated.content.hypotheses.map(({ next_step: nextStep, ...one }) => ({ ...one, nextStep }));
  return { ...toAnswerOrigin(generated), failureCount, partial, content: { hypotheses } };
}

/** What was read within ten minutes will do, for whoever may still see the repository with the same grants. */
async function cachedFailures(input: RootCauseRequest, context: Context): Promise<RootCauseSnapshot> {
  const { answers, clock } = context.services;
  const { owner, repo, workflow_id: workflowId } = input;
  await (await context.codehost()).repositories.get({ owner, repo });
  const grants = await grantedSections(context);
  const key = await callerKey(context, `failures ${grants.join(' ')}`, `${owner}/${repo}`, workflowId);
  // As text: a database gives the keys of an object back in another order, and the same figures must be the same
  // prompt.
  const stored = await answers.get<string>(key);
  if (stored) return JSON.parse(stored.value);
  const snapshot = await readFailures({ owner, repo, workflow_id: workflowId }, context);
  const now = clock.now();
  if (!snapshot.partial) await answers.put(key, JSON.stringify(snapshot), now, now + cacheTtlMs);
  return snapshot;
}
