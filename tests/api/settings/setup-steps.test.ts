import { describe, expect, test } from 'vitest';
import { startDouble } from '../../codehost-double/double.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { delivered, webhookSecret } from '../../codehost-double/webhook.ts';
import { aDatabase } from '../../support/a-database.ts';
import { startMailDouble } from '../../support/mail-double.ts';
import { anyDatabase, startService } from '../../support/service.ts';
import { expectProblem } from '../endpoints.ts';
import { storedService } from '../stored.ts';

const path = '/api/settings/setup';
const minute = 60_000;

aDatabase((given) => {
  const visit = storedService(given, { CODEHOST_WEBHOOK_SECRET: webhookSecret });
  const steps = async () => (await visit.service.ask('GET', path, { as: 'token-ann' })).body.steps;
  const find = async (name: string) => (await steps()).find(({ step }: { step: string }) => step === name);
  const at = () => new Date(visit.service.clock.now()).toISOString();

  describe('the steps of a new installation', () => {
    test('are all to do, and nothing is asked of the platform for them', async () => {
      await visit.service.signIn('token-ann');
      visit.service.double.requests.length = 0;
      const { body } = await visit.service.ask('GET', path, { as: 'token-ann' });
      expect(body).toEqual({
        payload_url: 'http://localhost:3000/api/webhooks/codehost',
        steps: [
          { step: 'sync', missing: 'not_synced', at: null, event: null },
          { step: 'webhook', missing: 'no_delivery', at: null, event: null },
          { step: 'alert', missing: 'no_rule', at: null, event: null },
          { step: 'email', missing: 'no_provider', at: null, event: null },
        ],
      });
      expect(visit.service.double.requests).toEqual([]);
    });

    test('end with a signed delivery: a ping that is forged shows nothing, one that is redelivered its new time', async () => {
      const ping = delivered({ zen: 'Keep it simple.' }, { event: 'ping', delivery: 'one' });
      const forged = delivered({ zen: 'Mine.' }, { event: 'ping', secret: 'another' });
      const post = (sent: typeof ping) =>
        visit.service.ask('POST', '/api/webhooks/codehost', { body: sent.body, headers: sent.headers });
      expectProblem(await post(forged), 401, 'invalid_signature');
      expect(await find('webhook')).toMatchObject({ missing: 'no_delivery', at: null });
      expect((await post(ping)).body).toEqual({ ok: true, event: 'ping' });
      expect(await find('webhook')).toEqual({ step: 'webhook', missing: null, at: at(), event: 'ping' });
      visit.service.clock.advance(2 * 24 * 60 * minute);
      expect((await find('webhook')).at).not.toBe(at());
      await post(ping);
      expect(await find('webhook')).toEqual({ step: 'webhook', missing: null, at: at(), event: 'ping' });
    });

    test('end with a synchronization, and with a rule that is enabled', async () => {
      await visit.sync('owner=octo&repo=web');
      expect(await find('sync')).toMatchObject({ missing: null, at: expect.stringMatching(/^20/) });
      const rule = { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 };
      const { body } = await visit.service.ask('POST', '/api/alerts', { as: 'token-ann', body: rule });
      expect(await find('alert')).toMatchObject({ missing: null });
      const off = { id: body.rule.id, enabled: false };
      await visit.service.ask('PATCH', '/api/alerts', { as: 'token-ann', body: off });
      expect(await find('alert')).toMatchObject({ missing: 'no_rule' });
    });
  });
});

test('email is done when a provider has taken one', async () => {
  const mail = await startMailDouble();
  const service = await startService({
    DATABASE_URL: anyDatabase,
    RESEND_API_URL: mail.url,
    RESEND_API_KEY: mail.keys.resend,
    RESEND_FROM: 'lamps@codehost.example',
  });
  const email = async () => {
    const { body } = await service.ask('GET', path, { as: 'token-ann' });
    return body.steps.find(({ step }: { step: string }) => step === 'email');
  };
  expect(await email()).toMatchObject({ missing: 'no_email_sent', at: null });
  const to = { to: 'ann@codehost.example' };
  expect((await service.ask('POST', '/api/settings/email/test', { as: 'token-ann', body: to })).status).toBe(200);
  expect(await email()).toMatchObject({ missing: null, at: new Date(service.clock.now()).toISOString() });
  await service.close();
  await mail.close();
});

test('an ordinary member is told only what they may do, and an administrator that webhooks are off', async () => {
  const service = await startService({ DATABASE_URL: anyDatabase, MODE: 'organization', DEFAULT_GROUP: 'dev' });
  const of = async (as: string) => (await service.ask('GET', path, { as })).body;
  const ann = await of('token-ann');
  expect(ann.steps.map(({ step, missing }: { step: string; missing: string }) => [step, missing])).toEqual([
    ['sync', 'not_synced'],
    ['webhook', 'no_webhook_secret'],
    ['alert', 'no_rule'],
    ['email', 'no_provider'],
  ]);
  const bo = await of('token-bo');
  const maySync = (await service.ask('GET', '/api/auth/me', { as: 'token-bo' })).body.features.includes('dataSync');
  expect(bo).toEqual({
    payload_url: null,
    steps: maySync ? [{ step: 'sync', missing: 'not_synced', at: null, event: null }] : [],
  });
  expectProblem(await service.ask('GET', path), 401, 'unauthenticated');
  await service.close();
});

test('a webhook of a platform elsewhere cannot reach this machine, until something hands a delivery on', async () => {
  const double = await startDouble({});
  const elsewhere = double.url.replace('127.0.0.1', '0.0.0.0');
  const env = { DATABASE_URL: anyDatabase, CODEHOST_WEBHOOK_SECRET: webhookSecret, CODEHOST_API_URL: elsewhere };
  const service = await startService(env, { clock: { now: () => namedNow, advance: () => undefined }, double });
  const webhook = async () => {
    const { body } = await service.ask('GET', path, { as: 'token-ann' });
    return body.steps.find(({ step }: { step: string }) => step === 'webhook');
  };
  expect(await webhook()).toMatchObject({ missing: 'not_reachable', at: null });
  const { body, headers } = delivered({ zen: 'Keep it simple.' }, { event: 'ping' });
  await service.ask('POST', '/api/webhooks/codehost', { body, headers });
  expect(await webhook()).toMatchObject({ missing: null, event: 'ping' });
  await service.close();
  await double.close();
});

test('without a database there is nothing to set up', async () => {
  const service = await startService();
  expectProblem(await service.ask('GET', path, { as: 'token-ann' }), 503, 'db_not_configured');
  await service.close();
});
