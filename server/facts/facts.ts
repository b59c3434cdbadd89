import type { ChangeReads, Changes, Wanted } from '../codehost/changes/client.ts';
import type { Codehost, Listing } from '../codehost/client/client.ts';
import { longestStaleMs, transient } from '../codehost/client/reader.ts';
import type { KindTotals } from '../codehost/client/totals.ts';
import type { DeliveryReads } from '../codehost/delivery/client.ts';
import { getDeploymentResult } from '../metrics/delivery/deployments.ts';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import { dayMs, hourMs } from '../metrics/kernel/window.ts';
import type { Clock } from '../platform/clock.ts';
import { noteFreshUntil, noteRequested } from '../platform/freshness.ts';
import { Problem } from '../platform/problem.ts';
import { createSharedWork, type SharedWork } from '../platform/shared-work.ts';
import { isStoredOnly, NotStored } from '../platform/stored-only.ts';
import {
  eventTime,
  type FactBatch,
  type FactKind,
  type FactOf,
  type FactRepository,
  isComplete,
  isSince,
  type SyncState,
} from './fact-repository.ts';
import { fullReaders } from './full-readers.ts';
import { isContiguous, isDueToday } from './is-contiguous.ts';
import { withMergedBranches } from './merged-branches.ts';
import {
  findOldest,
  getSource,
  getSyncState,
  isBelievable,
  overlapMs,
  readStoredFacts,
  storedFacts,
} from './stored-facts.ts';

/** Where facts come from: the platform as the caller sees it, and what was stored of earlier readings. */
export interface FactSource {
  codehost: Codehost & DeliveryReads & ChangeReads;
  factRepository: FactRepository;
  clock: Clock;
}

/** Facts of one kind and what is known about them. */
export interface FactSet<Fact> extends Omit<KindTotals, 'head'> {
  items: Fact[];
  /** true when a cap or a missing answer left facts of the window out. */
  partial: boolean;
  /** See `Listing`; what is stored lacks nothing. */
  partialReason?: string | undefined;
  /** true when a cap, and nothing else, ended the first reading. */
  capped: boolean;
  /** Where a cap did: the oldest fact that is stored. What is read newest first is all known from there on. */
  oldestAt: Instant | null;
  /** true when the platform could not be reached for what is new. */
  stale: boolean;
  /** What the platform held then is in it. */
  asOf: Instant;
  /** `mixed` where a database keeps what the platform reported. */
  source: 'live' | 'mixed';
}

export interface FactRequest {
  since: Instant;
  /** How old the answer may be before changes are requested from the platform. */
  maxAgeMs: number;
}

/**
 * Facts of a repository from `since` on. The first time they are read completely; later one request reads what changed in
 * every kind that is stored. The caller must have proved that the repository may be seen.
 */
export async function readFacts<Kind extends FactKind>(
  source: FactSource,
  repository: Repository,
  kind: Kind,
  request: FactRequest,
): Promise<FactSet<FactOf[Kind]>> {
  if (isStoredOnly()) return readOlder(source, repository, kind, request);
  const { clock, factRepository } = source;
  const syncState = await getSyncState({ factRepository, now: clock.now() }, repository, kind);
  if (!syncState || syncState.floor > request.since) return readAll(source, repository, kind, request.since);
  if (clock.now() - syncState.through < request.maxAgeMs) {
    noteFreshUntil(syncState.through + request.maxAgeMs);
    return storedFacts(factRepository, repository, syncState, request.since);
  }
  try {
    await bringUpToDate(source, repository);
    const renewed = await getSyncState({ factRepository, now: clock.now() }, repository, kind);
    if (!renewed || renewed.through === syncState.through)
      return await readAll(source, repository, kind, request.since);
    return await storedFacts(factRepository, repository, renewed, request.since);
  } catch (error) {
    const isTooOld = clock.now() - syncState.through > longestStaleMs;
    if (isTooOld || !(error instanceof Problem) || !transient.has(error.code)) throw error;
    return { ...(await storedFacts(factRepository, repository, syncState, request.since)), stale: true };
  }
}

/** What stands in for facts that are not read now: those that would be shown if the platform could not be reached. */
async function readOlder<Kind extends FactKind>(
  { factRepository, clock }: FactSource,
  repository: Repository,
  kind: Kind,
  request: FactRequest,
): Promise<FactSet<FactOf[Kind]>> {
  const now = clock.now();
  const set = await readStoredFacts({ factRepository, now }, repository, kind, request);
  if (!set || now - set.asOf > longestStaleMs) throw new NotStored(`No ${kind} are stored.`);
  noteRequested();
  return set;
}

/** Reads everything from `since` on and stores it; a reading with gaps is answered but not stored as complete. */
async function readAll<Kind extends FactKind>(
  { codehost, factRepository }: FactSource,
  repository: Repository,
  kind: Kind,
  since: Instant,
): Promise<FactSet<FactOf[Kind]>> {
  // The platform counts by full seconds.
  const floor = Math.floor(since / 1000) * 1000;
  const { listing, capped, totals } = await fullReaders[kind](codehost, repository, floor);
  const { items, partial, partialReason, stale, asOf } = listing;
  const { total, openCount, newestAt } = totals;
  const known = {
    items: items.filter((fact) => isSince(kind, fact, since)),
    partial,
    partialReason,
    capped,
    oldestAt: capped || isCutShort(kind, listing) ? findOldest(kind, items) : null,
    stale,
    asOf,
    total,
    openCount,
    newestAt,
  };
  const hasGaps = (partial && !capped) || !items.every(isComplete[kind]);
  if (hasGaps || stale) return { ...known, source: 'live' };
  const syncState: SyncState<Kind> = { ...totals, kind, floor, through: asOf, capped };
  await factRepository.store(repository, [{ syncState, items, replaces: true } as FactBatch]);
  return { ...known, source: getSource(factRepository) };
}

