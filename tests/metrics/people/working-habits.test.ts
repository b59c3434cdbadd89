import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HabitPullRequest, habitFigures } from '../../../server/metrics/people/habit-figures.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { isOversized, oversizedCommitShare } from '../../../server/metrics/people/working-habits.ts';
import { anActor } from '../delivery-builders.ts';
import { factsOf, habitWorlds, idOf, naiveHabits, naiveIds, thresholds } from '../habit-worlds.ts';

const bots = ['own-ci'];
const everybody = { thresholds, only: null, namesOthers: true };
const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);

const aPullRequest = (differences: Partial<HabitPullRequest> = {}): HabitPullRequest => ({
  repoId: 1,
  number: 1,
  author: anActor('ana'),
  mergedAt: 0,
  files: 1,
  lines: 1,
  commits: 1,
  isTruncated: false,
  ...differences,
});
const sized = (pullRequest: HabitPullRequest, ...sizes: [files: number | null, lines: number | null][]) =>
  sizes.map(([files, lines], position) => ({ pullRequest, position, files, lines }));

describe('what is oversized', () => {
  const law = { filesPerCommit: 20, linesPerCommit: 400, commitsPerPr: 20 };

  test.each([
    [20, 400, false],
    [21, 0, true],
    [0, 401, true],
    [21, 401, true],
    [0, 0, false],
  ])('%i files and %i lines: %s', (files, lines, oversized) => {
    expect(isOversized({ files, lines }, law)).toBe(oversized);
  });

  test('a share leaves out merges, bots, and what a bot asked to merge, and says so', () => {
    const commit = {
      author: anActor('ana'),
      authorName: 'Ana',
      prAuthor: anActor('ben'),
      authoredAt: 0,
      isMerge: false,
      additions: 400,
      deletions: 1,
      changedFiles: 1,
    };
    const share = oversizedCommitShare(law, createPeople());
    const commits = [
      commit,
      { ...commit, additions: 399 },
      { ...commit, isMerge: true },
      { ...commit, author: anActor('dependabot[bot]') },
      { ...commit, prAuthor: anActor('renovate') },
      { ...commit, changedFiles: null },
    ];
    expect(share(commits)).toMatchObject({ value: 50, sample: 2 });
    expect(share.evidence(commits).excluded.map(({ reason }) => reason)).toEqual([
      'a merge commit',
      'by a bot',
      'in a pull request of a bot',
      'its size is not known',
    ]);
    expect(share([])).toMatchObject({ value: null, sample: 0 });
  });
});

