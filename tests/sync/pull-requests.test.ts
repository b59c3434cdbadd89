import { describe, expect, test } from 'vitest';
import type { EndedPage } from '../../server/codehost/delivery/client.ts';
import { readFacts } from '../../server/facts/facts.ts';
import { anActor } from '../codehost-double/delivery-builders.ts';
import type { Fault } from '../codehost-double/faults.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { aDatabase } from '../support/a-database.ts';
import { allowing, pullRequestStage } from './pull-request-stage.ts';
import { day, hour, minute } from './stage.ts';

aDatabase((given) => {
  const stage = pullRequestStage(given);
  const { platform } = stage;

  /** Merged pull requests, the last of them an hour ago, and two that ended before the look-back. */
  const fill = (count: number, from = namedNow - 80 * day) => {
    platform.double.addPullRequests(stage.name, count, { from, to: namedNow - hour, first: 1 });
    const old = { from: namedNow - 200 * day, to: namedNow - 100 * day, first: 90_001 };
    platform.double.addPullRequests(stage.name, 2, old);
  };
  const touch = (number: number) => {
    const at = stage.client.clock.now();
    platform.double.addReview(stage.name, number, { reviewer: anActor('bo'), state: 'commented', submittedAt: at });
  };
  /** The client, with something happening before each page. */
  const before = (happening: (page: number) => unknown) => {
    const { codehost } = stage.client;
    let pages = 0;
    const endedPages: typeof codehost.pullRequests.endedPages = (name) => {
      const ask = codehost.pullRequests.endedPages(name);
      return async (after): Promise<EndedPage | null> => {
        await happening(++pages);
        return ask(after);
      };
    };
    return { codehost: { ...codehost, pullRequests: { ...codehost.pullRequests, endedPages } } };
  };
  const person = (days: number) => {
    const { codehost, clock } = stage.client;
    const request = { since: clock.now() - days * day, maxAgeMs: 0 };
    return readFacts(
      { codehost, clock, factRepository: stage.store.facts },
      stage.repository.facts,
      'pull_requests',
      request,
    );
  };

  describe('a synchronization of pull requests', () => {
    test('reads 50 in a request the first time, and what changed in one request of two points from then on', async () => {
      fill(120);
      expect(await stage.sync()).toEqual({ upserted: 120, reviews: 0, pages: 3, complete: true, problem: null });
      expect(stage.spent()).toEqual({ requests: 3, points: 9 });
      expect(await stage.stored()).toEqual(stage.wanted());
      platform.advance(day);
      touch(120);
      platform.double.addPullRequests(stage.name, 1, { from: namedNow + hour, to: namedNow + hour, first: 500 });
      expect(await stage.sync()).toEqual({ upserted: 2, reviews: 1, pages: 1, complete: true, problem: null });
      expect(stage.spent()).toEqual({ requests: 1, points: 2 });
      expect(await stage.stored()).toEqual(stage.wanted());
      expect(await stage.sync()).toMatchObject({ upserted: 0, complete: true });
    });

    test('makes the pages of people warm: they ask for changes alone', async () => {
      fill(60);
      await stage.sync();
      stage.spent();
      const { items, partial, capped } = await person(90);
      expect([items.length, partial, capped]).toEqual([60, false, false]);
      expect(stage.spent()).toEqual({ requests: 1, points: 2 });
    });

    test('of an empty repository is one request, and is complete', async () => {
      expect(await stage.sync()).toEqual({ upserted: 0, reviews: 0, pages: 1, complete: true, problem: null });
      expect(await stage.store.cursors.pullRequests.get(stage.repoId)).toEqual({
        syncedThrough: namedNow - hour,
        resume: null,
      });
    });

    test('reads 20 pages in a call, and the rest in the next', async () => {
      fill(1020);
      expect(await stage.sync()).toMatchObject({ upserted: 1000, pages: 20, complete: false, problem: null });
      expect(await stage.store.cursors.pullRequests.get(stage.repoId)).toMatchObject({ syncedThrough: null });
      platform.advance(day);
      touch(1000);
      expect(await stage.sync(), 'and what changed since').toMatchObject({ upserted: 21, pages: 2, complete: true });
      expect(await stage.stored()).toEqual(stage.wanted());
    });

    test('interrupted before any of its requests goes on there, and keeps what it read', async () => {
      fill(120);
      const came = [];
      for (const request of [0, 1, 2, 2, 2]) {
        const { pages, upserted, complete } = await stage.sync(allowing(request));
        came.push([pages, upserted, complete]);
      }
      expect(came).toEqual([
        [0, 0, false],
        [0, 0, false],
        [1, 50, false],
        [1, 50, false],
        [1, 20, true],
      ]);
      expect(stage.spent().requests).toBe(3);
      expect(await stage.stored()).toEqual(stage.wanted());
      platform.advance(minute);
      expect(await stage.sync(allowing(0))).toMatchObject({ pages: 0, complete: false, problem: null });
    });

    test('finds what changed while it read with the next one', async () => {
      fill(120);
      const changing = before((page) => {
        platform.advance(minute);
        if (page !== 2) return;
        // Not read yet, and now before what was read; read already, and open again.
        touch(10);
        const pull = stage.repository.pullRequests.find(({ number }) => number === 115);
        const again = { state: 'open', closedAt: null, mergedAt: null, updatedAt: stage.client.clock.now() } as const;
        Object.assign(pull ?? {}, again);
      });
      expect(await stage.sync(changing)).toMatchObject({ upserted: 119, complete: true });
      expect(await stage.stored()).not.toEqual(stage.wanted());
      expect(await stage.sync()).toMatchObject({ pages: 1, complete: true });
      expect(await stage.stored()).toEqual(stage.wanted());
    });

    test('begins again where the platform does not know its place any more', async () => {
      fill(120);
      await stage.sync(allowing(3));
      const { pullRequests } = stage.store.cursors;
      const cursor = await pullRequests.get(stage.repoId);
      if (!cursor?.resume) throw new Error('nothing to resume');
      await pullRequests.put(stage.repoId, { ...cursor, resume: { ...cursor.resume, after: 'bm93aGVyZQ' } });
      expect(await stage.sync()).toMatchObject({ pages: 4, upserted: 20, complete: true, problem: null });
      expect(await stage.stored()).toEqual(stage.wanted());
    });

    test('begins again after the clock was ahead', async () => {
      fill(60);
      platform.advance(400 * day);
      await stage.sync();
      platform.advance(-400 * day);
      expect(await stage.stored()).toEqual([]);
      expect(await stage.sync()).toMatchObject({ upserted: 60, complete: true });
      expect(await stage.stored()).toEqual(stage.wanted());
      expect((await person(90)).asOf).toBeLessThanOrEqual(namedNow);
    });

    test('reads page by page what is too much for one request, but only what changed', async () => {
      fill(20);
      await stage.sync();
      platform.advance(2 * day);
      const busy = { from: namedNow + hour, to: namedNow + day, first: 1001 };
      platform.double.addPullRequests(stage.name, 520, busy);
      const { upserted, complete } = await stage.sync();
      expect([upserted, complete]).toEqual([520, true]);
      expect(await stage.stored()).toEqual(stage.wanted());
    });
  });

  describe('somebody who looks at pull requests meanwhile', () => {
    test.each([
      ['for the first time', false],
      ['as before', true],
    ])('%s removes nothing of a reading under way, and hides no change from it', async (_, isKnown) => {
      fill(120);
      if (isKnown) await person(30);
      const looking = before(async (page) => {
        platform.advance(minute);
        if (page !== 3) return;
        touch(5);
        touch(119);
        platform.advance(hour);
        await person(30);
        platform.advance(minute);
      });
      await stage.sync(looking);
      expect(await stage.sync()).toMatchObject({ complete: true, problem: null });
      expect(await stage.stored()).toEqual(stage.wanted());
      expect((await person(90)).items).toHaveLength(120);
    });

    test('whole to the end spares the rest', async () => {
      fill(120);
      await stage.sync(allowing(2));
      await person(90);
      platform.advance(minute);
      expect(await stage.sync()).toMatchObject({ pages: 1, complete: true });
      expect(await stage.stored()).toEqual(stage.wanted());
    });
  });

  describe('trouble', () => {
    test.each<[string, Fault, string]>([
      ['the hourly limit', { kind: 'primary_limit' }, 'upstream_rate_limited'],
      ['a rejected token', { kind: 'status', status: 401 }, 'unauthenticated'],
      ['a refusal', { kind: 'status', status: 403 }, 'upstream_forbidden'],
      ['a repository that is not there', { kind: 'graphql_error', type: 'NOT_FOUND' }, 'not_found'],
      ['an error of the platform', { kind: 'status', status: 502 }, 'upstream_unavailable'],
    ])('%s is reported, keeps what was read, and the next call goes on there', async (_, fault, code) => {
      fill(120);
      platform.double.fault({ path: '/graphql', after: 1, times: code === 'upstream_unavailable' ? 3 : 1 }, fault);
      const broken = await stage.sync();
      expect(broken).toMatchObject({ upserted: 50, pages: 1, complete: false, problem: { code } });
      const isLimit = code === 'upstream_rate_limited';
      if (isLimit) platform.advance(2 * hour);
      const { codehost } = platform.as();
      // After hours one request more asks for what changed in them.
      const rest = { upserted: 70, pages: isLimit ? 3 : 2, complete: true };
      expect(await stage.sync({ codehost })).toMatchObject(rest);
      expect(await stage.stored()).toEqual(stage.wanted());
    });

    test('a page that is too heavy is requested in half the size, and those behind it whole', async () => {
      fill(100);
      // The request that fails is not read by the double.
      platform.double.fault({ path: '/graphql', times: 1 }, { kind: 'status', status: 504 });
      expect(await stage.sync()).toMatchObject({ pages: 3, upserted: 100, complete: true });
      const sizes = platform.double.requests.map(({ graphql }) => graphql?.variables.first);
      expect(sizes).toEqual([undefined, 25, 50, 50]);
    });

    test('in the reading of changes is reported, and moves nothing', async () => {
      fill(10);
      await stage.sync();
      const { pullRequests } = stage.store.cursors;
      const cursor = await pullRequests.get(stage.repoId);
      platform.advance(day);
      platform.double.fault({ path: '/graphql', times: 3 }, { kind: 'status', status: 502 });
      expect(await stage.sync()).toMatchObject({ complete: false, problem: { code: 'upstream_unavailable' } });
      expect(await pullRequests.get(stage.repoId)).toEqual(cursor);
    });

    test('a repository that was renamed meanwhile is read under its old name', async () => {
      fill(60);
      const { facts } = stage.repository;
      platform.double.rename(stage.name, `${stage.name}-now`);
      stage.name += '-now';
      const repository = { ...stage.repository.facts, owner: facts.owner, repo: facts.repo };
      const { codehost } = stage.client;
      const request = { ...codehost.pullRequests, endedPages: () => codehost.pullRequests.endedPages(repository) };
      expect(await stage.sync({ codehost: { ...codehost, pullRequests: request } })).toMatchObject({ complete: true });
      expect(await stage.stored()).toEqual(stage.wanted());
    });
  });
});
