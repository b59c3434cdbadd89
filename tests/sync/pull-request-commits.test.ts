import { describe, expect, test } from 'vitest';
import type { DoubleCommit } from '../codehost-double/delivery.ts';
import { aCommit, aFile, anActor } from '../codehost-double/delivery-builders.ts';
import type { Fault } from '../codehost-double/faults.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { aDatabase } from '../support/a-database.ts';
import { allowing, commitsSince, pullRequestStage } from './pull-request-stage.ts';
import { day, hour, minute } from './stage.ts';

const commits = (count: number, at: number, by = anActor('ann')) =>
  Array.from({ length: count }, (_, index) => aCommit(at + index * 1000, by, `part ${index} of ${count}`));

aDatabase((given) => {
  const stage = pullRequestStage(given);
  const { platform } = stage;

  const merged = (number: number, parts: DoubleCommit[], mergedAt = namedNow - number * hour) =>
    platform.double.putPullRequest(stage.name, { number, mergedAt, createdAt: mergedAt - day, commits: parts });
  const fill = (count: number) =>
    platform.double.addPullRequests(stage.name, count, { from: namedNow - 80 * day, to: namedNow - hour, first: 1 });
  const requestedNumbers = () =>
    platform.double.requests.map(({ graphql }) =>
      [...(graphql?.query ?? '').matchAll(/pullRequest\(number: (\d+)\)/g)].map(([, number]) => Number(number)),
    );

  describe('a synchronization of commits', () => {
    test('reads the pull requests, then ten of them in a request of one point, newest merge first', async () => {
      fill(25);
      expect(await stage.syncCommits()).toEqual({
        prsSynced: 25,
        commitsUpserted: 25,
        prsTruncated: 0,
        remaining: 0,
        complete: true,
        problem: null,
      });
      expect(requestedNumbers()).toEqual([
        [],
        [25, 24, 23, 22, 21, 20, 19, 18, 17, 16],
        [15, 14, 13, 12, 11, 10, 9, 8, 7, 6],
        [5, 4, 3, 2, 1],
      ]);
      expect(stage.spent()).toEqual({ requests: 4, points: 3 + 3 });
      expect(await stage.storedCommits()).toEqual(stage.wantedCommits());
      platform.advance(hour);
      expect(await stage.syncCommits()).toMatchObject({ prsSynced: 0, remaining: 0, complete: true });
      expect(stage.spent(), 'what is known is not asked for').toEqual({ requests: 0, points: 0 });
      platform.advance(6 * hour);
      platform.double.addPullRequests(stage.name, 1, { from: namedNow + hour, to: namedNow + hour, first: 400 });
      expect(await stage.syncCommits()).toMatchObject({ prsSynced: 1, commitsUpserted: 1, complete: true });
      expect(stage.spent()).toEqual({ requests: 2, points: 3 });
      expect(await stage.storedCommits()).toEqual(stage.wantedCommits());
    });

    test('keeps who wrote a commit: people, bots, names without an account; merges are distinguished', async () => {
      platform.double.addCommits(stage.name, 2, { from: namedNow - 30 * day, to: namedNow - 29 * day });
      const at = namedNow - 3 * day;
      const odd = [
        aCommit(at, anActor('bo'), 'of another'),
        aCommit(at + 1000, anActor('dependabot[bot]'), 'of a bot'),
        aCommit(at + 2000, null, 'of nobody', { authorName: 'Ann <ann@mail.example>', authoredAt: at - 90 * day }),
        aCommit(at + 3000, anActor('ann'), 'a merge', { parents: 2 }),
        aCommit(at + 4000, anActor('ann'), 'large', { files: [aFile('a', 900, 3), aFile('b', 1, 0)] }),
      ];
      merged(1, odd);
      platform.double.putPullRequest(stage.name, { number: 2, mergedAt: namedNow - day, author: null });
      platform.double.putPullRequest(stage.name, { number: 3, closedAt: namedNow - day });
      await stage.syncCommits();
      const stored = await stage.store.pullRequestCommits.merged(stage.repoId, namedNow - 90 * day);
      expect(
        stored.map(({ prNumber, author, authorName, isMerge }) => [prNumber, author, authorName, isMerge]),
      ).toEqual([
        [1, expect.objectContaining({ login: 'bo', isBot: false }), 'bo', false],
        [1, expect.objectContaining({ login: 'dependabot', isBot: true }), 'dependabot[bot]', false],
        [1, null, 'Ann', false],
        [1, expect.objectContaining({ login: 'ann' }), 'ann', true],
        [1, expect.objectContaining({ login: 'ann' }), 'ann', false],
        [2, null, 'Nobody Known', false],
      ]);
      expect(stored.at(-1)?.prAuthor).toBeNull();
      expect(stored[4]).toMatchObject({ additions: 901, deletions: 3, changedFiles: 2 });
      expect(stored[2]?.authoredAt).toBe(at - 90 * day);
    });

    test('follows the pages of a long one to 500 commits, and says where there were more', async () => {
      merged(1, commits(620, namedNow - 3 * day));
      merged(2, commits(500, namedNow - 4 * day));
      merged(3, commits(101, namedNow - 5 * day));
      expect(await stage.syncCommits()).toMatchObject({ prsSynced: 3, commitsUpserted: 1101, prsTruncated: 1 });
      // The pull requests, the first page of all three, four more of two and one of the third.
      expect(stage.spent().requests).toBe(1 + 1 + 4 + 4 + 1);
      expect(await stage.storedCommits()).toEqual(commitsSince(stage.repository, stage.since(), 500));
      const { coverage } = stage.store.pullRequestCommits;
      expect(await coverage(stage.repoId, stage.since())).toEqual({
        merged: 3,
        synced: 3,
        truncated: 1,
        unmeasured: 0,
        through: namedNow - hour,
      });
    });

    test('interrupted before any request goes on with the others first', async () => {
      fill(25);
      const came = [];
      for (const request of [0, 1, 2, 1, 1, 1, 0]) {
        const { prsSynced, remaining, complete } = await stage.syncCommits(allowing(request));
        came.push([prsSynced, remaining, complete]);
      }
      expect(came).toEqual([
        [0, 0, false],
        [0, 0, false],
        [0, 25, false],
        [10, 15, false],
        [10, 5, false],
        [5, 0, true],
        [0, 0, true],
      ]);
      expect(stage.spent().requests).toBe(1 + 3);
      expect(await stage.storedCommits()).toEqual(stage.wantedCommits());
    });

    test('of an empty repository asks for no commits', async () => {
      expect(await stage.syncCommits()).toMatchObject({ prsSynced: 0, remaining: 0, complete: true, problem: null });
      expect(stage.spent().requests).toBe(1);
    });

    test('a changed pull request keeps its commits, and one that is gone takes them along', async () => {
      fill(12);
      await stage.syncCommits();
      stage.spent();
      platform.advance(day);
      const at = stage.client.clock.now();
      platform.double.addReview(stage.name, 3, { reviewer: anActor('bo'), state: 'commented', submittedAt: at });
      expect(await stage.sync()).toMatchObject({ upserted: 1 });
      expect(await stage.syncCommits()).toMatchObject({ prsSynced: 0, remaining: 0, complete: true });
      expect(await stage.storedCommits()).toEqual(stage.wantedCommits());
    });
  });

  describe('trouble', () => {
    test('one that is not there (any more) stops no other, and its commits are reported as missing', async () => {
      fill(12);
      await stage.sync();
      const { pullRequests } = stage.repository;
      pullRequests.splice(4, 1);
      expect(await stage.syncCommits()).toMatchObject({ prsSynced: 12, prsTruncated: 1, remaining: 0, complete: true });
      expect(await stage.storedCommits()).toEqual(stage.wantedCommits());
    });

    test.each<[string, Fault, string]>([
      ['the hourly limit', { kind: 'primary_limit' }, 'upstream_rate_limited'],
      ['a rejected token', { kind: 'status', status: 401 }, 'unauthenticated'],
      ['a refusal', { kind: 'status', status: 403 }, 'upstream_forbidden'],
    ])('%s in the middle is reported, keeps what was read, and the next call goes on there', async (_, fault, code) => {
      fill(25);
      platform.double.fault({ path: '/graphql', after: 2 }, fault);
      const broken = await stage.syncCommits();
      expect(broken).toMatchObject({ prsSynced: 10, remaining: 15, complete: false, problem: { code } });
      if (code === 'upstream_rate_limited') platform.advance(2 * hour);
      const { codehost } = platform.as();
      expect(await stage.syncCommits({ codehost })).toMatchObject({ prsSynced: 15, complete: true, problem: null });
      expect(await stage.storedCommits()).toEqual(stage.wantedCommits());
    });

    test('in the reading of pull requests ends the call', async () => {
      fill(5);
      platform.double.fault({ path: '/graphql', times: 3 }, { kind: 'status', status: 502 });
      expect(await stage.syncCommits()).toMatchObject({
        prsSynced: 0,
        complete: false,
        problem: { code: 'upstream_unavailable' },
      });
    });

    test('a request that is too heavy is requested again with half of the commits', async () => {
      merged(1, commits(130, namedNow - 3 * day));
      fill(5);
      await stage.sync();
      platform.double.requests.length = 0;
      platform.double.fault({ path: '/graphql', times: 1 }, { kind: 'status', status: 504 });
      expect(await stage.syncCommits()).toMatchObject({ complete: true, prsSynced: 5 });
      expect(platform.double.requests.map(({ graphql }) => graphql?.variables.first)).toEqual([undefined, 50]);
      expect(await stage.storedCommits()).toEqual(stage.wantedCommits());
    });

    test('ones that the token may not read now are no pull requests without commits', async () => {
      fill(2);
      await stage.sync();
      for (const field of ['p1', 'p2'])
        platform.double.fault({ path: '/graphql', times: 1 }, { kind: 'nested_graphql', field, type: 'FORBIDDEN' });
      await stage.syncCommits();
      expect(await stage.syncCommits()).toMatchObject({ remaining: 0, complete: true, problem: null });
      expect(await stage.storedCommits()).toEqual(stage.wantedCommits());
    });

    test('one that is never reported waits behind the others, and is not called done', async () => {
      fill(12);
      await stage.sync();
      platform.advance(minute);
      platform.double.fault(
        { path: '/graphql', after: 0, times: 99 },
        { kind: 'nested_graphql', field: 'p7', type: 'INTERNAL' },
      );
      const done = await stage.syncCommits();
      expect(done).toMatchObject({
        prsSynced: 11,
        remaining: 1,
        complete: false,
        problem: { code: 'upstream_unavailable' },
      });
      const stored = await stage.storedCommits();
      expect(new Set(stored.map(({ prNumber }) => prNumber)).size).toBe(11);
    });
  });
});
