import { beforeAll, describe, expect, test } from 'vitest';
import { settle } from '../../access/personas.ts';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { day } from '../../metrics/worlds.ts';
import { aDatabase } from '../../support/a-database.ts';
import { storeAdvised, workflowText } from './advised-world.ts';

const place = { owner: 'octo', repo: 'advised' };
const path = '/api/advisor/dismissals';
const list = '/api/advisor/recommendations?owner=octo&repo=advised';
const unknown = '0123456789abcdef';

aDatabase((database) => {
  const visit = storedService(database);
  const read = async (query = '', as = 'token-ann') => (await visit.service.ask('GET', `${list}${query}`, { as })).body;
  const dismiss = (body: object, as = 'token-ann') =>
    visit.service.ask('POST', path, { as, body: { ...place, reason: 'wanted', ...body } });
  const restore = (id: string, as = 'token-ann') =>
    visit.service.ask('DELETE', `${path}?owner=octo&repo=advised&id=${id}`, { as });
  const audited = async () => {
    const entries = await visit.service.app.services.store?.audit.list({
      limit: 50,
      before: null,
      categories: ['advisor'],
      actor: null,
      action: null,
    });
    return (entries ?? []).map(({ action, actor, target, before, after, note }) => ({
      action,
      by: actor.login,
      target,
      before,
      after,
      note,
    }));
  };
  let id = '';
  const at = (ms: number) => new Date(visit.service.clock.now() + ms).toISOString().slice(0, 10);

  beforeAll(async () => {
    await storeAdvised(visit.service);
    id = (await read('&kind=ADV-05')).recommendations[0].id;
  });

  test('take a recommendation off the list, for everybody, until it is restored', async () => {
    const { status, body } = await dismiss({ id, reason: 'wanted', note: ' Long by nature ' });
    const dismissal = { reason: 'wanted', note: 'Long by nature', until: null, by: 'ann', at: expect.any(String) };
    expect({ status, body }).toEqual({ status: 200, body: { ok: true, dismissal: { id, ...dismissal } } });
    const kinds = ({ recommendations }: { recommendations: { kind: string }[] }) =>
      recommendations.map(({ kind }) => kind);
    const shown = await read('', 'token-bo');
    expect(kinds(shown)).not.toContain('ADV-05');
    expect(shown.dismissed).toBe(1);
    const all = await read('&state=all', 'token-bo');
    expect(all.recommendations.find((one: { id: string }) => one.id === id)).toMatchObject({
      state: 'dismissed',
      dismissal,
    });
    const detail = await visit.service.ask('GET', `/api/advisor/recommendation?owner=octo&repo=advised&id=${id}`, {
      as: 'token-bo',
    });
    expect(detail.body.recommendation).toMatchObject({ state: 'dismissed', dismissal });
    expect((await restore(id, 'token-bo')).body).toEqual({ ok: true, dismissal: null });
    expect(kinds(await read())).toContain('ADV-05');
    const target = `octo/advised ${id}`;
    const note = 'ADV-05 Set a time limit';
    const terms = { reason: 'wanted', until: null };
    expect(await audited()).toEqual([
      { action: 'advisor.restored', by: 'bo', target, before: terms, after: null, note },
      { action: 'advisor.dismissed', by: 'ann', target, before: null, after: terms, note },
    ]);
  });

  test('are stored once: the same again changes nothing, other terms replace it', async () => {
    const before = (await audited()).length;
    const first = await dismiss({ id, reason: 'wrong' });
    visit.service.clock.advance(1000);
    expect((await dismiss({ id, reason: 'wrong' }, 'token-bo')).body).toEqual(first.body);
    const other = await dismiss({ id, reason: 'other', note: 'x' }, 'token-bo');
    expect(other.body.dismissal).toMatchObject({ reason: 'other', by: 'bo' });
    await Promise.all([restore(id), restore(id), restore(id)]);
    expect((await audited()).length - before).toBe(3);
    expect((await read()).dismissed).toBe(0);
  });

  test('end after their last day', async () => {
    await dismiss({ id, reason: 'later', until: at(2 * day) });
    visit.service.clock.advance(2 * day);
    expect((await read()).dismissed).toBe(1);
    visit.service.clock.advance(day);
    expect((await read()).dismissed).toBe(0);
    await restore(id);
  });

  test('need a known reason, a day ahead for later, and a short note', async () => {
    expectFields(await dismiss({ id, reason: 'boring' }), ['reason', 'invalid']);
    expectFields(await dismiss({ id, reason: 'later' }), ['until', 'missing']);
    expectFields(await dismiss({ id, until: at(-day) }), ['until', 'invalid']);
    expectFields(await dismiss({ id, until: at(366 * day) }), ['until', 'invalid']);
    expectFields(await dismiss({ id, until: '2026-02-31' }), ['until', 'invalid']);
    expectFields(await dismiss({ id, note: '€'.repeat(501) }), ['note', 'invalid']);
    expectFields(await dismiss({ id, note: 'a\u0000b' }), ['note', 'invalid']);
    expectFields(await dismiss({ id: 'x' }), ['id', 'invalid']);
    expectFields(await dismiss({ id, by: 'bo' }), ['by', 'unknown']);
    expect((await read()).dismissed).toBe(0);
    expect((await dismiss({ id, until: at(365 * day), note: '€'.repeat(500) })).status).toBe(200);
    await restore(id);
  });

  test('are of recommendations and repositories that can be seen', async () => {
    expectProblem(await dismiss({ id: unknown }), 404, 'not_found');
    expectProblem(await dismiss({ id, repo: 'nowhere' }), 404, 'not_found');
    expectProblem(await restore(unknown), 404, 'not_found');
    expect((await restore(id)).body).toEqual({ ok: true, dismissal: null });
    expectProblem(
      await visit.service.ask('POST', path, {
        headers: bearerOf('token-ann'),
        body: { ...place, id, reason: 'wrong' },
      }),
      403,
      'session_required',
    );
  });

  test('stay restorable when the workflow file has it no longer', async () => {
    await dismiss({ id });
    visit.service.double.putWorkflowFile('octo/advised', '.github/workflows/ci.yml', 'on: push\n');
    visit.service.clock.advance(10 * 60_000);
    expect((await restore(id)).body).toEqual({ ok: true, dismissal: null });
    expectProblem(await restore(id), 404, 'not_found');
  });
});

