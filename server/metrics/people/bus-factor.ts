import type { Commit } from '../kernel/delivery-facts.ts';
import { type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { percent, roundTo } from '../kernel/statistics.ts';
import { isWithin, type Window } from '../kernel/window.ts';
import { groupByModule } from '../runs/modules.ts';
import { compareLogins, type People, unreadAuthor } from './people.ts';

/** The newest commits of a window are read; the cap counts before merges and bots are dropped. */
export const commitCap = 300;

export interface BusFactorScope {
  window: Window;
  people: People;
}

/** The minimum number of shares that together hold at least 80 % of the total; 0 of nothing. Integers only. */
export function computeBusFactor(counts: Iterable<number>): number {
  const falling = [...counts].sort((a, b) => b - a);
  const total = falling.reduce((sum, count) => sum + count, 0);
  let covered = 0;
  let size = 0;
  while (10 * covered < 8 * total) covered += falling[size++] ?? 0;
  return size;
}

/** Over all commits of people among the newest 300 of the window. */
export function overallBusFactor(scope: BusFactorScope): Metric<Commit> {
  return metric({
    key: 'bus_factor',
    label: 'Bus factor',
    unit: 'count',
    better: 'higher',
    source: 'commits of people on the default branch',
    definition:
      'The fewest people who together wrote at least 80 % of the newest 300 commits of the window. Merge commits and ' +
      'commits of bots among them are excluded.',
    levels: '1: critical. 2: warning. 3 or more: healthy.',
    valueWhenEmpty: 0,
    needsAll: true,
    countsAmong: (commits) => countsIn(commits, scope),
    value: (commits) => computeBusFactor(commitsByAuthor(commits, scope.people).values()),
  });
}

export type ModuleRisk = 'critical' | 'warning' | 'healthy' | 'low_sample' | 'unknown';

/** Numbers are null where it could not be read of a commit who wrote it, or how many files it changed. */
export interface ModuleFactor {
  module: string;
  busFactor: number | null;
  risk: ModuleRisk;
  totalCommits: number | null;
  uniqueContributors: number | null;
  /** The five with most commits; `pct` 0–100. */
  contributors: { login: string; commits: number; pct: number }[];
}

export interface BusFactor {
  /** null, like all that depends on who wrote a commit, where that could not be read of any. */
  overallBusFactor: number | null;
  /** At most 30, critical ones first, then by commits. */
  modules: ModuleFactor[];
  modulesTotal: number;
  /** null where the risk of any module is unknown. */
  criticalModules: number | null;
  totalContributors: number | null;
  /** Commits that count, those of unread authors among them. */
  totalCommits: number;
  /** Of those, commits of which it could not be read who wrote them. */
  authorUnread: number;
  /** Commits of the window, before the cap. */
  inWindow: number;
  excluded: { bots: number | null; merges: number };
  /** Counted for the repository alone though they touched modules. */
  outsideModules: number;
  /** These commits, newest first, with why. */
  outsideCommits: { sha: string; reason: OutsideReason }[];
  /** The oldest commit within the cap. */
  coversFrom: number | null;
  /** The cap truncated the window. */
  isCapped: boolean;
}

/**
 * Why a commit counts for no module. One of more than 100 files does by definition, and nothing of it is lost; of the
 * others it is not known how many files they changed, or in which directories of today these lie.
 */
export const outsideReasons = ['many_files', 'unknown_number_of_files', 'unknown_directories'] as const;
export type OutsideReason = (typeof outsideReasons)[number];

/** `directories` holds which directories a commit touched, by its sha; `''` is the top. */
export function busFactor(
  commits: readonly Commit[],
  directories: ReadonlyMap<string, readonly string[]>,
  scope: BusFactorScope,
): BusFactor {
  const inWindow = commits.filter(({ committedAt }) => isWithin(committedAt, scope.window)).length;
  const newest = newestIn(commits, scope.window);
  // Who wrote a commit of an unread author may be a bot: it counts until somebody knows better.
  const own = newest.filter((commit) => ![mergeCommit, botCommit].includes(countsAsWork(commit, scope.people)));
  const merges = newest.filter(({ parents }) => parents > 1).length;
  const isPlaced = (commit: Commit) => directories.has(commit.sha) && isSmall(commit) !== false;
  const touchesNone = ({ sha }: Commit) => directories.get(sha)?.length === 0;
  const placed = own.filter(isPlaced);
  const outside = own.filter((commit) => !isPlaced(commit) && !touchesNone(commit));
  const authorUnread = own.filter(({ isAuthorUnread }) => isAuthorUnread).length;
  const ifKnown = (value: number) => (authorUnread === 0 ? value : null);
  const roster = scope.people.authorRoster(own);
  const getLogin = (key: string) => roster.get(key)?.login ?? key;
  const modules = [...groupByModule(placed, directories, own.length)].map(([module, touching]) =>
    touching.every(isKnown)
      ? moduleFactor(module, commitsByAuthor(touching, scope.people), getLogin)
      : unknownModule(module, touching.length),
  );
  return {
    overallBusFactor: ifKnown(computeBusFactor(commitsByAuthor(own, scope.people).values())),
    modules: modules.sort(byRisk).slice(0, 30),
    modulesTotal: modules.length,
    criticalModules: modules.some(({ risk }) => risk === 'unknown')
      ? null
      : modules.filter(({ risk }) => risk === 'critical').length,
    totalContributors: ifKnown(roster.size),
    totalCommits: own.length,
    authorUnread,
    inWindow,
    excluded: { merges, bots: ifKnown(newest.length - merges - own.length) },
    outsideModules: outside.length,
    outsideCommits: outside.map((commit) => ({ sha: commit.sha, reason: findOutsideReason(commit) })),
    coversFrom: newest.at(-1)?.committedAt ?? null,
    isCapped: inWindow > newest.length,
  };
}

const manyFiles = 100;
const minCommits = 5;

/**
 * The platform leaves the number of files out where counting them takes too long, so unknown is not few. null where it
 * could not be read.
 */
const isSmall = ({ changedFiles, isChangedFilesUnread }: Commit) =>
  isChangedFilesUnread ? null : changedFiles !== null && changedFiles <= manyFiles;

/** Whether it can be said whose commit of a module it is, and that it is one. */
const isKnown = (commit: Commit) => !commit.isAuthorUnread && isSmall(commit) !== null;

function findOutsideReason({ changedFiles }: Commit): OutsideReason {
  if (changedFiles === null) return 'unknown_number_of_files';
  return changedFiles > manyFiles ? 'many_files' : 'unknown_directories';
}

function newestIn(commits: readonly Commit[], window: Window): Commit[] {
  return commits
    .filter(({ committedAt }) => isWithin(committedAt, window))
    .sort((a, b) => b.committedAt - a.committedAt || (a.sha < b.sha ? -1 : 1))
    .slice(0, commitCap);
}

function countsIn(commits: readonly Commit[], { window, people }: BusFactorScope): (commit: Commit) => Verdict {
  const newest = new Set(newestIn(commits, window));
  return (commit) => {
    if (!isWithin(commit.committedAt, window)) return 'outside the window';
    return newest.has(commit) ? countsAsWork(commit, people) : `older than the newest ${commitCap}`;
  };
}

const mergeCommit: Verdict = 'a merge commit';
const botCommit: Verdict = 'by a bot';

function countsAsWork(commit: Commit, people: People): Verdict {
  if (commit.parents > 1) return mergeCommit;
  if (commit.isAuthorUnread) return { unknown: unreadAuthor };
  return people.isBotAuthor(commit) ? botCommit : true;
}

function commitsByAuthor(commits: readonly Commit[], people: People): Map<string, number> {
  const counts = new Map<string, number>();
  for (const commit of commits) {
    const key = people.toAuthorKey(commit);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function moduleFactor(
  module: string,
  counts: ReadonlyMap<string, number>,
  getLogin: (key: string) => string,
): ModuleFactor {
  const totalCommits = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const factor = computeBusFactor(counts.values());
  const contributors = [...counts]
    .map(([key, commits]) => ({ login: getLogin(key), commits, pct: roundTo(percent(commits, totalCommits) ?? 0, 0) }))
    .sort((a, b) => b.commits - a.commits || compareLogins(a.login, b.login));
  return {
    module,
    busFactor: factor,
    risk: getRisk(factor, totalCommits),
    totalCommits,
    uniqueContributors: counts.size,
    contributors: contributors.slice(0, 5),
  };
}

const unknownModule = (module: string, commits: number): ModuleFactor => ({
  module,
  busFactor: null,
  risk: commits < minCommits ? 'low_sample' : 'unknown',
  totalCommits: null,
  uniqueContributors: null,
  contributors: [],
});

function getRisk(factor: number, commits: number): ModuleRisk {
  if (commits < minCommits) return 'low_sample';
  if (factor === 1) return 'critical';
  return factor === 2 ? 'warning' : 'healthy';
}

function byRisk(a: ModuleFactor, b: ModuleFactor): number {
  const critical = Number(b.risk === 'critical') - Number(a.risk === 'critical');
  return critical || (b.totalCommits ?? 0) - (a.totalCommits ?? 0) || (a.module < b.module ? -1 : 1);
}
