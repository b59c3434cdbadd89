import type { ChangeReads, Changes, Wanted } from '../codehost/changes-client.ts';
import type { Codehost } from '../codehost/client.ts';
import type { DeliveryReads } from '../codehost/delivery-client.ts';
import { longestStaleMs, passing } from '../codehost/reader.ts';
import type { Standing } from '../codehost/standing.ts';
import { resultOf } from '../metrics/deployments.ts';
import type { Instant, Repository } from '../metrics/facts.ts';
import { dayMs, hourMs } from '../metrics/window.ts';
import type { Clock } from '../platform/clock.ts';
import { Problem } from '../platform/problem.ts';
import { createSharedWork, type SharedWork } from '../platform/shared-work.ts';
import { coldReaders } from './cold-readers.ts';
import { joinsUp } from './joining.ts';
import {
  type Brought,
  type FactKind,
  type FactOf,
  type FactShelf,
  isSince,
  isWhole,
  type Ledger,
  mattersAt,
} from './shelf.ts';

/** Where facts come from: the platform as the caller sees it, and what was kept of earlier readings. */
export interface FactSource {
  codehost: Codehost & DeliveryReads & ChangeReads;
  shelf: FactShelf;
  clock: Clock;
}

/** Facts of one kind and what is known about them. */
export interface FactSet<Fact> extends Omit<Standing, 'head'> {
  items: Fact[];
  /** true when a cap or a missing answer left facts of the window out. */
  partial: boolean;
  /** See `Listing`; what is kept lacks nothing. */
  partialReason?: string | undefined;
  /** true when a cap, and nothing else, ended the first reading. */
  capped: boolean;
  /** Where a cap did: the oldest fact that is kept. What is read newest first is all known from there on. */
  oldestAt: Instant | null;
  /** true when the platform could not be asked for what is new. */
  stale: boolean;
  /** What the platform held then is in it. */
  asOf: Instant;
  /** `mixed` where a database keeps what the platform told. */
  source: 'live' | 'mixed';
}

export interface Asked {
  since: Instant;
  /** How old the answer may be before the platform is asked for what changed. */
  maxAgeMs: number;
}

/**
 * Facts of a repository from `since` on. The first time they are read whole; later one request brings what changed in
 * every kind that is kept. The caller must have proved that the repository may be seen.
 */
export async function factsOf<Kind extends FactKind>(
  source: FactSource,
  repository: Repository,
  kind: Kind,
  asked: Asked,
): Promise<FactSet<FactOf[Kind]>> {
  const ledger = await ledgerOf(source, repository, kind);
  if (!ledger || ledger.floor > asked.since) return readWhole(source, repository, kind, asked.since);
  const { clock, shelf } = source;
  if (clock.now() - ledger.through < asked.maxAgeMs) return kept(shelf, repository, ledger, asked.since);
  try {
    await bringUpToDate(source, repository);
  } catch (error) {
    const isTooOld = clock.now() - ledger.through > longestStaleMs;
    if (isTooOld || !(error instanceof Problem) || !passing.has(error.code)) throw error;
    return { ...(await kept(shelf, repository, ledger, asked.since)), stale: true };
  }
  const renewed = await ledgerOf(source, repository, kind);
  if (!renewed || renewed.through === ledger.through) return readWhole(source, repository, kind, asked.since);
  return kept(shelf, repository, renewed, asked.since);
}

async function ledgerOf<Kind extends FactKind>({ shelf }: FactSource, repository: Repository, kind: Kind) {
  const ledgers = await shelf.ledgers(repository);
  return ledgers.find((one): one is Ledger<Kind> => one.kind === kind) ?? null;
}

async function kept<Kind extends FactKind>(
  shelf: FactShelf,
  repository: Repository,
  ledger: Ledger<Kind>,
  since: Instant,
): Promise<FactSet<FactOf[Kind]>> {
  const { kind, capped, through, total, openCount, newestAt } = ledger;
  const known = await shelf.facts(repository, kind, capped ? Math.min(ledger.floor, since) : since);
  return {
    items: capped ? known.filter((fact) => isSince(kind, fact, since)) : known,
    ...{ partial: capped, capped, oldestAt: capped ? oldestOf(kind, known) : null },
    ...{ stale: false, asOf: through, total, openCount, newestAt, source: sourceOf(shelf) },
  };
}

function oldestOf<Kind extends FactKind>(kind: Kind, facts: readonly FactOf[Kind][]): Instant | null {
  const oldest = facts.reduce((at, fact) => Math.min(at, mattersAt[kind](fact) ?? at), Number.POSITIVE_INFINITY);
  return Number.isFinite(oldest) ? oldest : null;
}

