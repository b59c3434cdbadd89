import type { FactKind, FactOf, FactRepository } from '../../facts/fact-repository.ts';
import type { FactSet } from '../../facts/facts.ts';
import { getSyncState, readStoredFacts } from '../../facts/stored-facts.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { People } from '../../metrics/people/people.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { Problem } from '../../platform/problem.ts';
import { type Delivery, type DeliverySource, deliveryDays, readDelivery } from './facts.ts';

export interface StoredDelivery {
  delivery: Delivery;
  /** Whether the releases of the window are stored, so that it is known how often there is one. */
  hasReleases: boolean;
  /** Whether those of its figures are known that rest on deployments. */
  hasDeployments: boolean;
  /** Until when everything behind it is known. */
  asOf: Instant;
}

export interface StoredSource {
  factRepository: FactRepository;
  /** Of what it holds, only `id`, `defaultBranch` and `createdAt` are looked at. */
  repository: Repository;
  people: People;
  calendar: Calendar;
  now: Instant;
}

/**
 * Delivery as `readDelivery` has it, from stored facts alone: the platform is not called. null where the pull requests of
 * the window are not stored. Figures that need what is not stored are as unknown as without the right to read it.
 */
export async function readStoredDelivery({
  factRepository,
  calendar,
  ...rest
}: StoredSource): Promise<StoredDelivery | null> {
  const known = new Map<FactKind, FactSet<FactOf[FactKind]>>();
  let isRequested = false;
  const ask = async (): Promise<never> => {
    isRequested = true;
    throw notStored();
  };
  // A first synchronization reads back as far as the window, and not to its margin. The window ends where reading did.
  const findStart = async (kind: FactKind) => {
    const syncState = await getSyncState({ factRepository, now: rest.now }, rest.repository, kind);
    return Math.min(rest.now, syncState?.through ?? rest.now) - deliveryDays * dayMs;
  };
  const facts: DeliverySource = {
    ...rest,
    codehost: { deployments: { productionEnvironments: ask }, pullRequests: { mergedCounts: ask } },
    async read(kind, request) {
      const since = kind === 'deployments' ? request.since : await findStart(kind);
      const set = await readStoredFacts({ factRepository, now: rest.now }, rest.repository, kind, {
        ...request,
        since,
      });
      if (set) known.set(kind, set as FactSet<FactOf[FactKind]>);
      else if (kind !== 'releases') throw notStored();
      return set ?? nothingKnown(rest.now);
    },
  };
  try {
    const delivery = await readDelivery(facts, calendar);
    return {
      delivery,
      hasReleases: known.has('releases'),
      hasDeployments: delivery.deployments !== null && !isRequested,
      asOf: Math.min(...[...known.values()].map(({ asOf }) => asOf)),
    };
  } catch (error) {
    if (error instanceof Problem && error.code === 'upstream_unavailable') return null;
    throw error;
  }
}

const notStored = () => new Problem('upstream_unavailable', 'Nothing of this is stored.');

const nothingKnown = (now: Instant) => ({
  items: [],
  partial: true,
  capped: false,
  oldestAt: null,
  stale: false,
  asOf: now,
  total: null,
  openCount: null,
  newestAt: null,
  source: 'mixed' as const,
});
