import { beforeAll, describe, expect, test } from 'vitest';
import type { MergeQueueEvent } from '../../../server/metrics/kernel/delivery-facts.ts';
import { storePolledQueue } from '../../../server/store/polled-queues.ts';
import { servicesOf } from '../../alerts/stage.ts';
import { expectProblem } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { eachDatabase } from '../../support/database.ts';
import { besidesTokenCheck } from '../../support/token-check.ts';

const secret = 'Zp4vW8yQk2LmN6tR0xCsB3hJ7dFgA9uE';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const event = (kind: MergeQueueEvent['kind'], at: number, reason: string | null = null): MergeQueueEvent => ({
  kind,
  at,
  isByBot: false,
  reason,
  headSha: null,
});

eachDatabase((database) => {
  const visit = storedService(database, { CRON_SECRET: secret, CODEHOST_TOKEN: 'token-ann' });
  const get = (address: string, as = 'token-ann') => visit.service.ask('GET', address, { as });
  const ask = (query = '', as?: string) => get(`/api/codehost/org-merge-queues?org=octo${query}`, as);
  const queueOf = ({ body }: { body: { queues: { repo: string }[] } }, repo: string) =>
    body.queues.find((one) => one.repo === repo);

  /** Twelve that the queue merged after 10, 20, … minutes, six in each of two months, and two that wait. */
  function fillQueue(repo: string, slower: number) {
    const { double, clock } = visit.service;
    repositoryOf(double.world, repo).queueBranches = ['main'];
    const put = (number: number, mergedAt: number, minutes: number) =>
      double.putPullRequest(repo, {
        number,
        createdAt: mergedAt - day,
        mergedAt,
        queueEvents: [event('added', mergedAt - minutes * minute), event('removed', mergedAt, 'merged')],
      });
    for (let index = 1; index <= 6; index++) {
      put(200 + index, clock.now() - index * day, index * 10 * slower);
      put(210 + index, clock.now() - (35 + index) * day, index * 5 * slower);
    }
    for (const number of [300, 301])
      double.putPullRequest(repo, { number, queueEvents: [event('added', clock.now() - number * minute)] });
  }

  describe('merge queues of an organization', () => {
    beforeAll(async () => {
      fillQueue('octo/web', 1);
      fillQueue('octo/secret', 2);
      await visit.sync('owner=octo&repo=web');
      await visit.sync('owner=octo&repo=secret');
    });

    test('are not known before pull requests were read', async () => {
      const { body } = await ask();
      expect(body).toMatchObject({ queues: [], waiting: null, as_of: null, repos_included: 2, partial: true });
      expect(body.covered.coverage).toMatchObject({ read: 0, reasons: ['not_synced', 'not_yet_read'] });
    });

    test('are missing only where one was looked for', async () => {
      const { store } = servicesOf(visit.service.app);
      const web = await store.repositories.find(repositoryOf(visit.service.double.world, 'octo/web').facts);
      const look = async (at: number, days: number) => {
        const none = {
          branch: 'main',
          hasQueue: false,
          configuration: null,
          changedAt: null,
          missing: [],
          agrees: true,
        };
        await storePolledQueue(store, web?.id ?? 0, { ...none, at });
        // Each window is asked for once: what was answered is reused.
        return (await ask(`&days=${days}`)).body.repos_without_queue;
      };
      expect((await ask()).body.repos_without_queue).toBe(0);
      expect(await look(visit.service.clock.now() - 40 * hour, 90)).toBe(0);
      expect(await look(visit.service.clock.now() - hour, 7)).toBe(1);
    });

    test('of which webhooks alone told have no figures, and no count of merges', async () => {
      const { store } = servicesOf(visit.service.app);
      const { facts } = repositoryOf(visit.service.double.world, 'octo/secret');
      const at = visit.service.clock.now() - 300 * minute;
      const notice = { ...event('added', at), number: 300, baseBranch: 'main', headSha: 'head' };
      const delivery = { id: 'entered', event: 'pull_request', action: 'enqueued' };
      await store.mergeQueueNotices.take({ ...delivery, repository: facts, notice }, at);
      expect(queueOf(await ask(), 'octo/secret')).toMatchObject({
        queue_time_p50: null,
        sample: null,
        sample_before: null,
        length: null,
        partial: true,
      });
    });

    test('have no ejections and nothing that waits where open pull requests were not read', async () => {
      await get('/api/codehost/merge-queue?owner=octo&repo=web');
      const { body } = await ask();
      expect(queueOf({ body }, 'octo/web')).toMatchObject({
        queue_time_p50: 35,
        length: null,
        length_as_of: null,
        ejection_rate: null,
        throughput_per_hour: null,
        partial: true,
      });
      expect(body.covered.repositories).toContainEqual({
        repo: 'octo/web',
        included: true,
        reason: 'sub_fetch_failed',
      });
    });

    test('are one row each, the slowest first, from what is stored', async () => {
      const headers = { authorization: `Bearer ${secret}` };
      expect((await visit.service.ask('GET', '/api/cron/sync-pr-facts', { headers })).status).toBe(200);
      const { status, body } = await ask();
      expect(status).toBe(200);
      expect(body).toMatchObject({ org: 'octo', window_days: 30, repos_included: 2, repos_without_queue: 0 });
      expect(body.queues.map(({ repo, branch }: Record<string, string>) => [repo, branch])).toEqual([
        ['octo/secret', 'main'],
        ['octo/web', 'main'],
      ]);
      expect(queueOf({ body }, 'octo/web')).toMatchObject({
        queue_time_p50: 35,
        change_pct: 100,
        sample: 6,
        sample_before: 6,
        attempts_per_merge: 1,
        length: 2,
        ejection_rate: null,
        ci_minutes_per_merge: null,
        partial: false,
      });
      expect(body.covered.repositories).toContainEqual({ repo: 'octo/web', included: true, reason: null });
      expect(body).toMatchObject({ waiting: 4, partial: true, data_source: 'database' });
      expect(body.covered.coverage.reasons).toEqual(['not_synced']);
    });

    test('have the figures of the page of each repository', async () => {
      for (const days of [7, 30, 90]) {
        const own = await get(`/api/codehost/merge-queue?owner=octo&repo=web&days=${days}`);
        const row = queueOf(await ask(`&days=${days}`), 'octo/web');
        const of = (key: string) => own.body.figures[key].value;
        expect(row).toMatchObject({
          queue_time_p50: of('queue_time_p50'),
          queue_time_p90: of('queue_time_p90'),
          ejection_rate: of('ejection_rate'),
          throughput_per_hour: of('throughput_per_hour'),
          ci_minutes_per_merge: of('queue_ci_minutes_per_merge'),
          attempts_per_merge: of('attempts_per_merge'),
          sample: own.body.figures.attempts_per_merge.sample,
        });
      }
    });

    test('compare nothing with days that are not stored', async () => {
      expect(queueOf(await ask('&days=90'), 'octo/web')).toMatchObject({ change_pct: null, sample_before: null });
    });

    test('are never of a repository that the reader may not see', async () => {
      const { text, body } = await ask('', 'token-bo');
      expect(text).not.toContain('octo/secret');
      expect(body.queues.map(({ repo }: { repo: string }) => repo)).toEqual(['octo/web']);
      expectProblem(await get('/api/codehost/org-merge-queues?org=nobody'), 404, 'not_found');
      expectProblem(await get('/api/codehost/org-merge-queues?org=sealed', 'token-ann-two'), 403, 'sso_required');
      expectProblem(await get('/api/codehost/org-merge-queues'), 400, 'invalid_request');
      expectProblem(await ask('&days=31'), 400, 'invalid_request');
    });

    test('are one table of queues', async () => {
      const [head, ...rows] = (await ask('&format=csv')).text.trim().split('\r\n');
      expect(head).toBe(
        'repo,branch,length,length_as_of,queue_time_p50,queue_time_p90,ejection_rate,throughput_per_hour,ci_minutes_per_merge,attempts_per_merge,change_pct,sample,sample_before,as_of,partial',
      );
      expect(rows).toHaveLength(2);
    });

    test('cost the platform the proof of what may be seen, and nothing while that is fresh', async () => {
      const { double, clock } = visit.service;
      clock.advance(16 * minute);
      double.requests.length = 0;
      const { body } = await ask();
      // What a webhook told before open pull requests were read says nothing of now.
      const readAt = new Date(clock.now() - 16 * minute).toISOString();
      expect(body.queues.map((one: { length_as_of: string }) => one.length_as_of)).toEqual([readAt, readAt]);
      expect(besidesTokenCheck(double.requests).map(({ operation }) => operation)).toEqual(['repos/list-for-org']);
      double.requests.length = 0;
      await ask('&days=7');
      expect(besidesTokenCheck(double.requests)).toEqual([]);
    });

    test('are shown as far as they are stored where the newest are missing', async () => {
      visit.service.clock.advance(37 * hour);
      const { body } = await ask();
      expect(queueOf({ body }, 'octo/web')).toMatchObject({ partial: true, queue_time_p50: 35 });
      expect(body.covered.repositories).toContainEqual({ repo: 'octo/web', included: true, reason: 'end_missing' });
    });
  });
});