/** Whether the rest of a list that comes newest first is missing, and nothing else. */
const isCutShort = (kind: FactKind, { partial, partialReason, items }: Listing<FactOf[FactKind]>): boolean =>
  kind === 'deployments' && partial && partialReason === undefined && items.length > 0;

interface Flights {
  shared: SharedWork;
  /** Whose token is used, by repository. */
  callers: Map<number, FactSource['codehost']>;
}

const running = new WeakMap<FactRepository, Flights>();

/**
 * Requests once what changed since the last reading in every kind that is stored, for all callers that want it at the
 * same time. A kind in which too much did to be read at once stays as it was.
 */
export async function bringUpToDate(source: FactSource, repository: Repository): Promise<void> {
  const { codehost, factRepository } = source;
  const { shared, callers } = running.get(factRepository) ?? { shared: createSharedWork(), callers: new Map() };
  running.set(factRepository, { shared, callers });
  const begin = () => {
    callers.set(repository.id, codehost);
    return readChanges(source, repository).finally(() => {
      // A caller who began after this was abandoned stays the one whose token is used.
      if (callers.get(repository.id) === codehost) callers.delete(repository.id);
    });
  };
  for (;;) {
    const caller = callers.get(repository.id) ?? codehost;
    try {
      return await shared.join(String(repository.id), begin);
    } catch (error) {
      // An outage meets everyone; what another person is denied this one may be given.
      const isForAll = !(error instanceof Problem) || error.code === 'upstream_unavailable';
      if (isForAll || caller === codehost) throw error;
    }
  }
}

async function readChanges({ codehost, factRepository, clock }: FactSource, repository: Repository): Promise<void> {
  const syncStates = (await factRepository.syncStates(repository)).filter((one) => isBelievable(one, clock.now()));
  const wanted: Wanted = {};
  for (const one of syncStates)
    if (!isDueToday(one, clock.now())) wanted[one.kind] = { since: one.through - overlapMs, head: one.head };
  if (wanted.deployments)
    wanted.deployments.since = await undecidedSince(factRepository, repository, wanted.deployments.since, clock.now());
  const found = await codehost.changes(repository, wanted);
  const changes = await withMergedBranches({ codehost, factRepository }, repository, syncStates, found);
  const pending = await Promise.all(
    syncStates.map((syncState) => toBatch(changes, syncState, factRepository, repository)),
  );
  await factRepository.store(
    repository,
    pending.filter((one) => one !== null),
  );
}

/**
 * The outcome of a deployment comes after it: from where on some of the last day still have none, and once an hour of
 * the last week. Where much is deployed some never get one, and reading back to them each time would cost much.
 */
async function undecidedSince(factRepository: FactRepository, repository: Repository, since: Instant, now: Instant) {
  const isFirstOfHour = Math.floor((since + overlapMs) / hourMs) < Math.floor(now / hourMs);
  const recent = await factRepository.facts(repository, 'deployments', since - (isFirstOfHour ? 7 : 1) * dayMs);
  const undecided = recent
    .filter((each) => getDeploymentResult(each).outcome === 'inconclusive')
    .map(({ createdAt }) => createdAt);
  return Math.min(since, ...undecided);
}

/** What the answer adds to a kind; nothing when it is not contiguous with what is stored, so that all is read again. */
async function toBatch<Kind extends FactKind>(
  changes: Changes,
  syncState: SyncState<Kind>,
  factRepository: FactRepository,
  repository: Repository,
): Promise<FactBatch | null> {
  const change = changes[syncState.kind];
  if (
    !change?.reached ||
    !change.items.every(isComplete[syncState.kind]) ||
    !(await isContiguous(factRepository, repository, syncState, change))
  )
    return null;
  const { total, openCount, head, asOf } = change;
  const items = await dropOlder(factRepository, repository, syncState, change.items);
  const newestAt = Math.max(syncState.newestAt ?? 0, change.newestAt ?? 0) || null;
  const moved: SyncState<Kind> = { ...syncState, through: asOf, total, openCount, newestAt, head };
  return { syncState: moved, items, replaces: false } as FactBatch;
}

/**
 * What a cap left out may be changed, as by a label. Stored alone, it would say that all is known since then. What began
 * again stays in, since it is stored already or matters nowhere.
 */
async function dropOlder<Kind extends FactKind>(
  factRepository: FactRepository,
  repository: Repository,
  { kind, floor, capped }: SyncState<Kind>,
  items: FactOf[Kind][],
): Promise<FactOf[Kind][]> {
  const oldestAt = capped ? findOldest(kind, await factRepository.facts(repository, kind, floor)) : null;
  return oldestAt === null ? items : items.filter((one) => (eventTime[kind](one) ?? oldestAt) >= oldestAt);
}
