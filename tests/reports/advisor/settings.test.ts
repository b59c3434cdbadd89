import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { advisorJudge } from '../../../jobs/advisor-judge.ts';
import { advisorVerdicts } from '../../../jobs/advisor-verdicts.ts';
import { runJob } from '../../../jobs/run-job.ts';
import { advisor } from '../../../server/settings/advisor.ts';
import { makeToken } from '../../access/made-token.ts';
import { expectFields, expectProblem } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { minute } from '../../metrics/worlds.ts';
import { aDatabase } from '../../support/a-database.ts';
import { startService } from '../../support/service.ts';
import { advised, storeAdvised } from './advised-world.ts';
import { opens, preview, writer, written } from './opened-pull-requests.ts';

const path = '/api/settings/advisor';
const place = 'owner=octo&repo=advised';
const id = '0123456789abcdef';

/** Every operation of the advisor, with input that it takes. */
const operations = [
  ['GET', `/api/advisor/recommendations?${place}`],
  ['GET', `/api/advisor/recommendation?${place}&id=${id}`],
  ['GET', `/api/advisor/patch?${place}&ids=${id}`],
  ['GET', `/api/advisor/plan?${place}`],
  ['GET', '/api/advisor/plan?org=octo'],
  ['GET', `/api/advisor/results?${place}`],
  ['GET', `/api/advisor/verdict?${place}&id=${id}`],
  ['POST', '/api/advisor/dismissals', { owner: 'octo', repo: 'advised', id, reason: 'wanted' }],
  ['DELETE', `/api/advisor/dismissals?${place}&id=${id}`],
  [
    'POST',
    '/api/advisor/pull-request',
    { owner: 'octo', repo: 'advised', ids: [id], base_blobs: { '.github/workflows/ci.yml': 'a'.repeat(40) } },
  ],
] as const;

