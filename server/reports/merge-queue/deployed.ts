import type { Context } from '../../access/context.ts';
import { getSyncState, storedFacts } from '../../facts/stored-facts.ts';
import { findNamedProduction } from '../../metrics/delivery/deployments.ts';
import { dayMs, lastDaysWindow, minuteMs } from '../../metrics/kernel/window.ts';
import type { DeployedFacts } from '../../metrics/merge-queue/boarding.ts';
import type { RepositoryFacts } from '../repositories/facts.ts';

/** Names of environments are told apart by what was deployed lately. */
const namedDays = 30;
const sinceMs = 92 * dayMs;

/**
 * The production deployments of a repository as far as they are stored: reading them would cost more requests than a
 * queue may. null where they never were, or nothing shows which environment is production.
 */
export async function readDeployed(
  { repository, read, now }: RepositoryFacts,
  branch: string,
  context: Context,
): Promise<DeployedFacts | null> {
  const set = context.isDemo
    ? { floor: now - sinceMs, ...(await read('deployments', { since: now - sinceMs, maxAgeMs: 10 * minuteMs })) }
    : await readStored(repository, now, context);
  if (set === null) return null;
  const production = findNamedProduction(set.items, lastDaysWindow(namedDays, set.asOf));
  if (production === null) return null;
  return {
    deployments: set.items.filter(({ environment }) => environment === production),
    knownFrom: set.oldestAt ?? set.floor,
    knownTo: set.asOf,
    isDefaultBranch: branch === repository.defaultBranch,
  };
}

async function readStored(
  repository: RepositoryFacts['repository'],
  now: number,
  { services: { facts: factRepository } }: Context,
) {
  const state = await getSyncState({ factRepository, now }, repository, 'deployments');
  if (!state) return null;
  const floor = Math.max(now - sinceMs, state.floor);
  return { floor, ...(await storedFacts(factRepository, repository, state, floor)) };
}
