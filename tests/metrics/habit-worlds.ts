import fc from 'fast-check';
import type { Actor, Instant } from '../../server/metrics/kernel/facts.ts';
import type { HabitFacts, HabitPullRequest } from '../../server/metrics/people/habit-figures.ts';
import type { IdentityLink } from '../../server/metrics/people/people.ts';
import { anActor } from './delivery-builders.ts';
import { naiveCommitId, naiveFraction, naiveId, naiveIsBot, naiveIsBotCommit, naiveRound } from './naive-people.ts';

export interface MadeCommit {
  /** One of its own where it is not given; two pull requests may share one. */
  sha?: string;
  author: Actor | null;
  authorName: string;
  additions: number | null;
  deletions: number | null;
  files: number | null;
  isMerge: boolean;
}

export interface MadePullRequest {
  /** 1 to 3. */
  repo: number;
  number: number;
  author: Actor | null;
  mergedAt: Instant;
  additions: number;
  deletions: number;
  files: number;
  isRead: boolean;
  isTruncated: boolean;
  commits: MadeCommit[];
}

export interface HabitWorld {
  links: IdentityLink[];
  pullRequests: MadePullRequest[];
}

/** Merged from then on and before the other. */
export const window = { from: Date.UTC(2026, 1, 8, 12), to: Date.UTC(2026, 2, 10, 12) };
export const thresholds = { filesPerCommit: 5, linesPerCommit: 40, commitsPerPr: 3 };

const logins = ['ana', 'ANA', 'ana-old', 'ben', 'ben-2', 'cy', 'dependabot[bot]', 'renovate'];
const who = fc.oneof(
  { arbitrary: fc.constantFrom(...logins).map(anActor), weight: 9 },
  { arbitrary: fc.constant(null), weight: 1 },
);
/** One login with two pictures is two accounts in the database. */
const pictured = fc
  .tuple(who, fc.boolean())
  .map(([actor, isOther]) => actor && { ...actor, ...(isOther && { avatarUrl: 'other.png' }) });
const size = (max: number) => fc.option(fc.nat(max), { freq: 8, nil: null });

const commit: fc.Arbitrary<MadeCommit> = fc.record({
  author: pictured,
  authorName: fc.constantFrom('Ana Maria', 'Kim', 'kim', 'some[bot]', 'cy'),
  additions: size(50),
  deletions: size(10),
  files: size(8),
  isMerge: fc.nat(5).map((one) => one === 0),
});

const pullRequest: fc.Arbitrary<Omit<MadePullRequest, 'number'>> = fc.record({
  repo: fc.integer({ min: 1, max: 3 }),
  author: pictured,
  mergedAt: fc.oneof(
    fc.constantFrom(window.from - 1, window.from, window.to - 1, window.to),
    fc.integer({ min: window.from, max: window.to - 1 }),
  ),
  additions: fc.nat(300),
  deletions: fc.nat(40),
  files: fc.nat(30),
  isRead: fc.nat(5).map((one) => one > 0),
  isTruncated: fc.nat(6).map((one) => one === 0),
  commits: fc.array(commit, { maxLength: 7 }),
});

const links = fc.subarray([
  { alias: 'ana-old', primary: 'ana' },
  { alias: 'ana maria', primary: 'ana' },
  { alias: 'ben-2', primary: 'Ben' },
]);

export const habitWorlds: fc.Arbitrary<HabitWorld> = fc.record({
  links,
  pullRequests: fc
    .array(pullRequest, { maxLength: 12 })
    .map((made) =>
      made.map((one, index) => ({ ...one, number: index + 1, isTruncated: one.isRead && one.isTruncated })),
    ),
});

