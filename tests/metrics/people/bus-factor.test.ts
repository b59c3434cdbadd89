import { describe, expect, test } from 'vitest';
import { compositeHealth, throughputTrend } from '../../../server/metrics/delivery/health-score.ts';
import type { Commit } from '../../../server/metrics/kernel/delivery-facts.ts';
import { lastDaysWindow } from '../../../server/metrics/kernel/window.ts';
import { busFactor, computeBusFactor, overallBusFactor } from '../../../server/metrics/people/bus-factor.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { groupByModule, isForeignDirectory, isGeneratedFile } from '../../../server/metrics/runs/modules.ts';
import { aCommit, anActor } from '../delivery-builders.ts';
import { day, minute } from '../worlds.ts';

const now = Date.UTC(2026, 2, 6, 10);
const scope = { window: lastDaysWindow(90, now), people: createPeople([{ alias: 'ana-old', primary: 'ana' }]) };

/** So many commits per author, all in one directory unless said. */
function work(counts: Record<string, number>, directory = 'src', differences = {}) {
  const commits = Object.entries(counts).flatMap(([login, count]) =>
    Array.from({ length: count }, (_, n) =>
      aCommit({
        sha: `${directory}-${login}-${n}`,
        author: anActor(login),
        committedAt: now - n * minute,
        ...differences,
      }),
    ),
  );
  return { commits, directories: new Map(commits.map(({ sha }) => [sha, [directory]])) };
}

test.each([
  [[80, 20], 1, 'critical'],
  [[50, 30, 10, 10], 2, 'warning'],
  [[40, 30, 20, 10], 3, 'healthy'],
  [[4, 1], 1, 'critical'],
  [[3, 1], 2, 'low_sample'],
  [[4], 1, 'low_sample'],
  [[10, 10, 10, 10, 10], 4, 'healthy'],
])('of %j commits: %d, %s', (counts, factor, risk) => {
  expect(computeBusFactor(counts)).toBe(factor);
  const { commits, directories } = work(Object.fromEntries(counts.map((count, n) => [`author-${n}`, count])));
  const { modules, criticalModules } = busFactor(commits, directories, scope);
  expect(modules).toMatchObject([{ module: 'src', busFactor: factor, risk }]);
  expect(criticalModules).toBe(risk === 'critical' ? 1 : 0);
});

test('of nothing is 0', () => {
  expect(computeBusFactor([])).toBe(0);
  expect(busFactor([], new Map(), scope)).toMatchObject({
    overallBusFactor: 0,
    modules: [],
    coversFrom: null,
    isCapped: false,
  });
});

describe('modules', () => {
  test('are two directories deep', () => {
    const commits = ['', 'src', 'src/lib/x', '.github/workflows'].map((sha) => aCommit({ sha }));
    const directories = new Map(commits.map(({ sha }) => [sha, [sha]]));
    expect([...groupByModule(commits, directories, 100).keys()]).toEqual([
      '(root)',
      'src',
      'src/lib',
      '.github/workflows',
    ]);
  });

  test('that hold more than 40 % of all commits are split, down to five directories', () => {
    const paths = ['a/b/c/d/e/f', 'a/b/c/d/e/g', 'a/b/c/d/h', 'a/b/c/x', 'a/b/y', 'a/b'];
    const commits = paths.map((sha) => aCommit({ sha }));
    const directories = new Map(paths.map((path) => [path, [path]]));
    const split = (total: number) => [...groupByModule(commits, directories, total).keys()];
    expect(split(6)).toEqual(['a/b/c/d/e', 'a/b/c/d/h', 'a/b/c/x', 'a/b/y', 'a/b']);
    expect(split(15)).toEqual(['a/b']);
  });

  test('do not know generated and foreign files', () => {
    const generated = [
      'package-lock.json',
      'Cargo.lock',
      'bun.lockb',
      'go.sum',
      'Gemfile.lock',
      'app.min.js',
      'y.snap',
    ];
    expect(generated.filter((name) => !isGeneratedFile(name))).toEqual([]);
    expect(['lock.ts', 'lock', 'top.ts', 'admin.ts', 'min.js', 'snap.ts'].filter(isGeneratedFile)).toEqual([]);
    expect(['node_modules', 'vendor', 'dist', 'build', 'distance', 'src'].filter(isForeignDirectory)).toEqual([
      'node_modules',
      'vendor',
      'dist',
      'build',
    ]);
    const commits = ['vendor/z', 'a/node_modules', 'dist', 'distance'].map((sha) => aCommit({ sha }));
    const directories = new Map(commits.map(({ sha }) => [sha, [sha]]));
    expect([...groupByModule(commits, directories, 100).keys()]).toEqual(['distance']);
  });
});

