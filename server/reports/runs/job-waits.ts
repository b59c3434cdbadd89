import type { Context } from '../../access/context.ts';
import type { LiveWorkflowRun, Repository } from '../../metrics/kernel/facts.ts';
import type { MeasuredRun } from '../../metrics/runs/workflow-runs.ts';

/**
 * The runs with what they waited for a runner, in ms, where stored jobs tell it. The caller must have proved that the
 * repository may be seen.
 */
export async function withJobWaits<Run extends LiveWorkflowRun>(
  repository: Repository,
  runs: readonly Run[],
  { services: { store }, isDemo }: Context,
): Promise<(Run & MeasuredRun)[]> {
  const known = isDemo || !store ? undefined : await store.repositories.find(repository);
  if (!store || !known) return [...runs];
  const found = await store.runs.jobWaits(
    known.id,
    runs.map(({ id }) => id),
  );
  const waits = new Map(found.map(({ id, attempt, waitMs }) => [`${id} ${attempt}`, waitMs]));
  return runs.map((run) => ({ ...run, jobWaitMs: waits.get(`${run.id} ${run.attempt}`) ?? null }));
}
