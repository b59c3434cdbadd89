import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';
import { day, hour, minute, noon, repository, run, track } from './world.ts';

eachDatabase((given) => {
  describe('leases', () => {
    test('one holder at a time, until it gives back or is not heard of', async () => {
      const { leases } = await given.open();
      expect(await leases.acquire('sync', 'a')).toBe(true);
      expect(await leases.acquire('sync', 'b')).toBe(false);
      expect(await leases.acquire('other', 'b')).toBe(true);
      expect(await leases.renew('sync', 'a', 100)).toBe(true);
      await sleep(200);
      expect(await leases.renew('sync', 'a', 300)).toBe(false);
      expect(await leases.acquire('sync', 'b')).toBe(true);
      await leases.release('sync', 'a');
      expect(await leases.acquire('sync', 'a')).toBe(false);
      await leases.release('sync', 'b');
      expect(await leases.acquire('sync', 'a')).toBe(true);
    });

    test('work is done once, and a failure gives the lease back', async () => {
      const { leases } = await given.open();
      const begun = Promise.withResolvers<void>();
      const end = Promise.withResolvers<string>();
      const first = leases.hold('work', 'a', () => {
        begun.resolve();
        return end.promise;
      });
      await begun.promise;
      expect(await leases.hold('work', 'b', async () => 'twice')).toBeNull();
      end.resolve('once');
      expect(await first).toBe('once');
      const failing = leases.hold('work', 'c', () => Promise.reject(new Error('no')));
      await expect(failing).rejects.toThrow('no');
      expect(await leases.hold('work', 'd', async () => 'done')).toBe('done');
    });
  });

  describe('rate limits', () => {
    test('exactly as many as allowed pass, however many come at once', async () => {
      const { rateLimits } = await given.open();
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => rateLimits.hit('k', 7, minute, noon)));
      expect(verdicts.filter((one) => one.allowed)).toHaveLength(7);
      expect(
        verdicts
          .filter((one) => one.allowed)
          .map((one) => one.remaining)
          .sort(),
      ).toEqual([0, 1, 2, 3, 4, 5, 6]);
    });

    test('the window rolls, and rejected requests do not count', async () => {
      const { rateLimits } = await given.open();
      const hit = (at: number) => rateLimits.hit('k', 2, minute, noon + at);
      expect(await hit(0)).toEqual({ allowed: true, limit: 2, remaining: 1, resetMs: minute });
      expect(await hit(30_000)).toEqual({ allowed: true, limit: 2, remaining: 0, resetMs: 30_000 });
      expect(await hit(59_999)).toEqual({ allowed: false, limit: 2, remaining: 0, resetMs: 1 });
      expect(await hit(60_000)).toMatchObject({ allowed: true, remaining: 0, resetMs: 30_000 });
      expect(await rateLimits.hit('other', 2, minute, noon)).toMatchObject({ allowed: true, remaining: 1 });
    });
  });

  describe('sessions', () => {
    const make = async ({ sessions }: Store, userId: number, createdAt = noon, tokenHash = randomBytes(32)) => {
      const idHash = randomBytes(32);
      const user = { userId, login: 'ann', userAgentShort: 'Browser', tokenHash };
      await sessions.create({ idHash, ...user, createdAt, expiresAt: createdAt + day });
      return idHash;
    };

    test('a session lives until it expires or is ended', async () => {
      const store = await given.open();
      const { sessions } = store;
      const [one, two, other] = [await make(store, 1), await make(store, 1), await make(store, 2)];
      expect(await sessions.find(one, noon + hour)).toEqual({ userId: 1, login: 'ann', expiresAt: noon + day });
      expect(await sessions.find(one, noon + day)).toBeNull();
      expect(await sessions.find(randomBytes(32), noon)).toBeNull();
      await sessions.revoke(one, 'signed_out', noon);
      expect(await sessions.find(one, noon)).toBeNull();
      expect(await sessions.revokeOthers(1, null, 'token_rejected', noon)).toBe(1);
      expect(await sessions.find(two, noon)).toBeNull();
      expect(await sessions.find(other, noon)).not.toBeNull();
    });

    test('an account lists and ends its own that live, all or all but one', async () => {
      const store = await given.open();
      const { sessions } = store;
      const token = randomBytes(32);
      const expired = await make(store, 1, noon - day, token);
      const [old, recent, other] = [
        await make(store, 1, noon - hour, token),
        await make(store, 1),
        await make(store, 2),
      ];
      const listed = async (limit: number) => (await sessions.ofUser(1, limit, noon)).map(({ idHash }) => idHash);
      expect([await listed(9), await listed(1)]).toEqual([[recent, old], [recent]]);
      for (const foreign of [other, expired, randomBytes(32)])
        expect(await sessions.revokeOwn(1, foreign, 'ended_elsewhere', noon)).toBe(false);
      expect(await sessions.carriesToken(token, noon)).toBe(true);
      expect(await sessions.revokeOthers(1, recent, 'ended_elsewhere', noon)).toBe(1);
      expect([await sessions.carriesToken(token, noon), await listed(9)]).toEqual([false, [recent]]);
      expect(await sessions.revokeOwn(1, recent, 'ended_elsewhere', noon)).toBe(true);
      expect(await sessions.revokeOwn(1, recent, 'ended_elsewhere', noon)).toBe(false);
      expect(await sessions.find(other, noon)).not.toBeNull();
    });
  });

  describe('settings', () => {
    test('a saved secret stays until it is replaced or removed', async () => {
      const { settings } = await given.open();
      expect(await settings.get('ai')).toBeNull();
      const by = (login: string, now: number) => ({ actor: { id: 101, login }, requestId: null, now });
      const change = { value: { model: 'm', list: [1, null] }, by: by('ann', noon) };
      expect(await settings.put('ai', { ...change, secret: { sealed: 'box', hint: '…1234' } })).toBe(1);
      expect(await settings.put('ai', { value: { model: 'n' }, by: by('bo', noon + 1) })).toBe(2);
      expect(await settings.get('ai')).toEqual({
        value: { model: 'n' },
        secretSealed: 'box',
        secretHint: '…1234',
        updatedBy: 'bo',
        updatedAt: noon + 1,
        version: 2,
      });
      await settings.put('ai', { ...change, secret: null });
      expect(await settings.get('ai')).toMatchObject({ value: change.value, secretSealed: null, secretHint: null });
    });
  });

  describe('repositories', () => {
    test('many who track the same new repository at once get the same one', async () => {
      const { repositories } = await given.open();
      const ids = await Promise.all(
        Array.from({ length: 10 }, () => repositories.track(repository(77, 'Rush'), 'ann', noon)),
      );
      expect(new Set(ids).size).toBe(1);
    });

    test('a renamed repository keeps its history, and another of its name gets none of it', async () => {
      const { repositories } = await given.open();
      const id = await repositories.track(repository(1, 'Web'), 'ann', noon);
      expect(await repositories.find({ id: 1 })).toMatchObject({ id, owner: 'Octo', repo: 'Web' });
      expect(await repositories.track(repository(1, 'Site'), 'bo', noon)).toBe(id);
      expect(await repositories.find({ id: 1 })).toMatchObject({ id, repo: 'Site', tracked: true });
      expect(await repositories.find({ id: 2 })).toBeNull();
      const next = await repositories.track(repository(2, 'site'), 'bo', noon);
      expect(await repositories.find({ id: 2 })).toMatchObject({ id: next, repo: 'site' });
      expect(await repositories.find({ id: 1 })).toMatchObject({ id, tracked: false });
      expect((await repositories.tracked('OCTO')).map((one) => one.id)).toEqual([next]);
      expect(await repositories.tracked('other')).toEqual([]);
      await repositories.untrack(next);
      expect(await repositories.tracked()).toEqual([]);
    });
  });

  describe('cursors', () => {
    test('what was put is what is got', async () => {
      const store = await given.open();
      const repo = await track(store);
      expect(await store.cursors.get(repo)).toBeNull();
      const resume = {
        kind: 'deep' as const,
        from: noon - day,
        readDownTo: noon,
        page: 1,
        through: noon,
        afterwards: null,
      };
      for (const cursor of [
        { syncedThrough: null, backfilledTo: null, deepAt: null, resume },
        { syncedThrough: noon, backfilledTo: noon - day, deepAt: noon, resume: null },
      ]) {
        await store.cursors.put(repo, cursor);
        expect(await store.cursors.get(repo)).toEqual(cursor);
      }
    });
  });

  describe('runs of our own jobs', () => {
    test('a slot reports what became of its runs, and who is at it now', async () => {
      const { jobRuns, leases } = await given.open();
      const start = (now: number) => jobRuns.start({ job: 'sync', slot: '2026-03-10', trigger: 'internal', now });
      const failed = await start(noon);
      await jobRuns.finish(failed, { status: 'failed', summary: {}, now: noon + 1 });
      const ofSlot = async () => (await jobRuns.ofSlot('sync', '2026-03-10')).map(({ status }) => status);
      expect(await ofSlot()).toEqual(['failed']);
      expect(await jobRuns.underWay('sync')).toBeNull();
      await jobRuns.finish(await start(noon + 2), { status: 'done', summary: { runs: 3 }, now: noon + 3 });
      expect(await ofSlot()).toEqual(['done', 'failed']);
      await start(noon + 4);
      expect(await jobRuns.underWay('sync')).toMatchObject({ startedAt: noon + 4, status: 'running' });
      await leases.acquire('job:sync', 'a');
      expect(await jobRuns.abortOrphans(noon + hour)).toBe(0);
      await leases.release('job:sync', 'a');
      expect(await jobRuns.abortOrphans(noon + hour)).toBe(1);
      expect((await jobRuns.latest('sync', 2)).map(({ status, summary }) => [status, summary])).toEqual([
        ['aborted', {}],
        ['done', { runs: 3 }],
      ]);
    });
  });

  describe('jobs of runs', () => {
    const job = (differing: Partial<WorkflowJob> = {}): WorkflowJob => ({
      id: 5,
      runId: 1,
      attempt: 1,
      name: 'test (ü)',
      workflowName: 'build',
      status: 'completed',
      conclusion: 'failure',
      createdAt: noon,
      startedAt: noon + 1,
      completedAt: noon + minute,
      runnerName: 'r1',
      runnerGroup: null,
      labels: ['linux', 'x64'],
      htmlUrl: 'https://codehost.test/job/5',
      steps: [
        { number: 1, name: 'set up', status: 'completed', conclusion: 'success', startedAt: noon, completedAt: noon },
      ],
      ...differing,
    });

    test('a job never falls back to an earlier state', async () => {
      const store = await given.open();
      const repo = await track(store);
      const early = job({ status: 'queued', conclusion: null, startedAt: null, completedAt: null, steps: [] });
      await store.jobs.put(repo, [early, job({ id: 4, name: 'lint' })], noon);
      await store.jobs.put(repo, [job()], noon);
      await store.jobs.put(repo, [early], noon);
      expect(await store.jobs.of(1, 1)).toEqual([job({ id: 4, name: 'lint' }), job()]);
      expect(await store.jobs.of(1, 2)).toEqual([]);
    });
  });

  test('counters of the last minutes are forgotten, and no run is', async () => {
    const store = await given.open();
    const repo = await track(store);
    await store.rateLimits.hit('old', 1, minute, noon - 2 * day);
    await store.rateLimits.hit('new', 1, minute, noon);
    await store.runs.ingest(repo, [run(1, { createdAt: noon - 500 * day })], { syncedAt: noon - 500 * day });
    expect(await store.forgetExpired(noon)).toBe(1);
    expect(await store.forgetExpired(noon)).toBe(0);
    expect((await store.runs.summary(repo)).total).toBe(1);
  });
});
