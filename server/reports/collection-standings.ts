import type { Context } from '../access/context.ts';
import type { FactKind } from '../facts/shelf.ts';
import type { Instant } from '../metrics/facts.ts';
import { dayMs } from '../metrics/window.ts';
import type { Pass } from '../sync/cursor.ts';
import type { Resource } from './collection-schema.ts';

export type KnownReadings = Awaited<ReturnType<Context['store']['collection']['of']>>[number];

/** How one kind of a repository stands, as long as the platform gives the repository. */
export interface Standing {
  state: 'never' | 'partial' | 'complete';
  from: Instant | null;
  through: Instant | null;
  missing: string | null;
  missingCount?: number;
  expectedCount?: number;
  lastReadAt: Instant | null;
  lastError: string | null;
}

/** By what a reading is judged. */
export interface Judged {
  /** Runs created before then are no longer kept. */
  runsKeptSince: Instant;
  /** Commits are read of pull requests merged since then. */
  mergedSince: Instant;
  /** The calendar day of an instant, for words. */
  day(at: Instant): string;
}

/** How far back commits of merged pull requests are read. */
export const mergedReachMs = 90 * dayMs;

export const neverRead: Standing = {
  ...{ state: 'never', from: null, through: null, missing: 'Nothing of it has been read.' },
  ...{ lastReadAt: null, lastError: null },
};

export const standings: { readonly [Key in Resource]: (of: KnownReadings, by: Judged) => Standing } = {
  workflow_runs: runs,
  pull_requests: pullRequests,
  pull_request_commits: commitsOfPullRequests,
  branch_commits: (of, by) => facts(of, 'commits', by),
  issues: (of, by) => facts(of, 'issues', by),
  deployments: (of, by) => facts(of, 'deployments', by),
  releases: (of, by) => facts(of, 'releases', by),
  workflow_jobs: jobs,
};

type Last = Pick<Standing, 'lastReadAt' | 'lastError'>;

/** How the last reading ended. What a person read later, up to `through`, says that it works again. */
function lastOf(cursor: KnownReadings['cursors'][number] | undefined, through: Instant | null): Last {
  const { lastFinishedAt = null, lastError = null } = cursor ?? {};
  if (lastFinishedAt === null || (through ?? 0) > lastFinishedAt) return { lastReadAt: through, lastError: null };
  return { lastReadAt: lastFinishedAt, lastError };
}

function runs({ cursors, firstRunAt }: KnownReadings, { runsKeptSince, day }: Judged): Standing {
  const cursor = cursors.find(({ kind }) => kind === 'runs');
  const { syncedThrough = null, backfilledTo = null } = cursor ?? {};
  const pass = (cursor?.resume ?? null) as Pass | null;
  const last = lastOf(cursor, pass?.through ?? syncedThrough);
  if (syncedThrough === null && pass === null)
    return { ...(firstRunAt === null ? neverRead : byEvents(firstRunAt)), ...last };
  if (syncedThrough === null) return { ...firstReading(pass as Pass, day), ...last };
  const reached = pass?.kind === 'backfill' ? Math.min(pass.cut, backfilledTo ?? pass.cut) : backfilledTo;
  return {
    state: pass ? 'partial' : 'complete',
    from: reached === null ? null : Math.max(reached, runsKeptSince),
    through: syncedThrough,
    missing: pass ? leftOf(pass, syncedThrough, day) : null,
    ...last,
  };
}

/** Runs that the platform told of by itself: those before and between may be anything. */
const byEvents = (firstRunAt: Instant): Standing => ({
  ...{ state: 'partial', from: firstRunAt, through: null, lastReadAt: null, lastError: null },
  missing: 'Only runs that the platform told of by itself are kept; the rest has never been read.',
});

