import { describe, expect, test } from 'vitest';
import type { FactBatch } from '../../server/facts/fact-repository.ts';
import type { PullRequestCommit } from '../../server/metrics/kernel/delivery-facts.ts';
import { syncStateOf } from '../facts/made-facts.ts';
import { eachDatabase } from '../support/database.ts';
import { mergedPullRequest, putMerged } from './merged-pull-requests.ts';
import { day, hour, noon, repository } from './world.ts';

const ann = { login: 'ann', avatarUrl: 'https://codehost.test/ann.png', isBot: false };
const commit = (sha: string, differing: Partial<PullRequestCommit> = {}): PullRequestCommit => ({
  sha,
  author: ann,
  authorName: 'Ann',
  authoredAt: noon - day,
  parents: 1,
  additions: 3,
  deletions: 1,
  changedFiles: 1,
  ...differing,
});
const complete = { truncated: false, syncedAt: noon };

eachDatabase((given) => {
  let last = 0;
  async function stage(...numbers: number[]) {
    opened ??= given.openForAll();
    const store = await opened;
    const codehostId = ++last;
    const repoId = await store.repositories.track(repository(codehostId), 'ann', noon);
    const merge = (number: number) => ({ number, mergedAt: noon - number * hour });
    await putMerged(store, codehostId, ...numbers.map(merge));
    const shas = async (since = 0) => (await commits.merged(repoId, since)).map(({ sha }) => sha);
    const commits = store.pullRequestCommits;
    return { store, codehostId, repoId, commits, shas };
  }
  let opened: ReturnType<typeof given.openForAll> | undefined;

  describe('commits of merged pull requests', () => {
    test('are due from the newest merge on, until they were put', async () => {
      const { repoId, commits } = await stage(5, 1, 3, 2, 4);
      const due = async (since = 0, limit = 10) =>
        (await commits.due(repoId, since, limit)).map(({ number }) => number);
      expect(await due()).toEqual([1, 2, 3, 4, 5]);
      expect(await due(noon - 3 * hour, 2)).toEqual([1, 2]);
      expect(await due(noon - 3 * hour)).toEqual([1, 2, 3]);
      expect(await commits.put(repoId, 2, [commit('a')], complete)).toBe(1);
      expect(await due()).toEqual([1, 3, 4, 5]);
    });

    test('are read as they were put: newest merge first, and in their order', async () => {
      const { repoId, commits } = await stage(1, 2);
      const odd = commit('b', {
        author: null,
        authorName: 'nul\0',
        parents: 2,
        additions: null,
        deletions: null,
        changedFiles: null,
      });
      await commits.put(repoId, 2, [commit('z'), odd, commit('z', { additions: 9 })], complete);
      await commits.put(repoId, 1, [commit('c', { authoredAt: noon - 400 * day })], complete);
      const of = (prNumber: number) => ({ prNumber, mergedAt: noon - prNumber * hour, prAuthor: ann });
      const plain = { author: ann, authorName: 'Ann', isMerge: false, additions: 3, deletions: 1, changedFiles: 1 };
      const unknown = { additions: null, deletions: null, changedFiles: null };
      expect(await commits.merged(repoId, 0)).toEqual([
        { ...of(1), ...plain, sha: 'c', authoredAt: noon - 400 * day },
        { ...of(2), ...plain, sha: 'z', authoredAt: noon - day },
        {
          ...of(2),
          ...unknown,
          sha: 'b',
          author: null,
          authorName: 'nul\ufffd',
          authoredAt: noon - day,
          isMerge: true,
        },
      ]);
      expect(await commits.merged(repoId, noon - 1.5 * hour)).toHaveLength(1);
    });

    test('take the place of those before, and go with their pull request', async () => {
      const { store, codehostId, repoId, commits, shas } = await stage(1, 2);
      await commits.put(repoId, 1, [commit('a'), commit('b')], complete);
      await commits.put(repoId, 1, [commit('b'), commit('c')], complete);
      await commits.put(repoId, 2, [commit('a')], complete);
      expect(await shas()).toEqual(['b', 'c', 'a']);
      expect(await commits.put(repoId, 77, [commit('d')], complete)).toBeNull();
      const left = [mergedPullRequest({ number: 2, mergedAt: noon - 2 * hour })];
      const read = { syncState: syncStateOf('pull_requests', { floor: 0 }), items: left, replaces: true } as FactBatch;
      await store.facts.store(repository(codehostId), [read]);
      expect(await shas()).toEqual(['a']);
      await putMerged(store, codehostId, { number: 1, mergedAt: noon - hour });
      expect(await shas(), 'what came again has to be read again').toEqual(['a']);
      expect(await commits.due(repoId, 0, 9)).toEqual([{ number: 1, mergedAt: noon - hour }]);
    });

    test('are not put where a pull request is open or was closed', async () => {
      const { store, codehostId, repoId, commits } = await stage();
      const ended = { ...mergedPullRequest({ number: 1, mergedAt: noon }), state: 'closed' as const, mergedAt: null };
      const read = {
        syncState: syncStateOf('pull_requests', { floor: 0 }),
        items: [ended],
        replaces: true,
      } as FactBatch;
      await store.facts.store(repository(codehostId), [read]);
      expect(await commits.put(repoId, 1, [commit('a')], complete)).toBeNull();
      expect(await commits.due(repoId, 0, 9)).toEqual([]);
    });

    test('a change of a pull request, and reading all of them again, leave it read', async () => {
      const { store, codehostId, repoId, commits, shas } = await stage(1, 2);
      await commits.put(repoId, 1, [commit('a')], { truncated: true, syncedAt: noon });
      await putMerged(store, codehostId, { number: 1, mergedAt: noon - hour, updatedAt: noon, additions: 99 });
      const again = [1, 2].map((number) =>
        mergedPullRequest({ number, mergedAt: noon - number * hour, updatedAt: noon + 1 }),
      );
      const read = { syncState: syncStateOf('pull_requests', { floor: 0 }), items: again, replaces: true } as FactBatch;
      await store.facts.store(repository(codehostId), [read]);
      expect([await shas(), await commits.due(repoId, 0, 9)]).toEqual([
        ['a'],
        [{ number: 2, mergedAt: noon - 2 * hour }],
      ]);
      expect(await commits.coverage(repoId, 0)).toMatchObject({ merged: 2, synced: 1, truncated: 1 });
    });

    test('their coverage counts the window alone', async () => {
      const { repoId, commits } = await stage(1, 2, 30);
      await commits.put(repoId, 30, [commit('a', { changedFiles: null })], { truncated: true, syncedAt: noon });
      await commits.put(
        repoId,
        1,
        [commit('b', { additions: null }), commit('c', { parents: 2, additions: null })],
        complete,
      );
      await commits.readThrough(repoId, noon);
      expect(await commits.coverage(repoId, noon - day)).toEqual({
        merged: 2,
        synced: 1,
        truncated: 0,
        unmeasured: 1,
        through: noon,
      });
      expect(await commits.coverage(repoId, 0)).toMatchObject({ merged: 3, synced: 2, truncated: 1, unmeasured: 2 });
    });

    test('are put all or none', async () => {
      const { repoId, commits, shas } = await stage(1);
      await commits.put(repoId, 1, [commit('a')], complete);
      const broken = commit('b', { authoredAt: null as unknown as number });
      await expect(commits.put(repoId, 1, [commit('c'), broken], complete)).rejects.toThrow(/authored_at/);
      expect(await shas()).toEqual(['a']);
    });
  });
});