aDatabase((database) => {
  describe('the settings of recommendations', () => {
    const visit = storedService(database, { CODEHOST_TOKEN: 'token-ann' });
    const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', address: string, body?: object) =>
      visit.service.ask(method, address, { as: writer.token, body });
    const save = (changed: object = {}) => ask('PUT', path, { ...advisor.fallback, ...changed });
    const list = async (query = '') => (await ask('GET', `/api/advisor/recommendations?${place}${query}`)).body;

    let unsaved: object;
    beforeAll(async () => {
      visit.service.double.world.tokens.push(writer);
      await storeAdvised(visit.service);
      unsaved = (await ask('GET', path)).body;
    });
    beforeEach(async () => expect((await save()).status).toBe(200));

    test('are those of a new installation until they are saved, with who saved them', async () => {
      expect(unsaved).toMatchObject({ ...advisor.fallback, source: 'default', updated_by: null });
      const { body } = await ask('GET', path);
      expect(body).toMatchObject({
        ...advisor.fallback,
        defaults: advisor.fallback,
        source: 'saved',
        updated_by: 'ann',
      });
    });

    test('off, every operation says where it is turned on, whatever was answered before', async () => {
      const before = await ask('GET', `/api/advisor/recommendations?${place}`);
      expect(before.status).toBe(200);
      await save({ enabled: false });
      const again = await visit.service.ask('GET', `/api/advisor/recommendations?${place}`, {
        as: writer.token,
        headers: { 'if-none-match': before.headers.get('etag') ?? '' },
      });
      expectProblem(again, 403, 'advisor_off');
      for (const [method, address, body] of operations) {
        const answer = await ask(method, address, body);
        expectProblem(answer, 403, 'advisor_off');
        expect(answer.body.error).toContain('/settings/advisor');
      }
    });

    test('an access token without costs and security is not given what its owner was', async () => {
      const { headers } = await makeToken(visit.service, writer.token, ['ciAdvisor']);
      const path = `/api/advisor/recommendations?${place}`;
      const own = await visit.service.ask('GET', path, { as: writer.token });
      expect(own.body).toMatchObject({ cost_hidden: false, hidden_kinds: [] });
      const limited = await visit.service.ask('GET', path, { headers });
      expect(limited.body).toMatchObject({ cost_hidden: true, hidden_kinds: expect.arrayContaining(['ADV-20']) });
      expect((await visit.service.ask('GET', path, { as: writer.token })).body).toMatchObject({ cost_hidden: false });
    });

    test('off, the jobs request nothing', async () => {
      await save({ enabled: false });
      const { app, double } = visit.service;
      double.requests.length = 0;
      for (const job of [advisorJudge, advisorVerdicts]) {
        const start = { slot: `off ${job.name}`, trigger: 'internal', stopping: new AbortController().signal } as const;
        expect(await runJob(job, app.services, start)).toMatchObject({ error: null, outcome: { partial: false } });
      }
      expect(double.requests).toEqual([]);
    });

    test('those of a few repositories are made for these alone', async () => {
      await save({ repositories: ['Octo/Advised'] });
      expect((await ask('GET', `/api/advisor/recommendations?${place}`)).status).toBe(200);
      await save({ repositories: ['octo/web', 'octo/hidden'] });
      for (const [method, address, body] of operations) {
        if (address.includes('org=')) continue;
        expectProblem(await ask(method, address, body), 403, 'advisor_off');
      }
      expect((await ask('GET', '/api/advisor/plan?org=octo')).body.repositories.seen).toBe(1);
      expectProblem(await ask('GET', '/api/advisor/plan?owner=octo&repo=none'), 404, 'not_found');
      const { app, double } = visit.service;
      double.requests.length = 0;
      const start = { slot: 'few', trigger: 'internal', stopping: new AbortController().signal } as const;
      expect(await runJob(advisorJudge, app.services, start)).toMatchObject({
        outcome: { summary: { repositories: 0 } },
      });
      expect(double.requests).toEqual([]);
      const shown = async (as: string) => (await visit.service.ask('GET', path, { as })).body.repositories;
      expect(await shown(writer.token)).toEqual(['octo/web', 'octo/hidden']);
    });

    test('a kind that is off is not looked for', async () => {
      const kindsOf = async () => {
        const { recommendations, not_offered: others } = await list();
        return [...recommendations, ...others].map(({ kind }: { kind: string }) => kind);
      };
      expect(await kindsOf()).toContain('ADV-01');
      await save({ kinds_off: ['ADV-01'] });
      const left = await kindsOf();
      expect(left).not.toContain('ADV-01');
      expect(left.length).toBeGreaterThan(0);
    });

    test('a plan that was judged by other settings is judged again', async () => {
      const judged = async () => {
        await ask('GET', '/api/advisor/plan?org=octo');
        await visit.service.app.services.background.ended();
        const { rows } = (await ask('GET', '/api/advisor/plan?org=octo')).body;
        return rows.map(({ kind }: { kind: string }) => kind);
      };
      expect(await judged()).toContain('ADV-01');
      await save({ kinds_off: ['ADV-01'] });
      expect(await judged()).not.toContain('ADV-01');
    });

    test('what does not change what is judged leaves the plans as they are', async () => {
      await ask('GET', '/api/advisor/plan?org=octo');
      await visit.service.app.services.background.ended();
      const stored = async () =>
        (await visit.service.app.services.store?.advisorTotals.ofTracked([advised.id]))?.get(advised.id);
      const before = await stored();
      expect(before).toMatchObject({ plan: { rows: expect.any(Array) } });
      await save({ draft_default: true });
      expect(await stored()).toEqual(before);
      await save({ window_days: 60 });
      expect(await stored()).toBeNull();
    });

    test('predictions rest on as many days as are set, unless others are requested', async () => {
      await save({ window_days: 28 });
      expect((await list()).period_days).toBe(28);
      expect((await list('&days=60')).period_days).toBe(60);
    });

    test('pull requests that are off are not opened, and the patch says so', async () => {
      await save({ pull_requests: false });
      const shown = await preview(visit.service);
      const patch = (await ask('GET', `/api/advisor/patch?${place}&ids=${shown.ids.join()}`)).body;
      expect(patch.pull_request).toMatchObject({ is_off: true, draft: false });
      expectProblem(await opens(visit.service)({ ...shown }), 403, 'advisor_off');
      expect(written(visit.service).pullRequests).toEqual([]);
    });

    test('the text says what is saved at list prices where that is set', async () => {
      // Minutes of public repositories cost nothing.
      const world = repositoryOf(visit.service.double.world, 'octo/advised');
      const { facts } = world;
      world.facts = { ...facts, private: true, visibility: 'private' };
      visit.service.clock.advance(10 * minute);
      const shown = await preview(visit.service);
      const bodyOf = async () =>
        (await ask('GET', `/api/advisor/patch?${place}&ids=${shown.ids.join()}`)).body.pull_request.body;
      expect(await bodyOf()).not.toContain('USD');
      await save({ pull_request_cost: true });
      const body = await bodyOf();
      world.facts = facts;
      expect(body).toMatch(/At list prices that is [\d.]+ to [\d.]+ USD\./);
    });

    test('a pull request is a draft where that is set and its author says nothing else', async () => {
      await save({ draft_default: true });
      const shown = await preview(visit.service);
      const opened = await opens(visit.service)({ ...shown });
      expect([opened.status, opened.body.draft]).toEqual([201, true]);
    });

    test.each([
      [{ repositories: 'all' }, 'repositories'],
      [{ repositories: [] }, 'repositories'],
      [{ kinds_off: ['ADV-1'] }, 'kinds_off'],
      [{ window_days: 27 }, 'window_days'],
      [{ window_days: 91 }, 'window_days'],
      [{ enabled: 'yes' }, 'enabled'],
    ])('%j is not saved', async (changed, field) => {
      expectFields(await save(changed), [field, 'invalid']);
      expect((await ask('GET', path)).body).toMatchObject(advisor.fallback);
    });
  });
});

aDatabase((database) => {
  const visit = storedService(database, { MODE: 'organization' });

  test('who sees none of the chosen repositories is told of none', async () => {
    const body = { ...advisor.fallback, repositories: ['octo/none'] };
    expect((await visit.service.ask('PUT', path, { as: 'token-ann', body })).status).toBe(200);
    const shown = async (as: string) => (await visit.service.ask('GET', path, { as })).body.repositories;
    expect(await shown('token-bo')).toEqual([]);
    expect(await shown('token-ann')).toEqual(['octo/none']);
  });
});

test('ADVISOR=off switches them off whatever is saved', async () => {
  const service = await startService({ ADVISOR: 'off' });
  try {
    const answer = await service.ask('GET', '/api/advisor/recommendations?owner=octo&repo=web', { as: 'token-ann' });
    expectProblem(answer, 403, 'advisor_off');
    expect(answer.body.error).toContain('ADVISOR');
    const demo = await service.ask('GET', '/demo/api/advisor/plan?org=lumen-harbor');
    expect(demo.status).toBe(200);
  } finally {
    await service.close();
  }
});
