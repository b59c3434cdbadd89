import type { Context } from '../../access/context.ts';
import type { LiveWorkflowRun, Repository } from '../../metrics/kernel/facts.ts';
import type { MeasuredRun } from '../../metrics/runs/workflow-runs.ts';

/**
 * Attempts that later ones replaced, as far as the database holds them; none in the demo and without a database.
 * The caller must have proved that the repository may be seen.
 */
export async function findStoredAttempts(
  repository: Repository,
  runs: readonly LiveWorkflowRun[],
  { services: { store }, isDemo }: Context,
): Promise<MeasuredRun[]> {
  const latest = new Map(runs.flatMap(({ id, attempt }) => (attempt > 1 ? [[id, attempt] as const] : [])));
  if (isDemo || !store || latest.size === 0) return [];
  const known = await store.repositories.find(repository);
  if (!known) return [];
  const found = await store.runs.earlierAttempts(known.id, [...latest.keys()]);
  return found.filter(({ id, attempt }) => attempt < (latest.get(id) ?? 0));
}
