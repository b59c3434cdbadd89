import type { Context } from '../../access/context.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import { longestStaleMs, transient } from '../../codehost/client/reader.ts';
import type { CommitDirectories } from '../../codehost/delivery/client.ts';
import type { Commit } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { hourMs, lastDaysWindow, type Window } from '../../metrics/kernel/window.ts';
import { commitCap } from '../../metrics/people/bus-factor.ts';
import type { People } from '../../metrics/people/people.ts';
import { holdsTooMany, isSplittable } from '../../metrics/runs/modules.ts';
import { Problem } from '../../platform/problem.ts';
import { knownUntil, type RepositoryFacts } from '../repositories/facts.ts';

export const knowledgeDays = 90;

/** The newest commits of the window with the directories each touched, as they are stored between requests. */
export interface PlacedCommits {
  window: Window;
  commits: Commit[];
  directories: [sha: string, directories: string[]][];
  /** The platform's own count of the window; null when unknown. */
  listed: number | null;
  /** The cap, or an answer that did not come, left commits of the window out. */
  isTruncated: boolean;
  /** See `Listing`. */
  partialReason?: string | undefined;
  /** Some commits may have touched more than is known. */
  undecided: boolean;
}

export interface PlacedReading extends PlacedCommits {
  stale: boolean;
  asOf: Instant;
  source: 'live' | 'mixed';
}

const freshMs = 6 * hourMs;

/**
 * Reads the commits, or takes what any other request read within six hours. Authors and files are stored, not people:
 * links and bots apply when the commits are counted. An older copy, of a day at most, is the fallback while the
 * platform does not answer.
 */
export async function placedCommits(
  facts: RepositoryFacts,
  { services: { answers, store } }: Pick<Context, 'services'>,
): Promise<PlacedReading> {
  const key = toCacheKey(facts.repository);
  const known = await answers.get<PlacedCommits>(key);
  // The first answer equals the next, so that a copy of it stays valid.
  const source = store ? ('mixed' as const) : ('live' as const);
  // What was made while the clock was ahead would be fresh for as long.
  const stored = known && known.madeAt <= facts.now && { ...known.value, stale: false, asOf: known.madeAt, source };
  if (stored && facts.now - stored.asOf < freshMs) return stored;
  try {
    const { stale, asOf, unanswered, ...read } = await readPlaced(facts);
    if (stale && stored && stored.asOf >= asOf) return { ...stored, stale };
    const isComplete = !unanswered && read.partialReason === undefined;
    if (!stale && isComplete) await answers.put(key, read, asOf, asOf + longestStaleMs);
    return { ...read, stale, asOf, source };
  } catch (error) {
    if (!stored || !(error instanceof Problem) || !transient.has(error.code)) throw error;
    return { ...stored, stale: true };
  }
}

/** Another default branch is another history. */
const toCacheKey = ({ id, defaultBranch }: Repository) => `commits with directories ${id} ${defaultBranch ?? ''}`;

async function readPlaced({ codehost, repository, people, now }: RepositoryFacts) {
  const window = lastDaysWindow(knowledgeDays, now);
  const below = (directory?: string) => codehost.commits.directories(repository, window.from, commitCap, directory);
  const read = await below();
  const { items: commits, stale, asOf, totalCount, partial, partialReason } = read;
  const deeper = await lookDeeper(read, people, below);
  const directories = [...deeper.directories];
  const placed: PlacedCommits = {
    window: { ...window, to: knownUntil(now, [read]) },
    commits,
    directories,
    listed: totalCount,
    isTruncated: partial,
    partialReason,
    undecided: read.undecided || deeper.undecided,
  };
  return { ...placed, unanswered: read.unanswered || deeper.unanswered, stale, asOf };
}

interface Deeper {
  directories: Map<string, string[]>;
  undecided: boolean;
  unanswered: boolean;
}

/** Each look costs a few requests, and a history that needs more than three is all in one place anyway. */
const maxLooks = 3;

/** Splits up the directories in which most of the work happened, as far as `groupByModule` goes into them. */
async function lookDeeper(
  read: CommitDirectories,
  people: People,
  below: (directory: string) => Promise<CommitDirectories>,
): Promise<Deeper> {
  const own = read.items.filter((commit) => commit.parents <= 1 && !people.isBotAuthor(commit));
  const directories = new Map(read.touched);
  const looked = new Set<string>();
  let unanswered = false;
  for (let look = 0; look < maxLooks; look++) {
    const directory = fullest(own, directories, looked);
    if (directory === null) break;
    looked.add(directory);
    const inner = await below(directory).catch(giveUp);
    if (inner === null) return { directories, undecided: true, unanswered: true };
    unanswered ||= inner.unanswered;
    for (const [sha, touched] of directories)
      directories.set(sha, replaced(touched, directory, inner.touched.get(sha)));
    // Where only one directory follows, a module is not split, so what lies deeper does not matter.
    const children = new Set([...inner.touched.values()].flat().filter((one) => one !== directory));
    if (children.size < 2) for (const child of children) looked.add(child);
  }
  return { directories, undecided: unanswered, unanswered };
}

/** The directory that most commits touched, of those that hold too many of them and can still be split. */
function fullest(
  own: readonly Commit[],
  directories: ReadonlyMap<string, readonly string[]>,
  looked: ReadonlySet<string>,
): string | null {
  const counts = new Map<string, number>();
  for (const { sha } of own)
    for (const directory of directories.get(sha) ?? []) counts.set(directory, (counts.get(directory) ?? 0) + 1);
  const [first] = [...counts]
    .filter(
      ([directory, count]) => holdsTooMany(count, own.length) && isSplittable(directory) && !looked.has(directory),
    )
    .sort(([a, count], [b, more]) => more - count || (a < b ? -1 : 1));
  return first?.[0] ?? null;
}

/** What is known to have changed below a directory takes its place; where nothing is, the directory stays. */
function replaced(touched: string[], directory: string, inner: readonly string[] = []): string[] {
  if (inner.length === 0 || !touched.includes(directory)) return touched;
  return [...new Set([...touched.filter((one) => one !== directory), ...inner])];
}

function giveUp(error: unknown): null {
  if (error instanceof Problem && transient.has(error.code)) return null;
  throw error;
}

/** Whether there is no history at all, requested only where no commit was found; null when unknown. */
export async function isEmptyRepository(
  { codehost, repository }: { codehost: Pick<Platform, 'repositories'>; repository: Repository },
  commits: readonly Commit[],
): Promise<boolean | null> {
  if (commits.length > 0) return false;
  const [state] = await codehost.repositories.states([repository]).catch(noneWhereUnreadable);
  return state ? state.defaultBranch === null : null;
}

function noneWhereUnreadable(error: unknown): [] {
  if (error instanceof Problem) return [];
  throw error;
}
