import type { Context } from '../../access/context.ts';
import type { FactKind } from '../../facts/fact-repository.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { Pass } from '../../sync/cursor.ts';
import type { Resource } from './schema.ts';

export type KnownReadings = Awaited<ReturnType<Context['store']['collection']['of']>>[number];

/** How far one kind of fact was read, as long as the platform gives the repository. */
export interface ResourceStatus {
  state: 'never' | 'partial' | 'complete';
  from: Instant | null;
  through: Instant | null;
  missing: string | null;
  missingCount?: number;
  expectedCount?: number;
  lastReadAt: Instant | null;
  lastError: string | null;
}

/** What a status depends on. */
export interface StatusScope {
  /** Runs created before then are no longer stored. */
  runsStoredSince: Instant;
  /** Commits are read of pull requests merged since then. */
  mergedSince: Instant;
  /** The calendar day of an instant as text, for sentences. */
  day(at: Instant): string;
  /** What the host of the platform is called, for sentences. */
  host: string;
}

/** How far back commits of merged pull requests are read. */
export const mergedReachMs = 90 * dayMs;

export const neverRead: ResourceStatus = {
  state: 'never',
  from: null,
  through: null,
  missing: 'Not synced.',
  lastReadAt: null,
  lastError: null,
};

export const statuses: { readonly [Key in Resource]: (known: KnownReadings, by: StatusScope) => ResourceStatus } = {
  workflow_runs: runs,
  pull_requests: pullRequests,
  pull_request_commits: describePullRequestCommits,
  branch_commits: (known, by) => facts(known, 'commits', by),
  issues: (known, by) => facts(known, 'issues', by),
  deployments: (known, by) => facts(known, 'deployments', by),
  releases: (known, by) => facts(known, 'releases', by),
  workflow_jobs: jobs,
};

type Last = Pick<ResourceStatus, 'lastReadAt' | 'lastError'>;

/** How the last reading ended. What was read later, up to `through`, shows that it works again. */
function findLast(cursor: KnownReadings['cursors'][number] | undefined, through: Instant | null): Last {
  const { lastFinishedAt = null, lastError = null } = cursor ?? {};
  if (lastFinishedAt === null || (through ?? 0) > lastFinishedAt) return { lastReadAt: through, lastError: null };
  return { lastReadAt: lastFinishedAt, lastError };
}

function runs({ cursors, firstRunAt }: KnownReadings, { runsStoredSince, day }: StatusScope): ResourceStatus {
  const cursor = cursors.find(({ kind }) => kind === 'runs');
  const { syncedThrough = null, backfilledTo = null } = cursor ?? {};
  const pass = (cursor?.resume ?? null) as Pass | null;
  const last = findLast(cursor, pass?.through ?? syncedThrough);
  if (syncedThrough === null && pass === null)
    return { ...(firstRunAt === null ? neverRead : byEvents(firstRunAt)), ...last };
  if (syncedThrough === null) return { ...firstReading(pass as Pass, day), ...last };
  const reached = pass?.kind === 'backfill' ? Math.min(pass.readDownTo, backfilledTo ?? pass.readDownTo) : backfilledTo;
  return {
    state: pass ? 'partial' : 'complete',
    from: reached === null ? null : Math.max(reached, runsStoredSince),
    through: syncedThrough,
    missing: pass ? describeRemaining(pass, syncedThrough, day) : null,
    ...last,
  };
}

/** Runs from webhooks: those before and between may be anything. */
const byEvents = (firstRunAt: Instant): ResourceStatus => ({
  state: 'partial',
  from: firstRunAt,
  through: null,
  lastReadAt: null,
  lastError: null,
  missing: 'Only runs received by webhook are stored.',
});

