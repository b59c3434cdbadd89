import type { Context } from '../../access/context.ts';
import { type Dismissal, isInForce } from '../../advisor/dismissal.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';

/** The dismissals of a repository that are in force, by the id of the recommendation; none without a database. */
export async function readDismissals(
  repository: Repository,
  { services: { store, clock }, isDemo }: Pick<Context, 'services' | 'isDemo'>,
): Promise<ReadonlyMap<string, Dismissal>> {
  if (!store || isDemo) return new Map();
  const stored = await store.advisorDismissals.list(repository.id);
  return new Map([...stored].filter(([, dismissal]) => isInForce(dismissal, clock.now())));
}

export const dismissalItem = ({ byLogin, ...dismissal }: Dismissal) => ({ ...dismissal, by: byLogin });