/** Reads everything from `since` on and keeps it; a reading with gaps is answered but not kept as whole. */
async function readWhole<Kind extends FactKind>(
  { codehost, shelf }: FactSource,
  repository: Repository,
  kind: Kind,
  since: Instant,
): Promise<FactSet<FactOf[Kind]>> {
  // The platform counts by whole seconds.
  const floor = Math.floor(since / 1000) * 1000;
  const { listing, capped, standing } = await coldReaders[kind](codehost, repository, floor);
  const { items, partial, partialReason, stale, asOf } = listing;
  const { total, openCount, newestAt } = standing;
  const known = {
    items: items.filter((fact) => isSince(kind, fact, since)),
    ...{ partial, partialReason, capped, oldestAt: capped ? oldestOf(kind, items) : null },
    ...{ stale, asOf, total, openCount, newestAt },
  };
  const hasGaps = (partial && !capped) || !items.every(isWhole[kind]);
  if (hasGaps || stale) return { ...known, source: 'live' };
  const ledger: Ledger<Kind> = { ...standing, kind, floor, through: asOf, capped };
  await shelf.keep(repository, [{ ledger, items, replaces: true } as Brought]);
  return { ...known, source: sourceOf(shelf) };
}

/** The first answer says the same as the next, so that a copy of it stays good. */
const sourceOf = ({ isDatabase }: FactShelf) => (isDatabase ? 'mixed' : 'live');

interface Flights {
  shared: SharedWork;
  /** Whose token asks, by repository. */
  askers: Map<number, FactSource['codehost']>;
}

const running = new WeakMap<FactShelf, Flights>();

/**
 * Asks once for everything that changed since the last reading in every kind that is kept, for all who want it at the
 * same time. A kind in which too much did to be read at once stays as it was.
 */
export async function bringUpToDate(source: FactSource, repository: Repository): Promise<void> {
  const { codehost, shelf } = source;
  const { shared, askers } = running.get(shelf) ?? { shared: createSharedWork(), askers: new Map() };
  running.set(shelf, { shared, askers });
  const begin = () => {
    askers.set(repository.id, codehost);
    return readChanges(source, repository).finally(() => {
      // Who began after this was abandoned stays the one who asks.
      if (askers.get(repository.id) === codehost) askers.delete(repository.id);
    });
  };
  for (;;) {
    const asker = askers.get(repository.id) ?? codehost;
    try {
      return await shared.join(String(repository.id), begin);
    } catch (error) {
      // An outage meets everyone; what another person is refused this one may be told.
      const isForAll = !(error instanceof Problem) || error.code === 'upstream_unavailable';
      if (isForAll || asker === codehost) throw error;
    }
  }
}

async function readChanges({ codehost, shelf, clock }: FactSource, repository: Repository): Promise<void> {
  const ledgers = await shelf.ledgers(repository);
  const wanted: Wanted = {};
  for (const { kind, through, head } of ledgers) wanted[kind] = { since: through - overlapMs, head };
  if (wanted.deployments)
    wanted.deployments.since = await undecidedSince(shelf, repository, wanted.deployments.since, clock.now());
  const changes = await codehost.changes(repository, wanted);
  const brought = await Promise.all(ledgers.map((ledger) => broughtBy(changes, ledger, shelf, repository)));
  await shelf.keep(
    repository,
    brought.filter((one) => one !== null),
  );
}

/** Clocks and copies of the platform differ a little; what is read twice is the same. */
const overlapMs = 600_000;

/**
 * The outcome of a deployment comes after it: from where on some of the last day still have none, and once an hour of
 * the last week. Where much is deployed some never get one, and reading back to them each time would cost much.
 */
async function undecidedSince(shelf: FactShelf, repository: Repository, since: Instant, now: Instant) {
  const isFirstOfHour = Math.floor((since + overlapMs) / hourMs) < Math.floor(now / hourMs);
  const recent = await shelf.facts(repository, 'deployments', since - (isFirstOfHour ? 7 : 1) * dayMs);
  const undecided = recent
    .filter((each) => resultOf(each).outcome === 'inconclusive')
    .map(({ createdAt }) => createdAt);
  return Math.min(since, ...undecided);
}

/** What the answer adds to a kind; nothing when it does not join up with what is kept, so that all is read again. */
async function broughtBy<Kind extends FactKind>(
  changes: Changes,
  ledger: Ledger<Kind>,
  shelf: FactShelf,
  repository: Repository,
): Promise<Brought | null> {
  const change = changes[ledger.kind];
  if (
    !change?.reached ||
    !change.items.every(isWhole[ledger.kind]) ||
    !(await joinsUp(shelf, repository, ledger, change))
  )
    return null;
  const { items, total, openCount, head, asOf } = change;
  const newestAt = Math.max(ledger.newestAt ?? 0, change.newestAt ?? 0) || null;
  const moved: Ledger<Kind> = { ...ledger, through: asOf, total, openCount, newestAt, head };
  return { ledger: moved, items, replaces: false } as Brought;
}
