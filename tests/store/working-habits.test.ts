import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { habitFigures } from '../../server/metrics/people/habit-figures.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import type { Store } from '../../server/store/orm.ts';
import { anActor } from '../metrics/delivery-builders.ts';
import {
  factsOf,
  type HabitWorld,
  habitWorlds,
  type MadeCommit,
  type MadePullRequest,
  thresholds,
  window,
} from '../metrics/habit-worlds.ts';
import { eachDatabase } from '../support/database.ts';
import { keepMerged, shaOf } from './stored-habits.ts';
import { day, noon, repository } from './world.ts';

const scope = { thresholds, only: null, namesOthers: true };

const aCommit = (differences: Partial<MadeCommit> = {}): MadeCommit => ({
  author: anActor('ana'),
  authorName: 'Ana',
  additions: 1,
  deletions: 1,
  files: 1,
  isMerge: false,
  ...differences,
});
const aMerge = (differences: Partial<MadePullRequest> = {}): MadePullRequest => ({
  repo: 1,
  number: 1,
  author: anActor('ana'),
  mergedAt: noon - day,
  additions: 2,
  deletions: 1,
  files: 1,
  isRead: true,
  isTruncated: false,
  commits: [],
  ...differences,
});

eachDatabase((given) => {
  let store: Store;
  let repositories = 0;
  beforeAll(async () => {
    store = await given.open();
  });

  /** Each world has repositories of its own; which of the database's ids they got. */
  async function keep({ pullRequests }: HabitWorld): Promise<Map<number, number>> {
    repositories += 3;
    const ids = new Map<number, number>();
    for (const repo of [1, 2, 3]) {
      const own = pullRequests.filter((one) => one.repo === repo);
      ids.set(await keepMerged(store, repository(repositories + repo), own, noon), repo);
    }
    return ids;
  }

  const read = (ids: Map<number, number>, login: string | null) =>
    store.workingHabits.facts({ repoIds: [...ids.keys()], ...window, login });

  describe('working habits from the database', () => {
    test('in random worlds the figures are those of what was put', async () => {
      await fc.assert(
        fc.asyncProperty(habitWorlds, async (world) => {
          const ids = await keep(world);
          const people = createPeople(world.links);
          const { rows, ...rest } = habitFigures(await read(ids, null), { ...scope, people });
          const named = rows.map((row) => ({ ...row, largest: row.largest.map((one) => one.pullRequest.number) }));
          const expected = habitFigures(factsOf(world), { ...scope, people });
          expect({ rows: named, ...rest }).toEqual({
            ...expected,
            rows: expected.rows.map((row) => ({ ...row, largest: row.largest.map((one) => one.pullRequest.number) })),
          });
        }),
        { numRuns: 30, seed: 11 },
      );
    });

    test('read for one person, their figures are the same, and nothing that others wrote or opened comes along', async () => {
      await fc.assert(
        fc.asyncProperty(habitWorlds, fc.constantFrom('ana', 'BEN', 'cy'), async (world, login) => {
          const ids = await keep(world);
          const mine = await read(ids, login);
          const only = login.toLowerCase();
          const people = createPeople();
          expect(habitFigures(mine, { ...scope, people, only })).toEqual(
            habitFigures(await read(ids, null), { ...scope, people, only }),
          );
          expect(mine.commits.filter(({ author }) => author?.login.toLowerCase() !== only)).toEqual([]);
          const touched = new Set(mine.commits.flatMap(({ commits }) => commits.map((one) => one.pullRequest)));
          const strange = mine.pullRequests.filter(
            (one) => one.author?.login.toLowerCase() !== only && !touched.has(one),
          );
          expect(strange).toEqual([]);
        }),
        { numRuns: 30, seed: 12 },
      );
    });

    test('a commit is named by where it stands, and by nobody else’s', async () => {
      const of = (login: string) => aCommit({ author: anActor(login) });
      const merged = aMerge({ commits: [of('ana'), of('ben'), aCommit({ author: null })] });
      const repo = repository(900);
      const repoId = await keepMerged(store, repo, [merged], noon);
      const places = [2, 1, 0, 7].map((position) => ({ repoId, number: 1, position: position + 1 }));
      const all = (await read(new Map([[repoId, 1]]), null)).commits;
      const positions = all.flatMap((one) => one.commits.map(({ position }) => position)).sort();
      expect(positions).toEqual([1, 2, 3]);
      const shas = [shaOf(900, 1, 2), shaOf(900, 1, 1), shaOf(900, 1, 0), null];
      expect(await store.workingHabits.shas(places, null)).toEqual(shas);
      expect(await store.workingHabits.shas(places, 'BEN')).toEqual([null, shas[1], null, null]);
      expect(await store.workingHabits.shas([], null)).toEqual([]);
    });

    test('a commit that several pull requests hold counts once, where it was merged first', async () => {
      const shared = aCommit({ sha: '5'.repeat(40) });
      const old = aCommit({ sha: '6'.repeat(40) });
      const merged = [
        aMerge({ number: 1, mergedAt: noon - 3 * day, commits: [shared, aCommit()] }),
        aMerge({ number: 2, mergedAt: noon - 2 * day, author: anActor('ben'), commits: [aCommit(), shared] }),
        // Merged with the next at once: the lower number counts.
        aMerge({ number: 3, mergedAt: noon - 3 * day, commits: [shared] }),
        aMerge({ number: 4, mergedAt: window.from - 1, commits: [old] }),
        aMerge({ number: 5, commits: [old, aCommit({ isMerge: true })] }),
      ] as const;
      const repoId = await keepMerged(store, repository(904), merged, noon);
      for (const login of [null, 'ana']) {
        const { pullRequests, commits } = await read(new Map([[repoId, 1]]), login);
        const counted = commits.flatMap((one) => one.commits.map((each) => [each.pullRequest.number, each.position]));
        expect(counted.sort()).toEqual([
          [1, 1],
          [1, 2],
          [2, 1],
        ]);
        const sizes = pullRequests.map(({ number, commits: count }) => [number, count]).sort();
        expect(sizes).toEqual([
          [1, 2],
          [2, 2],
          [3, 1],
          [5, 1],
        ]);
      }
      const since = await store.pullRequestCommits.merged(repoId, window.from);
      expect(since.map(({ prNumber, isMerge }) => [prNumber, isMerge])).toEqual([
        [5, true],
        [2, false],
        [1, false],
        [1, false],
      ]);
    });

    test('a pull request that is to be read anew, or is gone, has no commits', async () => {
      const repo = repository(901);
      const repoId = await keepMerged(store, repo, [aMerge({ commits: [aCommit()] }), aMerge({ number: 2 })], noon);
      await keepMerged(store, repo, [aMerge({ number: 2, isRead: false })], noon);
      const { pullRequests, commits } = await read(new Map([[repoId, 1]]), null);
      expect(pullRequests.map(({ number }) => number)).toEqual([2]);
      expect(commits.flatMap((one) => one.commits)).toEqual([]);
    });

    test('how far commits were read is that of the repository furthest behind', async () => {
      const [one, two] = [
        await keepMerged(store, repository(902), [], noon),
        await keepMerged(store, repository(903), [], noon),
      ];
      const ended = { status: 'ok', error: null, startedAt: noon } as const;
      expect(await store.workingHabits.coverage([one, two])).toEqual({
        reposSynced: 0,
        syncedThrough: null,
        lastRunAt: null,
      });
      await store.pullRequestCommits.readThrough(one, noon - day);
      await store.syncQueue.ended(one, 'commits', { ...ended, finishedAt: noon });
      expect(await store.workingHabits.coverage([one, two])).toEqual({
        reposSynced: 1,
        syncedThrough: null,
        lastRunAt: noon,
      });
      await store.pullRequestCommits.readThrough(two, noon - 2 * day);
      await store.syncQueue.ended(two, 'commits', { ...ended, status: 'partial', finishedAt: noon + 5 });
      const both = { reposSynced: 2, syncedThrough: noon - 2 * day, lastRunAt: noon + 5 };
      expect(await store.workingHabits.coverage([one, two])).toEqual(both);
      expect((await store.workingHabits.coverage([])).reposSynced).toBe(0);
    });
  });
});
