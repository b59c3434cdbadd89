import type { Actor, Instant } from '../metrics/kernel/facts.ts';
import type { HabitCommit, HabitFacts, HabitPullRequest } from '../metrics/people/habit-figures.ts';
import type { Database } from './database.ts';
import { commitStatements } from './statements.ts';

export interface HabitQuery {
  repoIds: readonly number[];
  /** Merged from then on. */
  from: Instant;
  /** Merged before then. */
  to: Instant;
  /** Reads what this account did alone, by its login in any case, and no row of anybody else; null reads everything. */
  login: string | null;
}

/** How far the commits of merged pull requests were read. */
export interface HabitCoverage {
  /** Repositories of which all were read at least once. */
  reposSynced: number;
  /** What was merged until then is known of all of them; null while nothing of one of them is. */
  syncedThrough: Instant | null;
  lastRunAt: Instant | null;
}

/** The place of a commit: the position is that in its pull request. */
export interface CommitPlace {
  repoId: number;
  number: number;
  position: number;
}

/** What working habits are computed from: merged pull requests of a window and the sizes of their commits. */
export const workingHabits = (database: Database) => ({
  /** In one query, whose rows are columns of numbers: a hundred thousand rows would cost more than the reading. */
  async facts({ repoIds, from, to, login }: HabitQuery): Promise<HabitFacts> {
    const parameters = { repo_ids: repoIds, from, to, login };
    return toFacts(await database.run<ColumnRow>(commitStatements.working_habits, parameters));
  },
  /**
   * The SHA of each of these commits; null of one that is not stored any more, or, where a login is given, not theirs.
   */
  async shas(places: readonly CommitPlace[], login: string | null): Promise<(string | null)[]> {
    if (places.length === 0) return [];
    const rows = await database.run<{ sha: string | null }>(commitStatements.commit_shas, {
      repo_ids: places.map(({ repoId }) => repoId),
      numbers: places.map(({ number }) => number),
      positions: places.map(({ position }) => position),
      login,
    });
    return rows.map(({ sha }) => sha);
  },
  async coverage(repoIds: readonly number[]): Promise<HabitCoverage> {
    const [row] = await database.run<HabitCoverage>(commitStatements.habit_coverage, { repo_ids: repoIds });
    return row ?? { reposSynced: 0, syncedThrough: null, lastRunAt: null };
  },
});

/** All pull requests, or all commits, of one author, or all repeated commits; each column is the text of an array. */
interface ColumnRow extends Omit<Actor, 'login'> {
  kind: 'pull requests' | 'commits' | 'repeats';
  /** null for a deleted account, and for a commit that belongs to none. */
  login: string | null;
  name: string | null;
  repoIds: string;
  /** Of the pull requests. */
  numbers: string;
  files: string;
  lines: string;
  /** Of commits, in their pull request. */
  positions: string;
  mergedAt: string;
  truncated: string;
  /** How many commits a pull request has beside those that come along; null where its commits were not read. */
  others: string;
}

function toFacts(rows: readonly ColumnRow[]): HabitFacts {
  const pulls: Pulls = new Map();
  for (const row of rows) if (row.kind === 'pull requests') collectPulls(row, pulls);
  const repeats = new Set(rows.flatMap((row) => (row.kind === 'repeats' ? listPlaces(row) : [])));
  const commits = rows.flatMap((row) => (row.kind === 'commits' ? [written(row, pulls, repeats)] : []));
  return { pullRequests: [...pulls.values()].flatMap((own) => [...own.values()]), commits };
}

/** By repository and number: keys of one number each are found faster than joined ones. */
type Pulls = Map<number, Map<number, HabitPullRequest>>;

function collectPulls(row: ColumnRow, pulls: Pulls): void {
  const author = toAccount(row);
  const [numbers, files, lines] = [parseIntegers(row.numbers), parseIntegers(row.files), parseIntegers(row.lines)];
  const [mergedAt, truncated, others] = [
    parseIntegers(row.mergedAt),
    parseIntegers(row.truncated),
    numbersIn(row.others),
  ];
  for (const [index, repoId] of parseIntegers(row.repoIds).entries()) {
    const own = pulls.get(repoId) ?? new Map<number, HabitPullRequest>();
    pulls.set(repoId, own);
    const number = numbers[index] ?? 0;
    own.set(number, {
      repoId,
      number,
      author,
      mergedAt: mergedAt[index] ?? 0,
      files: files[index] ?? 0,
      lines: lines[index] ?? 0,
      commits: others[index] ?? null,
      isTruncated: truncated[index] === 1,
    });
  }
}

function listPlaces(row: ColumnRow): string[] {
  const [repoIds, numbers] = [parseIntegers(row.repoIds), parseIntegers(row.numbers)];
  return parseIntegers(row.positions).map((position, index) => placeKey(repoIds[index], numbers[index], position));
}

const placeKey = (repoId: number | undefined, number: number | undefined, position: number | undefined) =>
  `${repoId} ${number} ${position}`;

/**
 * Those of pull requests that were merged in the window and read; counts them there. Repeated ones are commits of their
 * pull request, and nobody's work once more.
 */
function written(row: ColumnRow, pulls: Pulls, repeats: ReadonlySet<string>): HabitFacts['commits'][number] {
  const [repoIds, numbers, positions] = [
    parseIntegers(row.repoIds),
    parseIntegers(row.numbers),
    parseIntegers(row.positions),
  ];
  const [files, lines] = [numbersIn(row.files), numbersIn(row.lines)];
  const commits: HabitCommit[] = [];
  for (const [index, number] of numbers.entries()) {
    const pullRequest = pulls.get(repoIds[index] ?? 0)?.get(number);
    if (!pullRequest || pullRequest.commits === null) continue;
    pullRequest.commits += 1;
    if (repeats.size > 0 && repeats.has(placeKey(repoIds[index], number, positions[index]))) continue;
    const size = { files: files[index] ?? null, lines: lines[index] ?? null };
    commits.push({ pullRequest, position: positions[index] ?? 0, ...size });
  }
  return { author: toAccount(row), authorName: row.name ?? '', commits };
}

const toAccount = ({ login, avatarUrl, isBot }: ColumnRow): Actor | null =>
  login === null ? null : { login, avatarUrl, isBot };

/** `{1,NULL,3}`, as the database writes an array. */
const numbersIn = (text: string): (number | null)[] => JSON.parse(`[${text.slice(1, -1).replaceAll('NULL', 'null')}]`);

/** The same of a column that is never null. */
const parseIntegers = (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`);