/** What the database would answer of such a world. */
export function factsOf({ pullRequests }: HabitWorld): HabitFacts {
  const merged = pullRequests.filter(isInWindow).map((made) => ({ made, fact: factOf(made) }));
  const commits = merged.flatMap(({ made, fact }) =>
    (made.isRead ? made.commits : []).flatMap(({ author, authorName, isMerge, ...one }, position) => {
      const sizes = { files: one.files, lines: linesOf(one) };
      return isMerge ? [] : [{ author, authorName, commits: [{ pullRequest: fact, position, ...sizes }] }];
    }),
  );
  return { pullRequests: merged.map(({ fact }) => fact), commits };
}

const isInWindow = ({ mergedAt }: MadePullRequest) => mergedAt >= window.from && mergedAt < window.to;

const linesOf = ({ additions, deletions }: Pick<MadeCommit, 'additions' | 'deletions'>) =>
  additions === null || deletions === null ? null : additions + deletions;

const factOf = ({ repo, commits, isRead, additions, deletions, ...made }: MadePullRequest): HabitPullRequest => ({
  repoId: repo,
  number: made.number,
  author: made.author,
  mergedAt: made.mergedAt,
  files: made.files,
  lines: additions + deletions,
  commits: isRead ? commits.filter(({ isMerge }) => !isMerge).length : null,
  isTruncated: made.isTruncated,
});

/** The figures of whoever has this id, read once more: one pull request and one commit after the other. */
export function naiveHabits(world: HabitWorld, links: IdentityLink[], id: string) {
  const counts: number[] = [];
  const sizes = { files: [] as number[], lines: [] as number[], prLines: [] as number[] };
  const tally = { prsMerged: 0, prsSynced: 0, prsTruncated: 0, commits: 0, oversizedCommits: 0, oversizedPrs: 0 };
  for (const made of world.pullRequests) {
    if (!isInWindow(made) || naiveIsBot(made.author)) continue;
    const own = made.commits.filter(({ isMerge }) => !isMerge);
    if (made.author !== null && naiveId(made.author, links) === id) {
      tally.prsMerged += 1;
      sizes.prLines.push(made.additions + made.deletions);
      if (made.isTruncated) tally.prsTruncated += 1;
      if (made.isRead) tally.prsSynced += 1;
      if (made.isRead && !made.isTruncated) counts.push(own.length);
      if (made.isRead && !made.isTruncated && own.length >= 4) tally.oversizedPrs += 1;
    }
    for (const one of made.isRead ? own : []) {
      if (naiveIsBotCommit(one) || naiveCommitId(one, links) !== id) continue;
      tally.commits += 1;
      const lines = linesOf(one);
      if (lines === null || one.files === null) continue;
      sizes.lines.push(lines);
      sizes.files.push(one.files);
      if (lines >= 41 || one.files >= 6) tally.oversizedCommits += 1;
    }
  }
  const middle = (values: number[]) => naiveFraction(values, 1, 2, 1, 2);
  return {
    ...tally,
    commitsMeasured: sizes.lines.length,
    prsMeasured: counts.length,
    oversizedCommitPct: naiveRound(100 * tally.oversizedCommits, sizes.lines.length, 2),
    oversizedPrPct: naiveRound(100 * tally.oversizedPrs, counts.length, 2),
    medianFilesPerCommit: middle(sizes.files),
    medianLinesPerCommit: middle(sizes.lines),
    medianCommitsPerPr: middle(counts),
    medianLinesPerPr: middle(sizes.prLines),
  };
}

/** The ids of everybody who has a row. */
export function naiveIds({ pullRequests }: HabitWorld, links: IdentityLink[]): string[] {
  const ids = pullRequests
    .filter((made) => isInWindow(made) && !naiveIsBot(made.author))
    .flatMap(({ author, commits, isRead }) => [
      ...(author ? [naiveId(author, links) ?? ''] : []),
      ...(isRead ? commits : [])
        .filter((one) => !one.isMerge && !naiveIsBotCommit(one))
        .map((one) => naiveCommitId(one, links)),
    ]);
  return [...new Set(ids)].sort();
}

export const idOf = ({ login, unlinkedName }: { login: string; unlinkedName: boolean }) =>
  `${login.toLowerCase()}${unlinkedName ? ' (name)' : ''}`;
