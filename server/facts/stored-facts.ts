import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import {
  eventTime,
  type FactKind,
  type FactOf,
  type FactRepository,
  isSince,
  type SyncState,
} from './fact-repository.ts';
import type { FactRequest, FactSet, FactSource } from './facts.ts';

/** Facts of a kind that are stored, without a request; null where not everything from `since` on is. */
export async function readStoredFacts<Kind extends FactKind>(
  { factRepository, now }: Pick<FactSource, 'factRepository'> & { now: Instant },
  repository: Repository,
  kind: Kind,
  { since, maxAgeMs }: FactRequest,
): Promise<FactSet<FactOf[Kind]> | null> {
  const syncState = await getSyncState({ factRepository, now }, repository, kind);
  if (!syncState || syncState.floor > since) return null;
  const set = await storedFacts(factRepository, repository, syncState, since);
  return { ...set, stale: now - syncState.through >= maxAgeMs };
}

/** How far a kind was read; null where it never was, or where that cannot be believed. */
export async function getSyncState<Kind extends FactKind>(
  { factRepository, now }: Pick<FactSource, 'factRepository'> & { now: Instant },
  repository: Repository,
  kind: Kind,
) {
  const syncStates = await factRepository.syncStates(repository);
  return syncStates.find((one): one is SyncState<Kind> => one.kind === kind && isBelievable(one, now)) ?? null;
}

/** Clocks and copies of the platform differ a little; what is read twice is the same. */
export const overlapMs = 600_000;

/**
 * What was written while the clock was ahead hides what changed since: such a kind is read anew. As far as readings
 * overlap, nothing is hidden.
 */
export const isBelievable = ({ through }: SyncState, now: Instant): boolean => through <= now + overlapMs;

export async function storedFacts<Kind extends FactKind>(
  factRepository: FactRepository,
  repository: Repository,
  syncState: SyncState<Kind>,
  since: Instant,
): Promise<FactSet<FactOf[Kind]>> {
  const { kind, capped, through, total, openCount, newestAt } = syncState;
  const known = await factRepository.facts(repository, kind, capped ? Math.min(syncState.floor, since) : since);
  return {
    items: capped ? known.filter((fact) => isSince(kind, fact, since)) : known,
    partial: capped,
    capped,
    oldestAt: capped ? findOldest(kind, known) : null,
    stale: false,
    asOf: through,
    total,
    openCount,
    newestAt,
    source: getSource(factRepository),
  };
}

/** The first answer equals the next, so that a copy of it stays valid. */
export const getSource = ({ isDatabase }: FactRepository) => (isDatabase ? 'mixed' : 'live');

export function findOldest<Kind extends FactKind>(kind: Kind, facts: readonly FactOf[Kind][]): Instant | null {
  const oldest = facts.reduce((at, fact) => Math.min(at, eventTime[kind](fact) ?? at), Number.POSITIVE_INFINITY);
  return Number.isFinite(oldest) ? oldest : null;
}
