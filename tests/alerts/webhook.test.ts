import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { webhookMessage } from '../../server/alerts/channels/webhook-body.ts';
import {
  createWebhookSecret,
  rotationMs,
  sealWebhookSecret,
  sealWebhookSecretsAnew,
} from '../../server/alerts/channels/webhook-secret.ts';
import { deliverWaiting } from '../../server/alerts/deliver.ts';
import { shownEvent } from '../../server/alerts/shown.ts';
import { tryRule } from '../../server/alerts/try.ts';
import { aDatabase } from '../support/a-database.ts';
import { openWebhookReceiver, verifyWebhook } from '../support/webhook-receiver.ts';
import { mailStage } from './mail-stage.ts';
import { addRule, bring, endedRuns } from './stage.ts';

aDatabase((given) => {
  describe('alerts by webhook', () => {
    const stage = mailStage(given);
    let number = 0;
    const by = () => ({ actor: { id: 101, login: 'ann' }, requestId: randomUUID(), now: stage.services.clock.now() });
    const endpoints = () => stage.services.store.webhookEndpoints;

    /** An endpoint of its own, and its receiver. */
    const open = async (url?: string) => {
      const receiver = await openWebhookReceiver();
      const secret = createWebhookSecret();
      const change = { name: 'Bridge', url: url ?? receiver.url, enabled: true };
      const id = Number(await endpoints().create(change, sealWebhookSecret(stage.services.env, secret), 99, by()));
      const stored = async () => {
        const endpoint = await endpoints().find(id);
        if (!endpoint) throw new Error('It is gone.');
        return endpoint;
      };
      return { receiver, id, secret, stored };
    };

    /** A rule that has just fired over a repository of its own. */
    const fire = async (endpointId: number) => {
      number++;
      const to = { scope: `repo:octo/repo-${number}`, channel: 'webhook', destination: String(endpointId) } as const;
      const rule = await addRule(stage.services, to);
      expect((await bring(stage.services, endedRuns(stage.services, 6, 6), number)).fired).toBe(1);
      return rule;
    };
    const deliver = () => deliverWaiting(stage.services, () => true);
    const event = async () => {
      const [newest] = await stage.services.store.alertEvents.list(1, `octo/repo-${number}`);
      if (!newest) throw new Error('Nothing fired.');
      return newest;
    };
    /** As if so much time had passed for whatever waits in the queue; answers how many minutes it still had to wait. */
    const waited = async () => {
      const { rows } = await stage.services.store.queue.executeSql(
        `with waiting as (select id, extract(epoch from start_after - now()) as seconds from queue.job
             where name = 'deliver-alerts' and state = 'created'),
           moved as (update queue.job set start_after = now() where id in (select id from waiting))
         select seconds::float8 from waiting`,
      );
      return rows.map((row) => Math.round((row as { seconds: number }).seconds / 60));
    };

    test('an event is posted once, signed, with what the API answers about it', async () => {
      const { receiver, id, secret, stored } = await open();
      const rule = await fire(id);
      expect(await deliver()).toBe(1);
      expect(await deliver()).toBe(0);
      expect(receiver.requests).toHaveLength(1);
      const [request] = receiver.requests as [(typeof receiver.requests)[number]];
      const fired = await event();
      const shown = shownEvent(fired, { isAdmin: false, now: fired.firedAt, activeRules: new Set() });
      expect(request.headers).toMatchObject({ 'webhook-id': `evt_${fired.id}`, 'content-type': 'application/json' });
      expect(verifyWebhook(secret, request)).toEqual({
        type: 'alert.fired',
        timestamp: new Date(fired.firedAt).toISOString(),
        data: {
          event_id: fired.id,
          rule_id: rule.id,
          scope: rule.scope,
          repo: `Octo/repo-${number}`,
          metric: 'failure_rate',
          label: shown.label,
          value: shown.value,
          unit: shown.unit,
          threshold: 50,
          window_hours: 24,
          sample_size: shown.sampleSize,
          computed_at: new Date(shown.computedAt).toISOString(),
          is_test: false,
          links: {
            page: `http://localhost:3000/alerts#rule-${rule.id}`,
            evidence: `http://localhost:3000${shown.explainedAt}`,
          },
        },
      });
      expect(request.body).toBe(JSON.stringify(JSON.parse(request.body)));
      const ofWeek = webhookMessage({ ...fired, metric: 'pr_throughput_drop' }, 'http://localhost:3000');
      expect(JSON.parse(ofWeek.body).data.window_hours, 'a metric of at least a week').toBe(168);
      expect(request.body.length).toBeLessThan(8192);
      expect(fired).toMatchObject({ deliveryStatus: 'sent', deliveryAttempts: 1 });
      expect((await stored()).attempts).toEqual([
        { at: stage.services.clock.now(), event_id: fired.id, status: 200, ms: expect.any(Number), error: null },
      ]);
    });

    test('an endpoint that is down is tried six times, each verified, with the same id', async () => {
      const { receiver, id, secret, stored } = await open();
      const rule = await fire(id);
      receiver.answer = { status: 503 };
      const waits = [];
      for (let attempt = 1; attempt <= 6; attempt++) {
        await deliver();
        expect(await event()).toMatchObject({ deliveryAttempts: attempt });
        waits.push(...(await waited()));
        stage.service.clock.advance(60_000);
      }
      expect(waits).toEqual([1, 5, 30, 120, 360]);
      expect(await event()).toMatchObject({ deliveryStatus: 'failed', deliveryError: 'The endpoint answered 503.' });
      expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(6);
      expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
      for (const request of receiver.requests) verifyWebhook(secret, request);
      expect(await stored()).toMatchObject({ enabled: true, failures: 1 });
      expect((await stage.services.store.alertRules.find(rule.id))?.deliveryFailingSince).not.toBeNull();
    });

    test('both secrets verify for a day after a rotation, then the new one alone', async () => {
      const { receiver, id, secret } = await open();
      const next = createWebhookSecret();
      const until = stage.services.clock.now() + rotationMs;
      expect(await endpoints().rotate(id, sealWebhookSecret(stage.services.env, next), until, by())).toBe('done');
      const sent = async () => {
        await fire(id);
        expect(await deliver()).toBe(1);
        return receiver.requests.at(-1) as (typeof receiver.requests)[number];
      };
      const during = await sent();
      expect(during.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
      for (const one of [secret, next]) verifyWebhook(one, during);
      stage.service.clock.advance(rotationMs);
      const after = await sent();
      verifyWebhook(next, after);
      expect(() => verifyWebhook(secret, after)).toThrow();
    });

    test.each([
      ['7200', [120]],
      ['864000', [1440]],
      ['1', [1]],
      [new Date(0).toUTCString(), [1]],
    ])('Retry-After: %s', async (header, minutes) => {
      const { receiver, id } = await open();
      await fire(id);
      receiver.answer = { status: 429, headers: { 'retry-after': header } };
      await deliver();
      expect(await waited()).toEqual(minutes);
      receiver.answer = { status: 204 };
      expect(await deliver()).toBe(1);
    });

    test.each([400, 401, 403, 404, 422])('%i stops the event alone', async (status) => {
      const { receiver, id, stored } = await open();
      await fire(id);
      receiver.answer = { status };
      await deliver();
      expect(await event()).toMatchObject({ deliveryStatus: 'failed', deliveryAttempts: 1 });
      expect(await waited()).toEqual([]);
      expect(await stored()).toMatchObject({ enabled: true, failures: 1 });
    });

    test('410 switches the endpoint off, and nothing more is sent', async () => {
      const { receiver, id, stored } = await open();
      const rule = await fire(id);
      receiver.answer = { status: 410 };
      await deliver();
      expect(await stored()).toMatchObject({ enabled: false, offReason: 'gone' });
      expect((await stage.services.store.alertRules.find(rule.id))?.deliveryFailingSince).not.toBeNull();
      await fire(id);
      await deliver();
      expect(receiver.requests).toHaveLength(1);
      expect(await event()).toMatchObject({
        deliveryStatus: 'failed',
        deliveryError: 'The webhook endpoint is off.',
      });
    });

    test('410 of an address that was replaced meanwhile leaves the new one on', async () => {
      const { receiver, id, stored } = await open();
      await fire(id);
      receiver.answer = { status: 410 };
      receiver.onRequest = () =>
        endpoints().update(id, { name: 'Bridge', url: `${receiver.url}/new`, enabled: true }, by());
      await deliver();
      expect(await stored()).toMatchObject({ enabled: true, offReason: null, attempts: [{ status: 410 }] });
    });

    test('ten events in a row that are given up switch it off; one that arrives begins anew', async () => {
      const { receiver, id, stored } = await open();
      const failOnce = async () => {
        receiver.answer = { status: 404 };
        await fire(id);
        await deliver();
      };
      for (let count = 0; count < 9; count++) await failOnce();
      expect(await stored()).toMatchObject({ enabled: true, failures: 9 });
      receiver.answer = { status: 200 };
      await fire(id);
      expect(await deliver()).toBe(1);
      expect(await stored()).toMatchObject({ failures: 0 });
      for (let count = 0; count < 10; count++) await failOnce();
      expect(await stored()).toMatchObject({ enabled: false, offReason: 'failing', failures: 10 });
      expect((await stored()).attempts).toHaveLength(10);
      await endpoints().update(id, { name: 'Bridge', url: receiver.url, enabled: true }, by());
      expect(await stored()).toMatchObject({ enabled: true, offReason: null, failures: 0 });
    });

    test('a redirect is not followed and tried again later', async () => {
      const { receiver, id } = await open();
      await fire(id);
      receiver.answer = { status: 302, headers: { location: `${receiver.url}/elsewhere` } };
      await deliver();
      expect(receiver.requests).toHaveLength(1);
      expect(await event()).toMatchObject({ deliveryStatus: 'pending', deliveryError: 'The endpoint answered 302.' });
      expect(await waited()).toEqual([1]);
      receiver.answer = { status: 200 };
      await deliver();
    });

    test('an endpoint that says nothing for ten seconds is tried again later', { timeout: 25_000 }, async () => {
      const { receiver, id, stored } = await open();
      await fire(id);
      receiver.answer = 'hang';
      await deliver();
      expect(await event()).toMatchObject({ deliveryStatus: 'pending', deliveryAttempts: 1 });
      expect((await stored()).attempts).toMatchObject([{ status: null, error: expect.any(String) }]);
      expect((await stored()).attempts[0]?.ms).toBeLessThan(12_000);
      receiver.answer = { status: 200 };
      await waited();
      expect(await deliver()).toBe(1);
    });

    test('an endpoint that says nothing delays no other, and is asked once', { timeout: 25_000 }, async () => {
      const [dead, well] = [await open(), await open()];
      dead.receiver.answer = 'hang';
      for (let one = 0; one < 5; one++) await fire(dead.id);
      await fire(well.id);
      const startedAt = performance.now();
      const delivering = deliver();
      // Whoever takes it first waits at the dead one, and three more for their turn: the fifth is not taken before.
      expect(await delivering).toBe(1);
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      expect(dead.receiver.requests).toHaveLength(1);
      expect(well.receiver.requests).toHaveLength(1);
      expect((await dead.stored()).attempts).toHaveLength(1);
      expect(await waited()).toEqual([1, 1, 1, 1, 1]);
      dead.receiver.answer = { status: 200 };
      expect(await deliver()).toBe(5);
    });

    test('an answer without end counts by its status', async () => {
      const { receiver, id } = await open();
      await fire(id);
      receiver.answer = 'endless';
      expect(await deliver()).toBe(1);
    });

    test('an address that is not public is not connected to, whatever was saved', async () => {
      const { id } = await open('https://10.0.0.1/hook');
      await fire(id);
      await deliver();
      expect(await event()).toMatchObject({
        deliveryStatus: 'failed',
        deliveryError: '10.0.0.1 is not a public address.',
      });
    });

    test('a rule whose endpoint was deleted says so', async () => {
      const { receiver, id } = await open();
      await fire(id);
      await endpoints().delete(id, by());
      await deliver();
      expect(receiver.requests).toEqual([]);
      expect(await event()).toMatchObject({ deliveryError: 'The webhook endpoint was deleted.' });
    });

    test('a test of a rule is one for the receiver too', async () => {
      const { receiver, id, secret } = await open();
      const rule = await addRule(stage.services, { channel: 'webhook', destination: String(id) });
      expect(await tryRule(rule, stage.services)).toEqual({ ok: true });
      const [request] = receiver.requests as [(typeof receiver.requests)[number]];
      expect(verifyWebhook(secret, request)).toMatchObject({
        type: 'alert.test',
        data: { is_test: true, rule_id: rule.id, value: 1 },
      });
    });

    test('secrets are stored encrypted, and encrypted anew under a new key', async () => {
      const { secret, stored } = await open();
      const before = await stored();
      expect(JSON.stringify(before)).not.toContain(secret.slice('whsec_'.length));
      const { env, store } = stage.services;
      const key = { ...env, SETTINGS_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
      await sealWebhookSecretsAnew(store, key);
      const after = await stored();
      expect(after.secretSealed).not.toBe(before.secretSealed);
      await sealWebhookSecretsAnew(store, key);
      expect((await stored()).secretSealed).toBe(after.secretSealed);
      // Without the new key it cannot sign.
      const [rule, sentBefore] = [await fire(after.id), await deliver()];
      expect([rule.destination, sentBefore]).toEqual([String(after.id), 0]);
      expect(await event()).toMatchObject({ deliveryError: 'The secret cannot be decrypted; rotate it.' });
    });
  });
});
