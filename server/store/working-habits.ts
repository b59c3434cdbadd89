import type { Actor, Instant } from '../metrics/facts.ts';
import type { HabitCommit, HabitFacts, HabitPullRequest } from '../metrics/habit-figures.ts';
import type { Database } from './database.ts';
import { fromMs, toMs } from './wire-sql.ts';

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

/** Where a commit stands: the position is that in its pull request. */
export interface CommitPlace {
  repoId: number;
  number: number;
  position: number;
}

/** What working habits are told from: merged pull requests of a window and the sizes of their commits. */
export const workingHabits = (database: Database) => ({
  /** In one query, whose rows are columns of numbers: a hundred thousand rows would cost more than the reading. */
  async facts({ repoIds, from, to, login }: HabitQuery): Promise<HabitFacts> {
    const asked = [repoIds, from, to];
    const rows =
      login === null
        ? await database.query<ColumnRow>(ofEverybody, asked)
        : await database.query<ColumnRow>(ofOne, [...asked, login]);
    return factsOf(rows);
  },
  /** The SHA of each of these commits; null of one that is not kept any more, or, where a login is given, not theirs. */
  async shas(places: readonly CommitPlace[], login: string | null): Promise<(string | null)[]> {
    if (places.length === 0) return [];
    const rows = await database.query<{ sha: string | null }>(named, [
      places.map(({ repoId }) => repoId),
      places.map(({ number }) => number),
      places.map(({ position }) => position),
      login,
    ]);
    return rows.map(({ sha }) => sha);
  },
  async coverage(repoIds: readonly number[]): Promise<HabitCoverage> {
    const [row] = await database.query<HabitCoverage>(coverage, [repoIds]);
    return row ?? { reposSynced: 0, syncedThrough: null, lastRunAt: null };
  },
});

