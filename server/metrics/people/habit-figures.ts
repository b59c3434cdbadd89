import type { Actor, Instant } from '../kernel/facts.ts';
import { computePercent, median, percent, roundTo } from '../kernel/statistics.ts';
import { distributeSizes, type SizeBucket } from './commit-sizes.ts';
import { type Author, compareLogins, ghostLogin, type People, type Person } from './people.ts';
import { type CommitSize, type HabitThresholds, isMeasured, isOversized } from './working-habits.ts';

/** A pull request that was merged in the window. */
export interface HabitPullRequest {
  repoId: number;
  number: number;
  /** null for a deleted account. */
  author: Actor | null;
  mergedAt: Instant;
  files: number;
  /** Added and removed together. */
  lines: number;
  /** Its commits that are no merges, as far as they were read; null when they were not. */
  commits: number | null;
  /** It has commits beyond those that were read. */
  isTruncated: boolean;
}

/** A commit that is no merge, in the pull request that was merged first of those that hold it. */
export interface HabitCommit extends CommitSize {
  pullRequest: HabitPullRequest;
  /** Its place among the commits of that. */
  position: number;
}

export interface HabitFacts {
  pullRequests: readonly HabitPullRequest[];
  /** By who wrote them; the same author may come more than once. */
  commits: readonly (Author & { commits: readonly HabitCommit[] })[];
}

export interface HabitScope {
  thresholds: HabitThresholds;
  people: People;
  /** The key of the only requested person; null for everybody. */
  only: string | null;
  /** Whether a large commit may be named that lies in somebody else's pull request: its number is theirs. */
  namesOthers: boolean;
}

/** The commit or pull request that goes furthest beyond the thresholds, or comes nearest to them. */
export type LargeItem =
  | ({ kind: 'commit' } & HabitCommit)
  /** `commits` as far as they were read; see `isTruncated` of the pull request. */
  | { kind: 'pr'; pullRequest: HabitPullRequest; files: number; lines: number; commits: number | null };

interface SizeFigures {
  prsMerged: number;
  commits: number;
  /** Commits whose size is known. */
  commitsMeasured: number;
  oversizedCommits: number;
  /** 0–100, two decimals; null when of no commit the size is known. */
  oversizedCommitPct: number | null;
  /** Pull requests whose commits are all known. */
  prsMeasured: number;
  oversizedPrs: number;
  /** 0–100 of those, likewise. */
  oversizedPrPct: number | null;
}

export interface HabitRow extends SizeFigures, Pick<Person, 'login' | 'linkedLogins' | 'unlinkedName'> {
  medianFilesPerCommit: number | null;
  medianLinesPerCommit: number | null;
  medianCommitsPerPr: number | null;
  medianLinesPerPr: number | null;
  /** At most five. */
  largest: LargeItem[];
}

export interface Habits {
  rows: HabitRow[];
  /** Over everybody who was requested, deleted accounts included. */
  totals: SizeFigures;
  /** Their commits of known size, by changed lines. */
  commitSizes: SizeBucket[];
  /** How much of that is known. */
  known: { prsMerged: number; prsSynced: number; prsTruncated: number; commitsUnmeasured: number };
}

/**
 * Sizes of commits and pull requests by person: the most oversized commits first, in percent, then the most commits.
 * What bots wrote, and everything in pull requests that they opened, is excluded.
 */
export function habitFigures(facts: HabitFacts, scope: HabitScope): Habits {
  const { people, only } = scope;
  const work = Map.groupBy(groupWork(facts, people), ({ key }) => key);
  const selected = [...work].filter(([key]) => only === null || key === only);
  const persons = people.authorRoster(selected.flatMap(([, works]) => works.flatMap(({ by }) => by ?? [])));
  const joined = selected.map(([key, works]) => ({ person: persons.get(key ?? ''), work: join(works) }));
  const all = join(joined.map((one) => one.work));
  const totals = computeFigures(all, scope.thresholds);
  return {
    rows: joined.flatMap(({ person, work }) => (person ? [toRow(person, work, scope)] : [])).sort(byShare),
    totals,
    commitSizes: distributeSizes(all.commits.filter(isMeasured), scope.thresholds),
    known: {
      prsMerged: all.pullRequests.length,
      prsSynced: all.pullRequests.filter(({ commits }) => commits !== null).length,
      prsTruncated: all.pullRequests.filter(({ isTruncated }) => isTruncated).length,
      commitsUnmeasured: totals.commits - totals.commitsMeasured,
    },
  };
}

interface Work {
  pullRequests: HabitPullRequest[];
  commits: HabitCommit[];
}

/** What somebody did; without a key a deleted account, which is nobody one could name. */
interface WorkOf extends Work {
  key: string | null;
  by: Author | null;
}

/** The work of people, in pull requests of people. */
function groupWork({ pullRequests, commits }: HabitFacts, people: People): WorkOf[] {
  const byAuthor = Map.groupBy(pullRequests, ({ author }) => author);
  const bots = new Set([...byAuthor.keys()].filter((author) => people.isBot(author)));
  const opened = [...byAuthor].map(([author, own]): WorkOf => {
    const by = author && { author, authorName: '' };
    return { key: author && people.toKey(author), by, pullRequests: bots.has(author) ? [] : own, commits: [] };
  });
  const written = commits.map(({ author, authorName, commits: all }): WorkOf => {
    const by = { author, authorName: author === null ? authorName || ghostLogin : '' };
    const own = all.filter(({ pullRequest }) => !bots.has(pullRequest.author));
    return { key: people.toAuthorKey(by), by, pullRequests: [], commits: people.isBotAuthor(by) ? [] : own };
  });
  return [...opened, ...written].filter((one) => one.pullRequests.length > 0 || one.commits.length > 0);
}