/** Newest first, so that what lies above the cut is whole. */
function firstReading(pass: Pass, day: Judged['day']): Pick<Standing, 'state' | 'from' | 'through' | 'missing'> {
  const hasBegun = pass.cut < pass.through;
  const [from, through] = hasBegun ? [pass.cut, pass.through] : [null, null];
  const which = hasBegun ? `older than ${day(pass.cut)}, back to ${day(pass.from)},` : `since ${day(pass.from)}`;
  return { state: 'partial', from, through, missing: `Runs ${which} have not been read yet.` };
}

/** What an interrupted pass has left to read, and the one it came before. */
function leftOf({ kind, from, cut, afterwards }: Pass, syncedThrough: Instant, day: Judged['day']): string {
  const left = {
    forward: `Not all runs created since ${day(syncedThrough)} have been read yet.`,
    deep: `Runs since ${day(from)} are being looked through for later attempts.`,
    backfill: `Runs older than ${day(cut)}, back to ${day(from)}, have not been read yet.`,
  }[kind];
  return afterwards ? `${left} ${leftOf(afterwards, syncedThrough, day)}` : left;
}

function facts({ ledgers }: KnownReadings, kind: FactKind, { day }: Judged): Standing {
  const ledger = ledgers.find((one) => one.kind === kind);
  if (!ledger) return neverRead;
  const { floor, through, capped, oldestAt } = ledger;
  const from = oldestAt ?? floor;
  return {
    ...{ state: capped ? 'partial' : 'complete', from, through, lastReadAt: through, lastError: null },
    missing: capped ? `A limit ended the first reading: what is older than ${day(from)} has not been read.` : null,
  };
}

function pullRequests(of: KnownReadings, by: Judged): Standing {
  const standing = facts(of, 'pull_requests', by);
  const cursor = of.cursors.find(({ kind }) => kind === 'prs');
  if (!cursor) return standing;
  const last = lastOf(cursor, standing.through);
  if (standing.state !== 'never' || cursor.resume === null) return { ...standing, ...last };
  const kept = `${of.merged.total} merged pull requests since ${by.day(by.mergedSince)} are kept so far`;
  return {
    ...{ state: 'partial', from: null, through: null, ...last },
    missing: `The first reading is under way: ${kept}.`,
  };
}

function commitsOfPullRequests(of: KnownReadings, by: Judged): Standing {
  const cursor = of.cursors.find(({ kind }) => kind === 'commits');
  const { total, unread, truncated, oldestReadAt, newestReadAt } = of.merged;
  const through = cursor?.syncedThrough ?? newestReadAt;
  const counts = { missingCount: unread, expectedCount: total };
  if (through === null) return { ...neverRead, ...lastOf(cursor, null), ...(total > 0 && counts) };
  const isListed = pullRequests(of, by).state === 'complete' && cursor !== undefined && cursor.syncedThrough !== null;
  const isWhole = unread === 0 && isListed;
  const merged = `merged since ${by.day(by.mergedSince)}`;
  const gaps = [
    unread > 0 ? `${unread} of ${total} pull requests ${merged} are without their commits.` : '',
    isListed ? '' : `The pull requests ${merged} have not all been read.`,
    truncated > 0 ? `Of ${truncated} only the first 500 commits are kept.` : '',
  ];
  return {
    state: isWhole && truncated === 0 ? 'complete' : 'partial',
    from: isWhole ? by.mergedSince : oldestReadAt,
    through,
    missing: gaps.filter(Boolean).join(' ') || null,
    ...{ ...counts, ...lastOf(cursor, through) },
  };
}

function jobs({ jobs: { attempts, lastReadAt } }: KnownReadings): Standing {
  if (attempts === 0)
    return { ...neverRead, missing: 'No jobs have been read: they are once somebody looks at a run.' };
  const kept = attempts === 1 ? '1 run attempt are' : `${attempts} run attempts are`;
  return {
    ...{ state: 'partial', from: null, through: null, lastReadAt, lastError: null },
    missing: `The jobs of ${kept} kept; those of others are read once somebody looks at them.`,
  };
}
