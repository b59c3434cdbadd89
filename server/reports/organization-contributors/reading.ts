import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import type { Context } from '../../access/context.ts';
import { hasSpareQuota } from '../../codehost/client/rate-limit.ts';
import { type FactSet, type FactSource, readFacts } from '../../facts/facts.ts';
import { getSyncState } from '../../facts/stored-facts.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs, lastDaysWindow, type Window, windowBefore } from '../../metrics/kernel/window.ts';
import { createBackgroundLimits, withLimits } from '../../platform/work-limits.ts';
import { type ContributorDays, quarterDays } from '../contributors/reading.ts';
import { toReason } from '../kernel/coverage.ts';
import type { ExclusionReason } from '../kernel/repository-coverage.ts';
import { listVisibleRepositories } from '../repositories/visibility.ts';

/** A repository, and its pull requests that ended in the window. */
export interface TrackedReading {
  repository: Repository;
  /** From when on all that it merged is in `set`, which a cap may have cut; null when it was left out. */
  since: Instant | null;
  /** null when it was left out. */
  set: FactSet<PullRequest> | null;
  reason: ExclusionReason | null;
}

export interface TeamReading {
  window: Window;
  /** The 30 days before; null of a quarter, of which the one before is not read. */
  before: Window | null;
  /** By name. */
  repositories: TrackedReading[];
  /** There may be repositories beyond those. */
  isListTruncated: boolean;
}

/** Repositories that one answer brings up to date at most. */
export const maxRead = 20;
/** How long an answer waits for them; what is being read then is stored for the next. */
const timeoutMs = 6000;
const atOnce = 4;

/**
 * The repositories of an owner that the caller's token can see, of the tracked ones with stored facts where these are
 * younger than a day. Throws `db_not_configured` without a database, because then none is tracked; in the demo all count.
 */
export async function readTracked(org: string, days: ContributorDays, context: Context): Promise<TeamReading> {
  const { services } = context;
  const store = context.isDemo ? null : context.store;
  const codehost = await context.codehost();
  const [visible, tracked] = await Promise.all([
    listVisibleRepositories(org, context),
    store ? store.repositories.tracked(org) : null,
  ]);
  const ids = tracked && new Set(tracked.map(({ codehostId }) => codehostId));
  const isTracked = ({ id }: Repository) => ids === null || ids.has(id);
  const repositories = visible.items.filter(isTracked);
  const untracked = visible.items.filter((one) => !isTracked(one)).map((one) => excluded(one, 'not_synced'));
  const window = lastDaysWindow(days, services.clock.now());
  const before = days === 30 ? windowBefore(window, Number.NEGATIVE_INFINITY) : null;
  const request: TeamRequest = {
    source: { codehost, factRepository: services.facts, clock: services.clock },
    window,
    before,
    context,
  };
  const known = await pMap(repositories, (one) => findStatus(one, request), { concurrency: atOnce });
  const due = known.filter(({ isFresh }) => !isFresh).toSorted(latestPushFirst);
  const read = await Promise.all([
    pMap(
      known.filter(({ isFresh }) => isFresh),
      (one) => readOne(one, request),
      { concurrency: atOnce },
    ),
    readDue(due.slice(0, maxRead), request),
  ]);
  const rest = due.slice(maxRead).map(({ repository }) => excluded(repository, 'not_yet_read'));
  const all = [...read.flat(), ...rest, ...untracked].sort((a, b) =>
    a.repository.repo.localeCompare(b.repository.repo, 'en'),
  );
  return { window, before, repositories: all, isListTruncated: visible.partial };
}

interface TeamRequest {
  source: FactSource;
  window: Window;
  before: Window | null;
  context: Context;
}

interface Known {
  repository: Repository;
  since: Instant;
  /** Reading it sends no request to the platform. */
  isFresh: boolean;
}

async function findStatus(repository: Repository, { source, window, before }: TeamRequest): Promise<Known> {
  const { factRepository, clock } = source;
  const state = await getSyncState({ factRepository, now: clock.now() }, repository, 'pull_requests');
  if (!state || state.floor > window.from)
    return { repository, since: window.to - quarterDays * dayMs, isFresh: false };
  // What is stored is read as far back as the comparison wants, which ends up to a day earlier; nothing more is requested.
  const isCompared = before !== null && state.floor <= before.from;
  const since = isCompared ? Math.max(state.floor, before.from - dayMs) : window.from;
  return { repository, since, isFresh: window.to - state.through < dayMs };
}

const latestPushFirst = ({ repository: a }: Known, { repository: b }: Known) => (b.pushedAt ?? 0) - (a.pushedAt ?? 0);

async function readOne({ repository, since }: Known, { source }: TeamRequest): Promise<TrackedReading> {
  const set = await readFacts(source, repository, 'pull_requests', { since, maxAgeMs: dayMs });
  return { repository, since, set, reason: set.partial ? (set.capped ? 'search_cap' : 'sub_fetch_failed') : null };
}

const excluded = (repository: Repository, reason: ExclusionReason): TrackedReading => ({
  repository,
  since: null,
  set: null,
  reason,
});

/** Brings repositories up to date until the quota is low, the process is about to end or time runs out. */
async function readDue(due: readonly Known[], request: TeamRequest): Promise<TrackedReading[]> {
  const ended: { by: ExclusionReason | null } = { by: null };
  const timeout = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: timeout.signal })
    .catch(() => undefined)
    .then(() => {
      ended.by ??= 'not_yet_read';
    });
  const read = async (known: Known) => {
    ended.by ??= await whyStop(request);
    return ended.by ? excluded(known.repository, ended.by) : readOne(known, request);
  };
  const tried = (known: Known) =>
    read(known).catch((error: unknown) => {
      const reason = toReason(error);
      if (reason === 'rate_limited') ended.by = reason;
      return excluded(known.repository, reason);
    });
  const inTime = (known: Known) =>
    Promise.race([
      withLimits(createBackgroundLimits(), () => tried(known)),
      late.then(() => excluded(known.repository, 'not_yet_read')),
    ]);
  return pMap(due, inTime, { concurrency: atOnce }).finally(() => timeout.abort());
}

async function whyStop({ source, context }: TeamRequest): Promise<ExclusionReason | null> {
  if (context.services.stopping.aborted) return 'not_yet_read';
  return (await hasSpareQuota(source.codehost)) ? null : 'rate_limited';
}
