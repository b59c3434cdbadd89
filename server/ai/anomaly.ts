import { z } from 'zod';
import type { Context } from '../access/context.ts';
import type { Domain } from '../api/wire.ts';
import type { BaselineMetric } from '../metrics/kernel/baseline.ts';
import type { RepositoryName } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import { assertMayUse } from './needed-feature.ts';
import { readAnomalies } from './snapshot-anomaly.ts';
import { anomalySurface } from './surfaces.ts';
import { origin, toAnswerOrigin } from './surfaces-answer.ts';

export const AnomalyAnswer = z
  .object({
    ...origin,
    outlier_count: z.int().meta({ description: 'Unusual runs that the text is about, at most five.' }),
    content: z.object({ explanation: z.string(), check: z.string() }),
  })
  .meta({ id: 'AnomalyAnswer' });

/** What may be behind the unusual runs of a workflow, as text. @throws Problem `no_outliers` where no run stands out */
export async function anomalyExplanation(
  input: RepositoryName & { workflow_id: number; metric: BaselineMetric },
  context: Context,
): Promise<Domain<typeof AnomalyAnswer>> {
  await context.services.ai.assertEnabled();
  await assertMayUse('anomalyDetection', 'An explanation is written from the unusual runs.', context);
  const snapshot = await readAnomalies(input, context);
  if (snapshot.outliers.length === 0) throw new Problem('no_outliers', 'None of the latest runs is unusual.');
  const generated = await context.services.ai.generate(anomalySurface, {
    scope: `${snapshot.repo.toLowerCase()} ${input.workflow_id} ${input.metric}`,
    snapshot,
    refresh: false,
    priority: 'interactive',
  });
  return { ...toAnswerOrigin(generated), outlierCount: snapshot.outliers.length, content: generated.content };
}
