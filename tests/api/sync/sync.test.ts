import { beforeEach, describe, expect, test } from 'vitest';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { aDatabase } from '../../support/a-database.ts';
import { expectFields, expectProblem } from '../endpoints.ts';
import { storedService } from '../stored.ts';

const day = 86_400_000;
const hour = 3_600_000;

interface Result {
  repo: string;
  status: string;
}
const namesIn = (answer: { body: { results: Result[] } }) => answer.body.results.map(({ repo }) => repo).sort();

aDatabase((database) => {
  const visit = storedService(database);
  const { sync, ask, anew } = visit;
  const start = (query: string, as = 'token-ann') => visit.service.ask('POST', `/api/db/sync?${query}`, { as });

  describe('one repository', () => {
    test('is brought in and reported', async () => {
      const answer = await start('owner=octo&repo=web');
      expect(answer.body).toEqual({
        ok: true,
        partial: false,
        repos_total: 1,
        repos_synced: 1,
        repos_failed: 0,
        repos_skipped: 0,
        repos_remaining: 0,
        repos_left_out: 0,
        runs_upserted: expect.any(Number),
        alerts_fired: 0,
        duration_ms: expect.any(Number),
        results: [
          {
            repo: 'octo/web',
            status: 'ok',
            synced: expect.any(Number),
            unread_runs: 0,
            total_in_db: 15,
            alerts_fired: 0,
            latest_run_id: expect.any(Number),
            synced_through: '2026-11-16T09:58:00.000Z',
          },
        ],
      });
      // Runs, not attempts: some were run again.
      expect([answer.body.runs_upserted, answer.body.results[0].synced]).toEqual([15, 15]);
      expect(answer.headers.get('ratelimit-limit')).toBe('6');
      expect(answer.headers.get('ratelimit-remaining')).toBe('5');
    });

    test('requested in a body is the same; the second time nothing changed', async () => {
      const body = { owner: 'OCTO', repo: 'web' };
      const { body: again } = await visit.service.ask('POST', '/api/db/sync', { as: 'token-ann', body });
      expect(again).toMatchObject({ runs_upserted: 0, repos_synced: 1 });
      expect(again.results[0]).toMatchObject({ repo: 'octo/web', status: 'ok', synced: 0, total_in_db: 15 });
    });

    test('a run that ended meanwhile, a re-run, and a new one are brought in', async () => {
      const { double, clock } = visit.service;
      clock.advance(hour);
      const now = clock.now();
      double.completeRun('octo/web', 5012, 'failure', now - 60_000);
      double.putRun('octo/web', { id: 5020, createdAt: now - 5 * 60_000 });
      double.rerun('octo/web', 5010, now - 4 * 60_000);
      double.completeRun('octo/web', 5010, 'success', now - 2 * 60_000);
      await sync('owner=octo&repo=web');
      const { runs, total } = (await ask('runs?owner=octo&repo=web')).body;
      const of = (id: number) => runs.find((one: { id: number }) => one.id === id);
      expect(total).toBe(16);
      expect(of(5012)).toMatchObject({ status: 'completed', conclusion: 'failure' });
      expect(of(5020)).toMatchObject({ conclusion: 'success', duration_ms: 120_000 });
      expect(of(5010)).toMatchObject({ run_attempt: 2, conclusion: 'success', queue_wait_ms: null });
    });

    test('a re-run 26 days later is found', async () => {
      const { double, clock } = visit.service;
      clock.advance(26 * day);
      double.rerun('octo/web', 5011, clock.now() - 4 * 60_000);
      double.completeRun('octo/web', 5011, 'failure', clock.now() - 2 * 60_000);
      // The session has ended by now; a script's token has not.
      const request = { headers: bearerOf('token-ann') };
      await visit.service.ask('POST', '/api/db/sync?owner=octo&repo=web', request);
      const answer = await visit.service.ask('GET', '/api/db/runs?owner=octo&repo=web', request);
      const run = answer.body.runs.find((one: { id: number }) => one.id === 5011);
      expect(run).toMatchObject({ run_attempt: 2, conclusion: 'failure', queue_wait_ms: null });
    });
  });

  describe('a long history', () => {
    beforeEach(anew);

    test('1,250 runs are all brought in, each once, call after call', async () => {
      const { double, clock } = visit.service;
      double.addRuns('octo/fork', 1250, { from: clock.now() - 80 * day, to: clock.now() - hour });
      const answers = await sync('owner=octo&repo=fork');
      expect(answers.length).toBeGreaterThan(1);
      expect(answers.at(-1)?.body).toMatchObject({ partial: false, repos_remaining: 0 });
      expect(answers[0]?.body.results[0]).toMatchObject({ status: 'partial' });
      const ids = new Set<number>();
      for (let offset = 0; offset < 1500; offset += 500)
        for (const { id } of (await ask(`runs?owner=octo&repo=fork&limit=500&offset=${offset}`)).body.runs) ids.add(id);
      expect(ids.size).toBe(1250);
      expect((await ask('runs?owner=octo&repo=fork')).body.total).toBe(1250);
    });

    test('of many repositories the next call reads those that the one before left', async () => {
      const { double, clock } = visit.service;
      double.addRuns('octo/fork', 1250, { from: clock.now() - 80 * day, to: clock.now() - hour });
      // Nothing is read on in the background of a script.
      const script = { headers: bearerOf('token-ann') };
      const call = () => visit.service.ask('POST', '/api/db/sync?org=octo', script);
      const first = await call();
      expect(first.body).toMatchObject({ partial: true, repos_total: 8 });
      const next = await call();
      expect(namesIn(next)).toEqual(['octo/fork']);
      expect(next.body).toMatchObject({ partial: false, repos_total: 1, repos_synced: 1, repos_remaining: 0 });
      expect((await call()).body).toMatchObject({ partial: false, repos_total: 8, repos_synced: 8 });
    });

    test('two at once do not double anything', async () => {
      const answers = await Promise.all([start('owner=octo&repo=web'), start('owner=octo&repo=web')]);
      const statuses = answers.map(({ body }) => body.results[0].status).sort();
      expect(['locked,ok', 'ok,ok']).toContain(statuses.join());
      expect((await ask('runs?owner=octo&repo=web')).body.total).toBe(15);
    });
  });

  describe('what is meant', () => {
    beforeEach(anew);

    test('an organization: its repositories that are not archived', async () => {
      const answer = await start('org=octo');
      expect(namesIn(answer)).toEqual([
        'octo/api',
        'octo/empty',
        'octo/fork',
        'octo/no-actions',
        'octo/no-issues',
        'octo/renamed-now',
        'octo/secret',
        'octo/web',
      ]);
      expect(answer.body).toMatchObject({ repos_total: 8, repos_synced: 8, repos_failed: 0 });
    });

    test('an organization: archived ones that are tracked too, so that no figure of it ends with them', async () => {
      await start('owner=octo&repo=old');
      visit.service.clock.advance(3 * day);
      const answer = await start('org=octo');
      expect(namesIn(answer)).toContain('octo/old');
      const { body: overview } = await ask('overview?org=octo');
      expect(overview.repos_included).toBe(answer.body.repos_total);
      expect(overview.partial_reasons).not.toContain('runs_end_missing');
    });

    test('nothing: the tracked ones the caller sees, or their own of late', async () => {
      expect(namesIn(await start('', 'token-bo'))).toEqual(['octo/web']);
      await start('owner=octo&repo=api');
      visit.service.clock.advance(60_000);
      expect(namesIn(await start(''))).toEqual(['octo/api', 'octo/web']);
      expect(namesIn(await start('', 'token-bo'))).toEqual(['octo/web']);
    });

    test('what is beyond the limits is counted, also once some are tracked', async () => {
      expect((await start('owner=octo&repo=web')).body.repos_left_out).toBe(0);
      const { body: later } = await start('');
      expect(later.repos_total).toBe(1);
      await anew();
      const { body: first } = await start('');
      expect(first.repos_total).toBe(50);
      expect(first.repos_left_out).toBe(later.repos_left_out + 1 - 50);
    });

    test('owner and repo go together, and not with org', async () => {
      expectFields(await start('owner=octo'), ['repo', 'missing']);
      expectFields(await start('repo=web'), ['repo', 'invalid']);
      expectFields(await start('org=octo&owner=octo&repo=web'), ['org', 'invalid']);
    });

    test('what the token cannot see is not there', async () => {
      expectProblem(await start('owner=octo&repo=secret', 'token-bo'), 404, 'not_found');
      expectProblem(await start('org=nobody'), 404, 'not_found');
      expectProblem(await start('org=sealed', 'token-ann-two'), 403, 'sso_required');
    });

    test('one repository in trouble does not keep the others', async () => {
      visit.service.double.fault({ path: '/repos/octo/api/*', times: 9 }, { kind: 'status', status: 451 });
      const { status, body } = await start('org=octo');
      expect([status, body.repos_failed, body.repos_synced]).toEqual([200, 1, 7]);
      const failed = body.results.find(({ repo }: Result) => repo === 'octo/api');
      expect(failed).toMatchObject({ status: 'error', code: 'legally_blocked', synced: 0 });
      const since = new Date(visit.service.clock.now()).toISOString();
      expect(body.results.filter((one: object) => 'unreachable_since' in one)).toMatchObject([
        { repo: 'octo/api', unreachable_since: since },
      ]);
      expect(failed.error).toMatch(/\S/);
    });

    test('going on with a partial synchronization is not counted for two minutes, by the clock of the service', async () => {
      const { double, clock } = visit.service;
      double.addRuns('octo/fork', 3300, { from: clock.now() - 80 * day, to: clock.now() - hour });
      const counts = async () => {
        const answer = await start('owner=octo&repo=fork');
        expect([answer.status, answer.body.partial]).toEqual([200, true]);
        return answer.headers.has('ratelimit-remaining');
      };
      expect(await counts()).toBe(true);
      clock.advance(119_999);
      expect(await counts()).toBe(false);
      clock.advance(120_000);
      expect(await counts()).toBe(true);
    });

    test('six a minute and account; rejected questions do not count', async () => {
      for (let n = 0; n < 3; n++) await start('owner=octo');
      for (let n = 0; n < 6; n++) expect((await start('owner=octo&repo=no-actions')).status).toBe(200);
      const seventh = await start('owner=octo&repo=no-actions');
      expectProblem(seventh, 429, 'rate_limited');
      expect(Number(seventh.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect((await start('owner=octo&repo=web', 'token-bo')).status).toBe(200);
    });
  });
});