/** All pull requests, or all commits, of one author; each column is the text of an array. */
interface ColumnRow extends Omit<Actor, 'login'> {
  kind: 'pull requests' | 'commits';
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

function factsOf(rows: readonly ColumnRow[]): HabitFacts {
  const pulls: Pulls = new Map();
  for (const row of rows) if (row.kind === 'pull requests') keepPulls(row, pulls);
  const commits = rows.flatMap((row) => (row.kind === 'commits' ? [written(row, pulls)] : []));
  return { pullRequests: [...pulls.values()].flatMap((own) => [...own.values()]), commits };
}

/** By repository and number: keys of one number each are found faster than joined ones. */
type Pulls = Map<number, Map<number, HabitPullRequest>>;

function keepPulls(row: ColumnRow, pulls: Pulls): void {
  const author = accountOf(row);
  const [numbers, files, lines] = [whole(row.numbers), whole(row.files), whole(row.lines)];
  const [mergedAt, truncated, others] = [whole(row.mergedAt), whole(row.truncated), numbersIn(row.others)];
  for (const [index, repoId] of whole(row.repoIds).entries()) {
    const own = pulls.get(repoId) ?? new Map<number, HabitPullRequest>();
    pulls.set(repoId, own);
    const number = numbers[index] ?? 0;
    own.set(number, {
      ...{ repoId, number, author, mergedAt: mergedAt[index] ?? 0, files: files[index] ?? 0, lines: lines[index] ?? 0 },
      ...{ commits: others[index] ?? null, isTruncated: truncated[index] === 1 },
    });
  }
}

/** Those of pull requests that were merged in the window and read; counts them there. */
function written(row: ColumnRow, pulls: Pulls): HabitFacts['commits'][number] {
  const [repoIds, numbers, positions] = [whole(row.repoIds), whole(row.numbers), whole(row.positions)];
  const [files, lines] = [numbersIn(row.files), numbersIn(row.lines)];
  const commits: HabitCommit[] = [];
  for (const [index, number] of numbers.entries()) {
    const pullRequest = pulls.get(repoIds[index] ?? 0)?.get(number);
    if (!pullRequest || pullRequest.commits === null) continue;
    pullRequest.commits += 1;
    const size = { files: files[index] ?? null, lines: lines[index] ?? null };
    commits.push({ pullRequest, position: positions[index] ?? 0, ...size });
  }
  return { author: accountOf(row), authorName: row.name ?? '', commits };
}

const accountOf = ({ login, avatarUrl, isBot }: ColumnRow): Actor | null =>
  login === null ? null : { login, avatarUrl, isBot };

/** `{1,NULL,3}`, as the database writes an array. */
const numbersIn = (text: string): (number | null)[] => JSON.parse(`[${text.slice(1, -1).replaceAll('NULL', 'null')}]`);

/** The same of a column that is never null. */
const whole = (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`);

const merged = (row: string) => `
  ${row}.repo_id = any($1::int[]) and ${row}.merged_at >= ${fromMs('$2')} and ${row}.merged_at < ${fromMs('$3')}`;

/** The accounts of the login $4: it has one for each picture it had. */
const own = 'array(select id from accounts where lower(login) = lower($4) and not is_bot)';

const columns = (pulls: string, others: string, commits: string) => `
  select 'pull requests' as kind, a.login, a.avatar_url as "avatarUrl", a.is_bot as "isBot", null as name,
    g.repo_ids::text as "repoIds", g.numbers::text, g.files::text, g.lines::text, null as positions,
    g.merged_at::text as "mergedAt", g.truncated::text, g.others::text
  from (
    select p.author_id, array_agg(p.repo_id) as repo_ids, array_agg(p.number) as numbers,
      array_agg(p.changed_files) as files, array_agg(p.additions + p.deletions) as lines,
      array_agg(${toMs('p.merged_at')}::bigint) as merged_at, array_agg(p.commits_truncated::int) as truncated,
      array_agg(case when p.commits_synced_at is not null then ${others} end) as others
    from pr_facts p
    where coalesce(p.merged_at, p.closed_at) >= ${fromMs('$2')} and ${merged('p')} ${pulls}
    group by p.author_id
  ) g left join accounts a on a.id = g.author_id
  union all
  select 'commits', a.login, a.avatar_url, a.is_bot, g.name, g.repo_ids::text, g.numbers::text, g.files::text,
    g.lines::text, g.positions::text, null, null, null
  from (
    select c.author_id, case when c.author_id is null then c.author_name end as name,
      array_agg(c.repo_id) as repo_ids, array_agg(c.pr_number) as numbers, array_agg(c.changed_files) as files,
      array_agg(c.additions + c.deletions) as lines, array_agg(c.position) as positions
    from commit_facts c where ${merged('c')} and not c.is_merge ${commits}
    group by 1, 2
  ) g left join accounts a on a.id = g.author_id`;

const ofEverybody = columns('', '0', '');

/** Pull requests of others come along where they hold a commit of this account. */
const ofOne = columns(
  `and (p.author_id = any(${own}) or (p.repo_id, p.number) in (
    select c.repo_id, c.pr_number from commit_facts c
    where ${merged('c')} and not c.is_merge and c.author_id = any(${own})))`,
  `(select count(*)::int from commit_facts c where c.repo_id = p.repo_id and c.pr_number = p.number
    and not c.is_merge and (c.author_id = any(${own})) is not true)`,
  `and c.author_id = any(${own})`,
);

/** One look into the index for each: joined, the whole table would be read for a few. */
const named = `
  select (
    select c.sha from commit_facts c
    where c.repo_id = asked.repo_id and c.pr_number = asked.number and c.position = asked.position
      and ($4::text is null or c.author_id = any(${own}))
    limit 1
  ) as sha
  from unnest($1::int[], $2::int[], $3::int[]) with ordinality asked (repo_id, number, position, place)
  order by asked.place`;

const coverage = `
  select (count(*) filter (where c.synced_through is not null and c.resume is null))::int as "reposSynced",
    case when bool_and(c.synced_through is not null) then ${toMs('min(c.synced_through)')} end as "syncedThrough",
    ${toMs('max(c.last_finished_at)')} as "lastRunAt"
  from unnest($1::int[]) asked (id)
  left join sync_cursors c on c.repo_id = asked.id and c.kind = 'commits'`;