/** Newest first, so that what is newer is complete. */
function firstReading(
  pass: Pass,
  day: StatusScope['day'],
): Pick<ResourceStatus, 'state' | 'from' | 'through' | 'missing'> {
  const hasBegun = pass.readDownTo < pass.through;
  const [from, through] = hasBegun ? [pass.readDownTo, pass.through] : [null, null];
  const which = hasBegun ? `older than ${day(pass.readDownTo)}, back to ${day(pass.from)},` : `since ${day(pass.from)}`;
  return { state: 'partial', from, through, missing: `Runs ${which} have not been synced yet.` };
}

/** What an interrupted pass has left to read, and the one it came before. */
function describeRemaining(
  { kind, from, readDownTo, afterwards }: Pass,
  syncedThrough: Instant,
  day: StatusScope['day'],
): string {
  const left = {
    forward: `Not all runs created since ${day(syncedThrough)} have been synced yet.`,
    deep: `Runs since ${day(from)} are being checked for later attempts.`,
    backfill: `Runs older than ${day(readDownTo)}, back to ${day(from)}, have not been synced yet.`,
  }[kind];
  return afterwards ? `${left} ${describeRemaining(afterwards, syncedThrough, day)}` : left;
}

function facts({ states }: KnownReadings, kind: FactKind, { day }: StatusScope): ResourceStatus {
  const syncState = states.find((one) => one.kind === kind);
  if (!syncState) return neverRead;
  const { floor, through, capped, oldestAt } = syncState;
  const from = oldestAt ?? floor;
  return {
    state: capped ? 'partial' : 'complete',
    from,
    through,
    lastReadAt: through,
    lastError: null,
    missing: capped ? `The first sync reached a limit. Data older than ${day(from)} has not been synced.` : null,
  };
}

function pullRequests(known: KnownReadings, by: StatusScope): ResourceStatus {
  const status = facts(known, 'pull_requests', by);
  const cursor = known.cursors.find(({ kind }) => kind === 'prs');
  if (!cursor) return status;
  const last = findLast(cursor, status.through);
  if (status.state !== 'never' || cursor.resume === null) return { ...status, ...last };
  const stored = `${known.merged.total} merged pull requests since ${by.day(by.mergedSince)} are stored so far`;
  return {
    state: 'partial',
    from: null,
    through: null,
    ...last,
    missing: `The first sync is in progress: ${stored}.`,
  };
}

function describePullRequestCommits(known: KnownReadings, by: StatusScope): ResourceStatus {
  const cursor = known.cursors.find(({ kind }) => kind === 'commits');
  const { total, unread, truncated, oldestReadAt, newestReadAt } = known.merged;
  const through = cursor?.syncedThrough ?? newestReadAt;
  const counts = { missingCount: unread, expectedCount: total };
  if (through === null) return { ...neverRead, ...findLast(cursor, null), ...(total > 0 && counts) };
  const isListed =
    pullRequests(known, by).state === 'complete' && cursor !== undefined && cursor.syncedThrough !== null;
  const isComplete = unread === 0 && isListed;
  const merged = `merged since ${by.day(by.mergedSince)}`;
  const gaps = [
    unread > 0 ? `Commits of ${unread} of ${total} pull requests ${merged} have not been synced.` : '',
    isListed ? '' : `Not all pull requests ${merged} have been synced.`,
    truncated > 0 ? `Only the first 500 commits of ${truncated} are stored.` : '',
  ];
  return {
    state: isComplete && truncated === 0 ? 'complete' : 'partial',
    from: isComplete ? by.mergedSince : oldestReadAt,
    through,
    missing: gaps.filter(Boolean).join(' ') || null,
    ...counts,
    ...findLast(cursor, through),
  };
}

function jobs({ jobs: { attempts, lastReadAt } }: KnownReadings): ResourceStatus {
  if (attempts === 0) return { ...neverRead, missing: 'No jobs are stored yet.' };
  const stored = attempts === 1 ? '1 run attempt are' : `${attempts} run attempts are`;
  return {
    state: 'partial',
    from: null,
    through: null,
    lastReadAt,
    lastError: null,
    missing: `Jobs of ${stored} stored. Background sync adds those of the newest runs first.`,
  };
}
