import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aDatabase } from '../../support/a-database.ts';
import { type Service, startService } from '../../support/service.ts';
import { openWebhookReceiver, verifyWebhook } from '../../support/webhook-receiver.ts';
import { expectFields, expectProblem } from '../endpoints.ts';

const path = '/api/settings/webhooks';
const ann = { as: 'token-ann' };

aDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({
      MODE: 'organization',
      DATABASE_URL: await database.migrated(),
      RATE_LIMIT_SESSION_PER_MINUTE: '0',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    service.clock.advance(61_000);
    for (const { id } of await list()) await service.ask('DELETE', `${path}?id=${id}`, ann);
  });
  const list = async () => (await service.ask('GET', path, ann)).body.endpoints;
  const put = (body: object) => service.ask('PUT', path, { ...ann, body });
  const post = (what: 'test' | 'rotate', id: number) =>
    service.ask('POST', `${path}/${what}`, { ...ann, body: { id } });
  const good = { name: 'Bridge', url: 'https://8.8.8.8/hook' };

  describe('endpoints of webhooks', () => {
    test('are added with a secret that is shown once, changed and deleted', async () => {
      const { status, body } = await put(good);
      expect(status).toBe(200);
      expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(body.endpoint).toEqual({
        id: expect.any(Number),
        ...good,
        enabled: true,
        off_reason: null,
        failures: 0,
        previous_until: null,
        created_by: 'ann',
        updated_at: expect.any(String),
        deliveries: [],
      });
      const { id } = body.endpoint;
      const changed = await put({ ...good, id, name: 'Pager', enabled: false });
      expect(changed.body).toEqual({ endpoint: expect.objectContaining({ id, name: 'Pager', enabled: false }) });
      expect(await list()).toHaveLength(1);
      expect((await service.ask('DELETE', `${path}?id=${id}`, ann)).body).toEqual({ ok: true });
      expectProblem(await service.ask('DELETE', `${path}?id=${id}`, ann), 404, 'not_found');
      expectProblem(await put({ ...good, id }), 404, 'not_found');
      expectProblem(await post('rotate', id), 404, 'not_found');
    });

    test('are twenty at most', async () => {
      for (let count = 0; count < 20; count++) expect((await put(good)).status).toBe(200);
      expectProblem(await put(good), 400, 'invalid_request');
    });

    test.each([
      'http://8.8.8.8/hook',
      'https://10.0.0.1/hook',
      'https://169.254.169.254/hook',
      'https://user:key@8.8.8.8/hook',
      'https://8.8.8.8/hook?key=1',
      'nothing',
    ])('%s is no address', async (url) => {
      expectProblem(await put({ ...good, url }), 400, 'unsafe_address');
      expect(await list()).toEqual([]);
    });

    test('are rejected by their fields', async () => {
      expectFields(await put({ ...good, name: '' }), ['name', 'invalid']);
      expectFields(await put({ ...good, name: 'a\u0007' }), ['name', 'invalid']);
      expectFields(await put({ ...good, enabled: 'yes' }), ['enabled', 'invalid']);
    });

    test('are tried with a made-up alert, also while they are off', async () => {
      const receiver = await openWebhookReceiver();
      const { body } = await put({ ...good, url: receiver.url, enabled: false });
      const { id } = body.endpoint;
      expect((await post('test', id)).body).toEqual({ ok: true, status: 200, ms: expect.any(Number) });
      const [request] = receiver.requests as [(typeof receiver.requests)[number]];
      expect(verifyWebhook(body.secret, request)).toMatchObject({
        type: 'alert.test',
        data: { event_id: null, repo: 'example/example', is_test: true },
      });
      receiver.answer = { status: 410 };
      const rejected = await post('test', id);
      expectProblem(rejected, 502, 'provider_error');
      expect(rejected.body.error).toBe('The endpoint answered 410.');
      const [{ deliveries, failures, off_reason }] = await list();
      expect([failures, off_reason]).toEqual([0, null]);
      expect(deliveries).toMatchObject([
        { event_id: null, status: 410, error: 'The endpoint answered 410.' },
        { event_id: null, status: 200, error: null },
      ]);
      receiver.answer = { status: 200 };
      await post('test', id);
      expectProblem(await post('test', id), 429, 'rate_limited');
    });

    test('have a new secret after a rotation, and for a day the one before as well', async () => {
      const receiver = await openWebhookReceiver();
      const { body } = await put({ ...good, url: receiver.url });
      const { id } = body.endpoint;
      const rotated = (await post('rotate', id)).body;
      expect(Object.keys(rotated)).toEqual(['secret']);
      await post('test', id);
      for (const secret of [body.secret, rotated.secret]) verifyWebhook(secret, receiver.requests.at(-1) as never);
      const [{ previous_until: until }] = await list();
      expect(Date.parse(until) - service.clock.now()).toBe(24 * 3_600_000);
      service.clock.advance(24 * 3_600_000);
      expect((await list())[0].previous_until).toBeNull();
    });

    test('make one secret of a form that is sent twice at once', async () => {
      const version = async () => (await service.ask('GET', path, ann)).body.version;
      const twice = async (send: (given: object) => ReturnType<typeof put>) => {
        const seen = await version();
        const answers = await Promise.all([send({ version: seen }), send({ version: seen })]);
        expect(await version()).not.toBe(seen);
        expectProblem(answers.find(({ status }) => status !== 200) as never, 409, 'edit_conflict');
        return answers.find(({ status }) => status === 200)?.body;
      };
      const { endpoint, secret } = await twice((given) => put({ ...good, ...given }));
      expect(await list()).toHaveLength(1);
      const { id } = endpoint;
      const rotate = (given: object) => service.ask('POST', `${path}/rotate`, { ...ann, body: { id, ...given } });
      const rotated = await twice(rotate);
      expect(rotated.secret).not.toBe(secret);
      expect((await twice((given) => put({ ...good, id, ...given }))).endpoint).toMatchObject({ id });
      expectProblem(await rotate({ version: '0-0' }), 409, 'edit_conflict');
      expect((await rotate({})).status).toBe(200);
    });

    test('have another version when one of them is deleted, or switched off by the service', async () => {
      const version = async () => (await service.ask('GET', path, ann)).body.version;
      const receiver = await openWebhookReceiver();
      const [older, newer] = [
        (await put(good)).body.endpoint,
        (await put({ ...good, url: receiver.url })).body.endpoint,
      ];
      const seen = [await version()];
      await service.ask('DELETE', `${path}?id=${older.id}`, ann);
      seen.push(await version());
      await service.app.services.store?.webhookEndpoints.noteAttempt(newer, {
        at: service.clock.now(),
        event_id: 1,
        status: 410,
        ms: 1,
        error: null,
      });
      seen.push(await version());
      expect(new Set(seen).size).toBe(3);
    });

    test('leave no secret and no path in the audit log', async () => {
      const { body } = await put({ ...good, url: 'https://8.8.8.8/very-secret-path' });
      const { id } = body.endpoint;
      const { secret } = (await post('rotate', id)).body;
      await service.ask('DELETE', `${path}?id=${id}`, ann);
      const audit = (await service.ask('GET', '/api/admin/audit?category=settings', ann)).body.entries.slice(0, 3);
      expect(audit.map(({ action }: { action: string }) => action)).toEqual([
        'settings.webhook_deleted',
        'settings.webhook_rotated',
        'settings.webhook_saved',
      ]);
      expect(audit[0].target).toBe('Bridge 8.8.8.8');
      const everything = JSON.stringify([await service.ask('GET', path, ann), audit]);
      for (const hidden of [body.secret, secret, 'very-secret-path']) expect(everything).not.toContain(hidden);
    });

    test('are what rules of their channel name', async () => {
      const { id } = (await put(good)).body.endpoint;
      const rule = { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20, channel: 'webhook' };
      const make = (more: object) => service.ask('POST', '/api/alerts', { ...ann, body: { ...rule, ...more } });
      expectFields(await make({}), ['destination', 'missing']);
      expectFields(await make({ destination: '4711' }), ['destination', 'invalid']);
      expectFields(await make({ destination: good.url }), ['destination', 'invalid']);
      const made = await make({ destination: String(id) });
      expect(made.status).toBe(201);
      expect(made.body.rule).toMatchObject({ destination: String(id), destination_name: 'Bridge', unsent: null });
      const shown = async () => (await service.ask('GET', '/api/alerts', ann)).body.rules[0];
      await put({ ...good, id, enabled: false });
      expect(await shown()).toMatchObject({ unsent: 'Its webhook endpoint is off.' });
      const change = { id: made.body.rule.id, destination: '4711' };
      expectFields(await service.ask('PATCH', '/api/alerts', { ...ann, body: change }), ['destination', 'invalid']);
      await service.ask('DELETE', `${path}?id=${id}`, ann);
      expect(await shown()).toMatchObject({ unsent: 'Its webhook endpoint was deleted.', destination_name: null });
    });

    test('are for administrators', async () => {
      expectProblem(await service.ask('GET', path), 401, 'unauthenticated');
      expect((await service.ask('GET', path, { as: 'token-bo' })).status).toBe(403);
    });
  });
});