const join = (works: readonly Work[]): Work => ({
  pullRequests: works.flatMap(({ pullRequests }) => pullRequests),
  commits: works.flatMap(({ commits }) => commits),
});

function computeFigures({ pullRequests, commits }: Work, thresholds: HabitThresholds): SizeFigures {
  const measured = commits.filter(isMeasured);
  const oversized = measured.filter((size) => isOversized(size, thresholds)).length;
  const counts = completeCounts(pullRequests);
  const isLong = (count: number) => count > thresholds.commitsPerPr;
  return {
    prsMerged: pullRequests.length,
    commits: commits.length,
    commitsMeasured: measured.length,
    oversizedCommits: oversized,
    oversizedCommitPct: rounded(percent(oversized, measured.length)),
    prsMeasured: counts.length,
    oversizedPrs: counts.filter(isLong).length,
    oversizedPrPct: rounded(computePercent(counts, isLong)),
  };
}

/** Commits of each pull request whose list of them is complete. */
const completeCounts = (pullRequests: readonly HabitPullRequest[]): number[] =>
  pullRequests.flatMap(({ commits, isTruncated }) => (commits === null || isTruncated ? [] : [commits]));

function toRow({ login, linkedLogins, unlinkedName }: Person, work: Work, scope: HabitScope): HabitRow {
  const { thresholds, namesOthers } = scope;
  const measured = work.commits.filter(isMeasured);
  return {
    login,
    linkedLogins,
    unlinkedName,
    ...computeFigures(work, thresholds),
    medianFilesPerCommit: rounded(median(measured.map(({ files }) => files))),
    medianLinesPerCommit: rounded(median(measured.map(({ lines }) => lines))),
    medianCommitsPerPr: rounded(median(completeCounts(work.pullRequests))),
    medianLinesPerPr: rounded(median(work.pullRequests.map(({ lines }) => lines))),
    largest: findLargest(namesOthers ? work : insideOwn(work), thresholds),
  };
}

function insideOwn({ pullRequests, commits }: Work): Work {
  const own = new Set(pullRequests);
  return { pullRequests, commits: commits.filter(({ pullRequest }) => own.has(pullRequest)) };
}

const maxItems = 5;

/** By how far they go beyond a threshold, so that commits and pull requests can be in one list. */
function findLargest({ pullRequests, commits }: Work, thresholds: HabitThresholds): LargeItem[] {
  const found: Placed[] = [];
  for (const of of pullRequests) note(found, { kind: 'pr', size: measurePullRequest(of, thresholds), of });
  for (const of of commits) note(found, { kind: 'commit', size: measureCommit(of, thresholds), of });
  return found.map((item) => (item.kind === 'commit' ? { kind: 'commit', ...item.of } : pullRequestItem(item.of)));
}

/** Keeps the largest in their order; sorting them all would take longer than everything else. */
function note(found: Placed[], item: Placed): void {
  const last = found.at(-1);
  if (item.size === 0 || (last && found.length === maxItems && bySize(item, last) > 0)) return;
  found.push(item);
  found.sort(bySize);
  found.length = Math.min(found.length, maxItems);
}

const measureCommit = ({ files, lines }: CommitSize, { filesPerCommit, linesPerCommit }: HabitThresholds): number =>
  Math.max((files ?? 0) / filesPerCommit, (lines ?? 0) / linesPerCommit);

const measurePullRequest = ({ commits }: HabitPullRequest, { commitsPerPr }: HabitThresholds): number =>
  (commits ?? 0) / commitsPerPr;

const pullRequestItem = (pullRequest: HabitPullRequest): LargeItem => {
  const { files, lines, commits } = pullRequest;
  return { kind: 'pr', pullRequest, files, lines, commits };
};

type Placed = { size: number } & ({ kind: 'commit'; of: HabitCommit } | { kind: 'pr'; of: HabitPullRequest });

const getPullRequest = (item: Placed): HabitPullRequest => (item.kind === 'commit' ? item.of.pullRequest : item.of);

const bySize = (a: Placed, b: Placed): number => {
  if (a.size !== b.size) return b.size - a.size;
  const [left, right] = [getPullRequest(a), getPullRequest(b)];
  const inOne = getPosition(a) - getPosition(b);
  return right.mergedAt - left.mergedAt || left.repoId - right.repoId || right.number - left.number || inOne;
};

/** A pull request comes before its commits. */
const getPosition = (item: Placed): number => (item.kind === 'commit' ? item.of.position : -1);

const byShare = (a: HabitRow, b: HabitRow): number =>
  (b.oversizedCommitPct ?? -1) - (a.oversizedCommitPct ?? -1) ||
  b.commits - a.commits ||
  compareLogins(a.login, b.login) ||
  Number(a.unlinkedName) - Number(b.unlinkedName);

const rounded = (value: number | null): number | null => (value === null ? null : roundTo(value, 2));
