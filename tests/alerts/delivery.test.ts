import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { countLostAttempts, deliverWaiting, handOver } from '../../server/alerts/deliver.ts';
import { createMailer } from '../../server/mail/mailer.ts';
import { aDatabase } from '../support/a-database.ts';
import type { MailDouble } from '../support/mail-double.ts';
import { mailStage } from './mail-stage.ts';
import { addRule, bring, endedRuns } from './stage.ts';

aDatabase((given) => {
  describe('delivering alerts', () => {
    const stage = mailStage(given);
    let number = 0;

    /** A rule that has just fired over a repository of its own. */
    const fire = async (more: object = {}) => {
      number++;
      const rule = await addRule(stage.services, {
        scope: `repo:octo/repo-${number}`,
        channel: 'email',
        destination: `team-${number}@codehost.example`,
        ...more,
      });
      expect(await bring(stage.services, endedRuns(stage.services, 6, 6), number)).toEqual({ evaluated: 1, fired: 1 });
      return rule;
    };
    const deliver = () => deliverWaiting(stage.services, () => true);
    const event = async () => (await stage.services.store.alertEvents.list(1, `octo/repo-${number}`))[0];
    /** As if so much time had passed for whatever waits in the queue; answers how long it still had to wait. */
    const waited = async () => {
      const request = 'extract(epoch from start_after - now())';
      const { rows } = await stage.services.store.queue.executeSql(
        `with waiting as (select id, ${request} as seconds from queue.job where name = 'deliver-alerts' and state = 'created'),
           moved as (update queue.job set start_after = now() where id in (select id from waiting))
         select seconds::float8 from waiting`,
      );
      return rows.map((row) => Math.round((row as { seconds: number }).seconds / 60));
    };

    test('an email goes out once, reports what fired, and to one address', async () => {
      const rule = await fire();
      expect(stage.mail.requests).toEqual([]);
      expect((await event())?.deliveryStatus).toBe('pending');
      expect(await deliver()).toBe(1);
      expect(await deliver()).toBe(0);
      expect(stage.mail.requests).toHaveLength(1);
      const [{ headers, body }] = stage.mail.requests as [MailDouble['requests'][number]];
      const fired = await event();
      expect(headers['idempotency-key']).toBe(`event:${fired?.id}`);
      expect(body.to).toBe(rule.destination);
      expect(body.subject).toContain(`Octo/repo-${number}`);
      for (const part of [body.text, body.html]) {
        for (const reported of ['100', '50', 'Failure rate']) expect(part).toContain(reported);
        expect(part).toContain(`http://localhost:3000/alerts#rule-${rule.id}`);
      }
      expect(fired).toMatchObject({ deliveryStatus: 'sent', deliveryAttempts: 1, deliveryError: null });
    });

    test('a provider that is down is tried six times, each later, then it is given up and the rule says so', async () => {
      const { id } = await fire();
      stage.mail.trouble({ status: 503, body: 'down for repairs, ann@codehost.example', times: 99 });
      const waits = [];
      for (let attempt = 1; attempt <= 5; attempt++) {
        expect(await deliver()).toBe(0);
        expect(await event()).toMatchObject({ deliveryStatus: 'pending', deliveryAttempts: attempt });
        // Before its time nothing is sent.
        const sent = stage.mail.requests.length;
        await deliver();
        expect(stage.mail.requests).toHaveLength(sent);
        waits.push(...(await waited()));
      }
      expect(waits).toEqual([1, 5, 30, 120, 360]);
      await deliver();
      expect(await event()).toMatchObject({ deliveryStatus: 'failed', deliveryAttempts: 6 });
      expect((await event())?.deliveryError).toContain('down for repairs, a•••@codehost.example');
      expect(stage.mail.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(
        Array.from({ length: 6 }, () => stage.mail.requests[0]?.headers['idempotency-key']),
      );
      expect((await stage.services.store.alertRules.find(id))?.deliveryFailingSince).not.toBeNull();
      expect(await waited()).toEqual([]);
    });

    test('one that comes back gets it, and the rule is well again', async () => {
      const { id } = await fire();
      stage.mail.trouble({ status: 500, times: 1 });
      await deliver();
      await waited();
      expect(await deliver()).toBe(1);
      expect(await event()).toMatchObject({ deliveryStatus: 'sent', deliveryAttempts: 2 });
      expect((await stage.services.store.alertRules.find(id))?.deliveryFailingSince).toBeNull();
    });

    test.each([401, 422])('after %i it is not tried again', async (status) => {
      await fire();
      stage.mail.trouble({ status, body: '{"message":"no"}', times: 1 });
      await deliver();
      expect(await event()).toMatchObject({ deliveryStatus: 'failed', deliveryAttempts: 1 });
      expect(await waited()).toEqual([]);
    });

    test('whoever asks for more time is given it', async () => {
      await fire();
      stage.mail.trouble({ status: 429, headers: { 'retry-after': '7200' }, body: '{}', times: 1 });
      await deliver();
      expect(await waited()).toEqual([120]);
      expect(await deliver()).toBe(1);
    });

    test('a rule that is deleted meanwhile has still fired: its email goes out', async () => {
      const { id } = await fire();
      const by = { actor: { id: 101, login: 'ann' }, requestId: randomUUID(), now: stage.services.clock.now() };
      await stage.services.store.alertRules.remove(id, by);
      expect(await deliver()).toBe(1);
      expect(await event()).toMatchObject({ ruleId: null, deliveryStatus: 'sent' });
    });

    test('one whose rule was given another address, or was switched off, meanwhile follows it', async () => {
      const { id } = await fire();
      const by = { actor: { id: 101, login: 'ann' }, requestId: null, now: stage.services.clock.now() };
      await stage.services.store.alertRules.change(id, { destination: 'elsewhere@codehost.example' }, by);
      expect(await deliver()).toBe(1);
      expect(stage.mail.requests.map(({ body }) => body.to)).toEqual(['elsewhere@codehost.example']);
      const other = await fire();
      await stage.services.store.alertRules.change(other.id, { enabled: false }, by);
      expect(await deliver()).toBe(0);
      expect(stage.mail.requests).toHaveLength(1);
      expect(await event()).toMatchObject({ deliveryStatus: 'failed', deliveryError: 'The rule was switched off.' });
    });

    test('without anything that mail goes out through it waits and loses no attempt, for a week', async () => {
      const { env, store, clock, log } = stage.services;
      const mailer = createMailer({ env: { ...env, RESEND_API_KEY: undefined }, store, clock, log });
      const deliverWithout = () => deliverWaiting({ ...stage.services, mailer }, () => true);
      await fire();
      for (let round = 1; round <= 8; round++) {
        expect(await deliverWithout()).toBe(0);
        const error = 'No email provider is configured.';
        expect(await event()).toMatchObject({ deliveryStatus: 'pending', deliveryAttempts: 0, deliveryError: error });
        expect(await countLostAttempts(stage.services)).toBe(0);
        expect(await waited()).toEqual([15]);
      }
      expect(await deliver()).toBe(1);
      expect(await event()).toMatchObject({ deliveryStatus: 'sent', deliveryAttempts: 1, deliveryError: null });
      await fire();
      stage.service.clock.advance(7 * 24 * 3_600_000);
      const waits = [];
      for (let attempt = 1; attempt <= 6; attempt++) {
        expect(await deliverWithout()).toBe(0);
        expect((await event())?.deliveryAttempts).toBe(attempt);
        waits.push(...(await waited()));
      }
      expect(waits).toEqual([1, 5, 30, 120, 360]);
      expect((await event())?.deliveryStatus).toBe('failed');
    });

    test('a provider that does not answer is asked for one email, and the others wait a minute', async () => {
      for (let one = 0; one < 3; one++) await fire();
      stage.mail.trouble({ kind: 'reset', times: 1 });
      expect(await deliver()).toBe(0);
      expect(stage.mail.requests).toHaveLength(1);
      const fired = (await stage.services.store.alertEvents.list(3)).map(
        ({ deliveryStatus, deliveryAttempts, deliveryError }) =>
          [deliveryStatus, deliveryAttempts, deliveryError?.includes('could not be reached')] as const,
      );
      expect(fired.toSorted()).toEqual([
        ['pending', 0, true],
        ['pending', 0, true],
        ['pending', 1, true],
      ]);
      expect(await waited()).toEqual([1, 1, 1]);
      expect(await deliver()).toBe(3);
      expect(new Set(stage.mail.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
    });

    test('two processes hand it over once', async () => {
      for (let one = 0; one < 5; one++) await fire();
      expect((await Promise.all([deliver(), deliver(), deliver()])).reduce((sum, n) => sum + n, 0)).toBe(5);
      expect(new Set(stage.mail.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(5);
      expect(stage.mail.requests).toHaveLength(5);
    });

    test('an attempt whose end was not noted is made again under the same key', async () => {
      await fire();
      const fired = await event();
      if (!fired) throw new Error('It has not fired.');
      // The process died between the sending and the note: the item is still there, and so is the event.
      expect(await handOver(fired, stage.services)).toMatchObject({ ok: true });
      expect(await deliver()).toBe(1);
      const [first, second] = stage.mail.requests;
      expect(stage.mail.requests).toHaveLength(2);
      expect(second?.headers['idempotency-key']).toBe(`event:${fired.id}`);
      expect(second?.text).toBe(first?.text);
    });

    test('Slack gets the same words; what is markup there is not', async () => {
      await fire({ channel: 'slack', destination: `${stage.mail.url}/stage.services/T0/B0/secret` });
      stage.mail.trouble({ status: 200, body: 'ok', times: 1 });
      expect(await deliver()).toBe(1);
      const [{ path, body, text }] = stage.mail.requests as [MailDouble['requests'][number]];
      expect(path).toBe('/stage.services/T0/B0/secret');
      expect(body.text).toContain(`Octo/repo-${number}`);
      expect(body.blocks[0].text.text).toContain('100');
      expect(text).not.toMatch(/<http|<!/);
    });

    test('a Slack that redirects is not followed', async () => {
      await fire({ channel: 'slack', destination: `${stage.mail.url}/stage.services/T0/B0/secret` });
      stage.mail.trouble({ status: 302, headers: { location: `${stage.mail.url}/elsewhere` }, times: 1 });
      expect(await deliver()).toBe(0);
      expect(stage.mail.requests).toHaveLength(1);
      expect((await event())?.deliveryStatus).toBe('failed');
    });

    test('what cannot be put into the queue has not fired', async () => {
      number++;
      const before = (await stage.services.store.alertEvents.list(50)).length;
      await addRule(stage.services, {
        scope: `repo:octo/repo-${number}`,
        channel: 'email',
        destination: 'team@codehost.example',
      });
      const broken = {
        ...stage.services.queue,
        prepare: async () => undefined,
        add: () => Promise.reject(new Error('full')),
      };
      const failing = { ...stage.services, queue: broken as unknown as typeof stage.services.queue };
      await expect(bring(failing, endedRuns(stage.services, 6, 6), number)).rejects.toThrow('full');
      expect(await stage.services.store.alertEvents.list(50)).toHaveLength(Math.min(50, before));
      expect((await bring(stage.services, endedRuns(stage.services, 6, 6), number)).fired).toBe(1);
      await deliver();
    });
  });
});