describe('a reader is not misled when', () => {
  test('it could not be read who wrote a commit', () => {
    const { commits, directories } = work({ ana: 9 }, 'app');
    const other = work({ ben: 6 }, 'docs');
    const unread = { author: null, authorName: '', isAuthorUnread: true };
    const [first, ...rest] = other.commits;
    const mixed = [...commits, { ...(first as Commit), ...unread }, ...rest];
    const figures = busFactor(mixed, new Map([...directories, ...other.directories]), scope);
    expect(figures).toMatchObject({
      overallBusFactor: null,
      criticalModules: null,
      totalContributors: null,
      totalCommits: 15,
      authorUnread: 1,
      excluded: { bots: null, merges: 0 },
    });
    expect(figures.modules).toMatchObject([
      { module: 'app', busFactor: 1, risk: 'critical', totalCommits: 9 },
      { module: 'docs', busFactor: null, risk: 'unknown', totalCommits: null, contributors: [] },
    ]);
    expect(overallBusFactor(scope)(mixed)).toMatchObject({ value: null, sample: 14 });
  });

  test('it could not be read how many files a commit changed', () => {
    const { commits, directories } = work({ ana: 9 }, 'app');
    const [first, ...rest] = commits;
    const some = [{ ...(first as Commit), changedFiles: null, isChangedFilesUnread: true }, ...rest];
    const { modules, ...figures } = busFactor(some, directories, scope);
    expect(figures).toMatchObject({ overallBusFactor: 1, criticalModules: null, outsideModules: 0 });
    expect(modules).toMatchObject([{ busFactor: null, risk: 'unknown' }]);
  });

  test('the cap cuts the window short (28)', () => {
    const { commits, directories } = work({ ana: 290, ben: 20 });
    const { isCapped, coversFrom, inWindow, totalCommits } = busFactor(commits, directories, scope);
    expect([isCapped, inWindow, totalCommits]).toEqual([true, 310, 300]);
    expect(coversFrom).toBe(now - 279 * minute);
  });

  test('the cap counts before bots and merges are dropped (29)', () => {
    const { commits, directories } = work({ ana: 5, 'dependabot[bot]': 200 });
    const merges = work({ ben: 150 }, 'docs', { parents: 2 });
    const figures = busFactor([...commits, ...merges.commits], directories, scope);
    expect(figures.totalCommits + (figures.excluded.bots ?? 0) + figures.excluded.merges).toBe(300);
    expect(figures).toMatchObject({ isCapped: true, totalContributors: 1, totalCommits: 5 });
  });

  test('one person has two names (29)', () => {
    const { commits, directories } = work({ ana: 5, 'ana-old': 5 });
    expect(busFactor(commits, directories, scope)).toMatchObject({ overallBusFactor: 1, totalContributors: 1 });
  });

  test('a mass rename touches everything', () => {
    const { commits, directories } = work({ ana: 6 }, 'src', { changedFiles: 101 });
    const figures = busFactor(commits, directories, scope);
    expect(figures).toMatchObject({ totalCommits: 6, modules: [], outsideModules: 6 });
    expect(new Set(figures.outsideCommits.map(({ reason }) => reason))).toEqual(new Set(['many_files']));
  });

  test('nobody counted how many files a commit touched', () => {
    const known = work({ ana: 6 });
    const unknown = work({ ben: 3 }, 'docs', { changedFiles: null });
    const directories = new Map([...known.directories, ...unknown.directories]);
    expect(busFactor([...known.commits, ...unknown.commits], directories, scope)).toMatchObject({
      totalCommits: 9,
      totalContributors: 2,
      outsideModules: 3,
      outsideCommits: Array(3).fill({ reason: 'unknown_number_of_files' }),
      modules: [{ module: 'src' }],
    });
  });

  test('old commits are about old times', () => {
    const { commits, directories } = work({ ana: 6 }, 'src', { committedAt: now - 91 * day });
    expect(busFactor(commits, directories, scope).inWindow).toBe(0);
  });
});

test.each([
  ['high', 2, 69, 'watch'],
  ['elite', 1, 70, 'watch'],
  ['elite', 3, 100, 'healthy'],
  ['elite', 2, 84, 'healthy'],
  ['medium', 2, 54, 'watch'],
  ['low', 2, 39, 'at_risk'],
  ['high', 1, 55, 'watch'],
  [null, 2, null, 'insufficient_data'],
  ['high', 0, null, 'insufficient_data'],
  ['high', null, null, 'insufficient_data'],
] as const)('composite health of tier %s and bus factor %s is %s, %s', (tier, factor, score, band) => {
  expect(compositeHealth(tier, factor)).toMatchObject({ score, band });
});

test.each([
  [[20, 20, 20, 20, 20, 20, 23, 23, 23, 23, 23, 23], 'flat'],
  [[20, 20, 20, 20, 20, 20, 23, 23, 23, 23, 23, 24], 'up'],
  [[20, 20, 20, 20, 20, 20, 17, 17, 17, 17, 17, 17], 'flat'],
  [[20, 20, 20, 20, 20, 20, 17, 17, 17, 17, 17, 16], 'down'],
  [[9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 'flat'],
  [[0, 0, 0, 1], 'up'],
  [[1, 2, 3], 'unknown'],
  [[], 'unknown'],
])('the trend of %j is %s', (weeks, trend) => expect(throughputTrend(weeks)).toBe(trend));
