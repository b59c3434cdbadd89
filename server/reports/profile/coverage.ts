import type { Domain } from '../../api/wire.ts';
import type { Freshness, Listing } from '../../codehost/client/client.ts';
import { nameKey } from '../../codehost/client/names.ts';
import type { CommitWithRepository, Contributions, PullRequestWithRepository } from '../../codehost/delivery/client.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { type Coverage, type CoverageReason, toCoverage } from '../kernel/coverage.ts';

/** What was read of one account. */
export interface LoginRead {
  made: Contributions & Freshness;
  /** Those of the owner, of all that `made` names. */
  repositories: Contributions['repositories'];
  authored: Listing<PullRequestWithRepository>;
  reviewed: Listing<PullRequestWithRepository>;
  /** Or why there are none. */
  commits: Listing<CommitWithRepository> | CoverageReason;
  /** Repositories whose commits were not read. */
  excluded: number;
}

/** How complete the reads of all accounts of a person are; `read` and `expected` count pull requests and commits. */
export function profileCoverage(reads: readonly LoginRead[]): Domain<typeof Coverage> {
  const limits = reads.flatMap(findLimits);
  const lists = reads.flatMap(selectLists);
  const totals = lists.map(({ totalCount }) => totalCount);
  const isCounted =
    totals.every((total) => total !== null) &&
    reads.every(({ excluded, commits }) => excluded === 0 && typeof commits === 'object');
  return toCoverage({
    read: lists.reduce((sum, { items }) => sum + items.length, 0),
    expected: isCounted ? totals.reduce((sum, total) => sum + total, 0) : null,
    cap: limits.find(({ cap }) => cap !== null)?.cap ?? null,
    reasons: limits.map(({ reason }) => reason),
  });
}

/** Repositories of one account whose commits are read: those with most of them. */
export const maxRepositories = 10;

interface Limit {
  reason: CoverageReason;
  cap: number | null;
}

function findLimits({ made, authored, reviewed, commits, excluded }: LoginRead): Limit[] {
  const limits: Limit[] = [];
  for (const list of [authored, reviewed]) {
    if (!list.partial) continue;
    const tooMany = (list.totalCount ?? 0) > maxResults;
    limits.push(tooMany ? { reason: 'search_cap', cap: maxResults } : { reason: 'sub_fetch_failed', cap: null });
  }
  if (typeof commits === 'string') limits.push({ reason: commits, cap: null });
  else if (commits.partial)
    limits.push(
      cappedIn(commits).length > 0
        ? { reason: 'page_cap', cap: maxCommits }
        : { reason: 'sub_fetch_failed', cap: null },
    );
  if (excluded > 0) limits.push({ reason: 'page_cap', cap: maxRepositories });
  if ([...authored.items, ...reviewed.items].some(({ reviewsTruncated }) => reviewsTruncated))
    limits.push({ reason: 'page_cap', cap: maxReviews });
  if (made.partialReason !== undefined) limits.push({ reason: 'sub_fetch_failed', cap: null });
  if (made.restricted > 0) limits.push({ reason: 'forbidden', cap: null });
  return limits;
}

/**
 * Since when all commits are known: before it a capped list may lack some, and where a repository could not be read, or is
 * one too many, nothing is complete. null when none is lacking.
 */
export function commitsCompleteFrom(reads: readonly LoginRead[]): Instant | null {
  const starts = reads.flatMap(({ made, commits, excluded }) => {
    if (typeof commits !== 'object') return [made.asOf];
    if (excluded > 0) return [commits.asOf];
    if (!commits.partial) return [];
    const capped = commits.partialReason === undefined ? cappedIn(commits) : [];
    return capped.length === 0
      ? [commits.asOf]
      : capped.map((own) => Math.min(...own.map(({ committedAt }) => committedAt)));
  });
  return starts.length > 0 ? Math.max(...starts) : null;
}

/**
 * Whether all pull requests and reviews of an account are known. Reviews of its own pull requests are by others, so that
 * it does not matter whether all of them were read.
 */
export const areListsComplete = ({ made, authored, reviewed }: LoginRead): boolean =>
  !authored.partial &&
  !reviewed.partial &&
  made.restricted === 0 &&
  !reviewed.items.some(({ reviewsTruncated }) => reviewsTruncated);

/** The lists read of one account. */
export const selectLists = ({ authored, reviewed, commits }: LoginRead) =>
  typeof commits === 'object' ? [authored, reviewed, commits] : [authored, reviewed];

/** Results that searches reach, commits read of one repository, and reviews read of one pull request. */
const maxResults = 2000;
const maxCommits = 100;
const maxReviews = 50;

const cappedIn = ({ items }: Listing<CommitWithRepository>) =>
  [...Map.groupBy(items, ({ repository }) => nameKey(repository)).values()].filter((own) => own.length >= maxCommits);