describe('without a database', () => {
  const visit = freshService();

  test('nothing can be dismissed, and nothing is', async () => {
    const { service } = visit;
    service.double.addRepository({
      name: 'octo/advised',
      facts: { id: 90_900 },
      files: new Map([['.github/workflows/ci.yml', workflowText]]),
    });
    const { body } = await service.ask('GET', list, { as: 'token-ann' });
    expect(body.dismissed).toBe(0);
    const [{ id }] = body.recommendations;
    const answer = await service.ask('POST', path, { as: 'token-ann', body: { ...place, id, reason: 'wrong' } });
    expectProblem(answer, 503, 'db_not_configured');
  });
});

describe('in an organization', () => {
  const visit = freshService({ MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo', ACCESS_ENFORCEMENT: 'on' });

  test('those about security are of its feature', async () => {
    const { service } = visit;
    const tokens = await settle(service);
    service.double.addRepository({
      name: 'octo/advised',
      facts: { id: 90_900 },
      files: new Map([['.github/workflows/ci.yml', workflowText]]),
    });
    const { body } = await service.ask('GET', list, { as: tokens['in dev'] });
    const { id } = body.recommendations.find(({ certainty }: { certainty: string }) => certainty === 'risk');
    const change = (method: string, as: string) =>
      method === 'POST'
        ? service.ask(method, path, { as, body: { ...place, id, reason: 'wrong' } })
        : service.ask(method, `${path}?owner=octo&repo=advised&id=${id}`, { as });
    expectProblem(await change('POST', tokens['in pm']), 404, 'not_found');
    expect((await change('POST', tokens['in dev'])).status).toBe(200);
    expectProblem(await change('DELETE', tokens['in pm']), 404, 'not_found');
    expect((await service.ask('GET', list, { as: tokens['in pm'] })).body.dismissed).toBe(0);
    expect((await change('DELETE', tokens['in dev'])).status).toBe(200);
  });
});
