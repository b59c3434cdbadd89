import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Listing } from '../../codehost/client/client.ts';
import type { FactSet } from '../../facts/facts.ts';
import type { Commit, OpenPullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { percent, roundTo } from '../../metrics/kernel/statistics.ts';
import { dayMs, isWithin, lastDaysWindow, type Window, windowBefore } from '../../metrics/kernel/window.ts';
import { hasMergeMoment, type Workday } from '../../metrics/people/workload.ts';
import { Problem, type ProblemCode } from '../../platform/problem.ts';
import { teamWorkday } from '../kernel/calendar.ts';
import { type Coverage, type CoverageReason, missingBecause, toCoverage } from '../kernel/coverage.ts';
import type { RepositoryFacts } from '../repositories/facts.ts';

export type WorkloadDays = 30 | 42 | 90;

/** A quarter is read whatever the window, so that all windows share one reading. */
const quarterDays = 92;
const maxAgeMs = 15 * 60_000;

/** At most so many commits are counted: five pages of a hundred for six weeks, twenty for the other windows. */
export const getCommitCap = (days: WorkloadDays): number => (days === 42 ? 500 : 2000);

export interface WorkloadReading {
  /** Ends when the facts were read, so that a silence is never one of the reading. */
  window: Window;
  /** Committed in the window, newest first. */
  commits: Commit[];
  /** The equally long window before; null where it is not known from its start on. */
  earlier: Pick<WorkloadReading, 'window' | 'commits'> | null;
  /** Commits of the window are missing, so that a silence may be one of the reading. */
  isTruncated: boolean;
  /** They are missing because they, or a part of them, could not be read. */
  hasGaps: boolean;
  coverage: Domain<typeof Coverage>;
  workday: Workday;
  stale: boolean;
  asOf: Instant;
  source: 'live' | 'mixed';
}

/** The default branch's commits of the window, and the hours that they are judged by. */
export async function workloadCommits(
  facts: RepositoryFacts,
  days: WorkloadDays,
  context: Context,
): Promise<WorkloadReading> {
  const [set, workday] = await Promise.all([
    facts.read('commits', { since: facts.now - quarterDays * dayMs, maxAgeMs }),
    teamWorkday(context),
  ]);
  const { items, partial, stale, asOf, source } = set;
  const window = lastDaysWindow(days, asOf);
  const found = items
    .filter(({ committedAt }) => isWithin(committedAt, window))
    .sort((a, b) => b.committedAt - a.committedAt || (a.sha < b.sha ? -1 : 1));
  const cap = getCommitCap(days);
  const commits = found.slice(0, cap);
  const reasons = findReasons({ ...set, isTruncatedHere: found.length > cap, window });
  const coverage = toCoverage({
    read: commits.length,
    expected: partial ? null : found.length,
    cap: reasons.includes('page_cap') ? cap : null,
    reasons,
  });
  const isTruncated = reasons.length > 0;
  const earlier = partial || isTruncated ? null : findEarlier(items, window, facts);
  const hasGaps = reasons.includes('sub_fetch_failed');
  return { window, commits, earlier, isTruncated, hasGaps, coverage, workday, stale, asOf, source };
}

function findEarlier(items: readonly Commit[], window: Window, { now, repository }: RepositoryFacts) {
  const before = windowBefore(window, Math.max(now - quarterDays * dayMs, repository.createdAt ?? 0));
  return before && { window: before, commits: items.filter(({ committedAt }) => isWithin(committedAt, before)) };
}

interface Truncation extends Pick<FactSet<Commit>, 'partial' | 'capped' | 'oldestAt'> {
  isTruncatedHere: boolean;
  window: Window;
}

/** What a reading that stopped early left out matters only where it stopped within the window. */
function findReasons({ partial, capped, oldestAt, isTruncatedHere, window }: Truncation): CoverageReason[] {
  if (partial && !capped) return ['sub_fetch_failed'];
  const reachesBack = oldestAt !== null && oldestAt <= window.from;
  return isTruncatedHere || (capped && !reachesBack) ? ['page_cap'] : [];
}

export interface OpenWork {
  /** Those that could be read. */
  items: OpenPullRequest[];
  /** Why not all that are open, and who opened each, are known; empty where they are. */
  reasons: CoverageReason[];
  /** See `Coverage`. */
  cap: number | null;
  /** See `Listing`. */
  partialReason?: string | undefined;
  stale: boolean;
  asOf: Instant | null;
}

/** Open pull requests; what keeps them from being read is reported, and takes nothing else away. */
export async function openWork({ codehost, repository }: RepositoryFacts): Promise<OpenWork> {
  try {
    const listing = await codehost.pullRequests.open(repository);
    const { items, partialReason, stale, asOf } = listing;
    const reasons = findLost(listing);
    return { items, reasons, cap: reasons.includes('page_cap') ? items.length : null, partialReason, stale, asOf };
  } catch (error) {
    const reason = error instanceof Problem ? whyUnread[error.code] : undefined;
    if (reason === undefined) throw error;
    return { items: [], reasons: [reason], cap: null, stale: false, asOf: null };
  }
}

/** A part that is missing of a pull request, such as its reviews, takes none away. */
function findLost({ items, partial, capped, totalCount }: Listing<OpenPullRequest>): CoverageReason[] {
  const isComplete = !partial || (totalCount !== null && items.length >= totalCount);
  if (!isComplete && capped) return ['page_cap'];
  return isComplete && items.every(({ isAuthorUnread }) => !isAuthorUnread) ? [] : ['sub_fetch_failed'];
}

const whyUnread: Partial<Record<ProblemCode, CoverageReason>> = {
  ...missingBecause,
  not_found: 'sub_fetch_failed',
};

/** Commits that carry the moment of a pull request's merge in place of the moment they were written, of all. */
export interface MergeMoments {
  commits: number;
  sample: number;
  /** 0–100. */
  pct: number | null;
}

/** Known only where the merges of the window are stored already: it is not worth reading them. */
export async function countMergeMoments(
  { commits, window }: Pick<WorkloadReading, 'commits' | 'window'>,
  { repository }: Pick<RepositoryFacts, 'repository'>,
  { services: { facts } }: Pick<Context, 'services'>,
): Promise<MergeMoments | null> {
  const syncStates = await facts.syncStates(repository);
  if (!syncStates.some(({ kind, floor, capped }) => kind === 'pull_requests' && floor <= window.from && !capped))
    return null;
  const merged = await facts.facts(repository, 'pull_requests', window.from);
  const moments = new Set(merged.map(({ mergedAt }) => mergedAt));
  const written = commits.filter(({ parents }) => parents <= 1);
  const ofMerges = written.filter((commit) => hasMergeMoment(commit, moments));
  const pct = percent(ofMerges.length, written.length);
  return { commits: ofMerges.length, sample: written.length, pct: pct === null ? null : roundTo(pct, 0) };
}