describe('figures of people', () => {
  test('the largest come by how far they go beyond a threshold, five at most', () => {
    const own = aPullRequest({ number: 7, commits: 9, lines: 900, files: 30 });
    const cut = aPullRequest({ number: 8, commits: 500, isTruncated: true, lines: 5000, files: 40 });
    const unread = aPullRequest({ number: 9, commits: null, lines: 90_000 });
    const commits = sized(own, [5, 40], [10, 0], [0, 160], [null, 80], [0, 0], [1, null]);
    const facts = { pullRequests: [own, cut, unread], commits: [{ author: anActor('ana'), authorName: 'x', commits }] };
    const [row] = habitFigures(facts, { ...everybody, people: createPeople() }).rows;
    const reported = row?.largest.map(({ kind, pullRequest: { number }, files, lines, ...rest }) => {
      return [kind, number, files, lines, 'commits' in rest ? rest.commits : 'none'];
    });
    expect(reported).toEqual([
      ['pr', 8, 40, 5000, 500],
      ['commit', 7, 0, 160, 'none'],
      ['pr', 7, 30, 900, 9],
      ['commit', 7, 10, 0, 'none'],
      ['commit', 7, null, 80, 'none'],
    ]);
    expect(row).toMatchObject({ commits: 6, commitsMeasured: 4, oversizedPrs: 1, oversizedPrPct: 100 });
  });

  test('whoever sees themselves alone is shown no number of a pull request of somebody else', () => {
    const theirs = aPullRequest({ number: 77, author: anActor('ben') });
    const commits = [{ author: anActor('ana'), authorName: '', commits: sized(theirs, [9, 900]) }];
    const facts = { pullRequests: [theirs], commits };
    const scope = { thresholds, people: createPeople(), only: 'ana' };
    const [seen] = habitFigures(facts, { ...scope, namesOthers: false }).rows;
    expect(seen).toMatchObject({ login: 'ana', prsMerged: 0, commits: 1, oversizedCommits: 1, largest: [] });
    expect(habitFigures(facts, { ...scope, namesOthers: true }).rows[0]?.largest).toHaveLength(1);
  });

  test('commits of known size are counted by their lines, oversized ones last', () => {
    const pullRequest = aPullRequest();
    const sizes = sized(pullRequest, [1, 0], [1, 10], [1, 11], [1, 150], [1, 151], [null, 3], [1, null]);
    const commits = [{ author: anActor('ana'), authorName: '', commits: sizes }];
    const facts = { pullRequests: [pullRequest], commits };
    const law = { filesPerCommit: 20, linesPerCommit: 150, commitsPerPr: 20 };
    expect(habitFigures(facts, { ...everybody, thresholds: law, people: createPeople() }).commitSizes).toEqual([
      { from: 0, to: 10, commits: 2 },
      { from: 11, to: 50, commits: 1 },
      { from: 51, to: 100, commits: 0 },
      { from: 101, to: 150, commits: 1 },
      { from: 151, to: null, commits: 1 },
    ]);
  });

  test('pull requests of a deleted account are in the sums, and in no row', () => {
    const facts = { pullRequests: [aPullRequest({ author: null, commits: 4 })], commits: [] };
    const { rows, totals } = habitFigures(facts, { ...everybody, people: createPeople() });
    expect([rows, totals.prsMerged, totals.oversizedPrs]).toEqual([[], 1, 1]);
  });

  test('the highest share comes first, then the most commits, then the name; no share last', () => {
    const of = (login: string, ...sizes: [number | null, number | null][]) => {
      const pullRequest = aPullRequest({ author: anActor(login) });
      return { pullRequest, author: { author: anActor(login), authorName: '', commits: sized(pullRequest, ...sizes) } };
    };
    const all = [
      of('eve', [null, 1]),
      of('dan', [9, 9], [1, 1]),
      of('cy', [1, 1]),
      of('Bea', [1, 1]),
      of('al', [1, 1], [1, 1]),
    ];
    const facts = { pullRequests: all.map((one) => one.pullRequest), commits: all.map((one) => one.author) };
    const { rows } = habitFigures(facts, { ...everybody, people: createPeople() });
    expect(rows.map(({ login }) => login)).toEqual(['dan', 'al', 'Bea', 'cy', 'eve']);
  });
});

describe('in random worlds', () => {
  const check = (property: Parameters<typeof fc.assert>[0]) => fc.assert(property, { numRuns: 400, seed: 7 });

  test('every row says what an independent reading says, with links and without', () => {
    check(
      fc.property(habitWorlds, (world) => {
        for (const links of [world.links, []]) {
          const { rows, totals, commitSizes } = habitFigures(factsOf(world), {
            ...everybody,
            people: createPeople(links, bots),
          });
          expect(rows.map(idOf).sort()).toEqual(naiveIds(world, links));
          for (const { login, linkedLogins, unlinkedName, largest, ...figures } of rows) {
            const naive = naiveHabits(world, links, idOf({ login, unlinkedName }));
            expect(naive).toMatchObject(figures);
            expect(largest.length).toBeLessThanOrEqual(5);
          }
          expect(sum(commitSizes.map(({ commits }) => commits))).toBe(totals.commitsMeasured);
          expect(totals.commits).toBe(sum(rows.map(({ commits }) => commits)));
          expect(totals.oversizedCommits).toBe(sum(rows.map(({ oversizedCommits }) => oversizedCommits)));
        }
      }),
    );
  });

  test('one person’s figures are those of their row among all', () => {
    check(
      fc.property(habitWorlds, fc.constantFrom('ana', 'ben', 'cy'), (world, only) => {
        const people = createPeople(world.links, bots);
        const facts = factsOf(world);
        const among = habitFigures(facts, { ...everybody, people }).rows.filter((row) => idOf(row) === only);
        const { rows, known } = habitFigures(facts, { ...everybody, people, only });
        expect(rows).toEqual(among);
        const { prsMerged, prsSynced, prsTruncated, commits, commitsMeasured } = naiveHabits(world, world.links, only);
        expect(known).toEqual({ prsMerged, prsSynced, prsTruncated, commitsUnmeasured: commits - commitsMeasured });
      }),
    );
  });

  test('the order of the facts changes nothing', () => {
    check(
      fc.property(habitWorlds, (world) => {
        const scope = { ...everybody, people: createPeople(world.links, bots) };
        const facts = factsOf(world);
        const turned = { pullRequests: facts.pullRequests.toReversed(), commits: facts.commits.toReversed() };
        expect(habitFigures(turned, scope)).toEqual(habitFigures(facts, scope));
      }),
    );
  });
});
