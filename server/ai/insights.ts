import { z } from 'zod';
import type { Context } from '../access/context.ts';
import type { Domain } from '../api/wire.ts';
import type { RepositoryName } from '../metrics/kernel/facts.ts';
import { assertMayUse } from './needed-feature.ts';
import { readOrganization } from './snapshot-organization.ts';
import { readRepository } from './snapshot-repository.ts';
import { insightsSurface } from './surfaces.ts';
import { origin, toAnswerOrigin } from './surfaces-answer.ts';

export const InsightsAnswer = z
  .object({
    ...origin,
    partial: z.boolean().meta({ description: 'Not all figures of the period were known to the text.' }),
    content: z.object({ summary: z.string(), bullets: z.array(z.string()), actions: z.array(z.string()) }),
  })
  .meta({ id: 'InsightsAnswer' });

/** What is written about: an organization, or a repository. */
export type InsightsScope = { org: string } | RepositoryName;

/** How a repository or an organization is doing, as a text written from its figures. */
export async function insights(
  scope: InsightsScope,
  refresh: boolean,
  context: Context,
): Promise<Domain<typeof InsightsAnswer>> {
  await context.services.ai.assertEnabled();
  const snapshot = await read(scope, context);
  const generated = await context.services.ai.generate(insightsSurface, {
    scope: snapshot.scope.toLowerCase(),
    snapshot,
    refresh,
    priority: 'interactive',
  });
  return { ...toAnswerOrigin(generated), partial: snapshot.partial, content: generated.content };
}

async function read(scope: InsightsScope, context: Context) {
  if (!('org' in scope)) return readRepository(scope, context);
  await assertMayUse('healthScorecard', 'A summary of an organization is written from its health scores.', context);
  return readOrganization(scope.org, context);
}
