import { describe, expect, test } from 'vitest';
import { runsSync } from '../../jobs/runs-sync.ts';
import { sendDailyDigests } from '../../server/alerts/daily-digest.ts';
import { sealServiceToken } from '../../server/platform/service-token.ts';
import { day } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { mailStage } from './mail-stage.ts';
import { addRule, bring, endedRuns } from './stage.ts';

aDatabase((given) => {
  describe('the email of a day', () => {
    const stage = mailStage(given);
    let number = 0;
    const fire = async (destination: string) => {
      number++;
      await addRule(stage.services, { scope: `repo:octo/repo-${number}`, channel: 'digest', destination });
      expect((await bring(stage.services, endedRuns(stage.services, 6, 6), number)).fired).toBe(1);
      return `Octo/repo-${number}`;
    };
    /** Changes the rule that fired last. */
    const change = async (given: object) => {
      const { alertRules } = stage.services.store;
      const [rule] = await alertRules.list(`octo/repo-${number}`);
      if (!rule) throw new Error('There is no rule.');
      const by = { actor: { id: 101, login: 'ann' }, requestId: null, now: stage.services.clock.now() };
      await alertRules.change(rule.id, given, by);
    };
    const send = () => sendDailyDigests(stage.services, () => true);
    const sendNextDay = () => {
      stage.service.clock.advance(day);
      return send();
    };
    const statuses = async () => {
      const events = await stage.services.store.alertEvents.list(50, `octo/repo-${number}`);
      return events.map(({ deliveryStatus, digestSentAt }) => [deliveryStatus, digestSentAt !== null]);
    };

    test('holds all that was collected for a destination, goes out once, and is nobody else’s', async () => {
      const [first, second] = [await fire('a@codehost.example'), await fire('a@codehost.example')];
      const other = await fire('b@codehost.example');
      expect(stage.mail.requests).toEqual([]);
      expect(await statuses()).toEqual([['batched', false]]);
      expect(await send()).toEqual({ destinations: 2, events: 3, failures: 0 });
      const [toA, toB] = stage.mail.requests.map(({ body }) => body);
      expect([toA.to, toB.to]).toEqual(['a@codehost.example', 'b@codehost.example']);
      for (const repo of [first, second]) expect(toA.text).toContain(repo);
      expect(toA.text).not.toContain(other);
      expect(toB.text).toContain(other);
      expect(await statuses()).toEqual([['sent', true]]);
      expect(await send()).toEqual({ destinations: 0, events: 0, failures: 0 });
    });

    test('that was sent before its sending was noted is the same email, under the same key', async () => {
      await fire('c@codehost.example');
      await stage.services.store.digests.claim(stage.services.clock.now() - day);
      const { digests } = stage.services.store;
      const dying = {
        ...stage.services,
        store: { ...stage.services.store, digests: { ...digests, sent: () => Promise.reject(gone) } },
      };
      await expect(sendDailyDigests(dying, () => true)).rejects.toBe(gone);
      // What fires meanwhile is for another email: this one must not change.
      await fire('c@codehost.example');
      expect(await send(), 'one a day').toEqual({ destinations: 1, events: 1, failures: 0 });
      expect(await sendNextDay()).toEqual({ destinations: 1, events: 1, failures: 0 });
      const [before, again, next] = stage.mail.requests;
      expect(again?.headers['idempotency-key']).toBe(before?.headers['idempotency-key']);
      expect(again?.text).toBe(before?.text);
      expect(next?.headers['idempotency-key']).not.toBe(before?.headers['idempotency-key']);
    });
    const gone = new Error('gone');

    test('goes to each destination once a day, however often its job goes on', async () => {
      await fire('o@codehost.example');
      expect((await send()).destinations).toBe(1);
      await fire('o@codehost.example');
      for (let times = 0; times < 3; times++) expect(await send()).toEqual({ destinations: 0, events: 0, failures: 0 });
      expect(await statuses()).toEqual([['batched', false]]);
      expect(await sendNextDay()).toEqual({ destinations: 1, events: 1, failures: 0 });
      expect(stage.mail.requests.at(-1)?.body.text).not.toMatch(/earlier/);
    });

    test.each([401, 503])('that meets %i is not tried again before the next day, and loses nothing', async (status) => {
      const repo = await fire(`p${status}@codehost.example`);
      stage.mail.trouble({ status, body: '{"message":"no"}', times: 6 });
      expect(await send()).toEqual({ destinations: 0, events: 0, failures: 1 });
      const tried = stage.mail.requests.length;
      for (let times = 0; times < 6; times++) expect(await send()).toEqual({ destinations: 0, events: 0, failures: 0 });
      expect(stage.mail.requests).toHaveLength(tried);
      expect(await statuses()).toEqual([['batched', false]]);
      stage.mail.reset();
      expect(await sendNextDay()).toEqual({ destinations: 1, events: 1, failures: 0 });
      expect(stage.mail.requests.at(-1)?.body.text).toContain(repo);
      expect(await send()).toEqual({ destinations: 0, events: 0, failures: 0 });
    });

    test('of which nothing is known leaves its rules failing until it arrives, and no other comes that day', async () => {
      const first = await fire('q@codehost.example');
      const failing = async () => {
        const rules = await stage.services.store.alertRules.list(first.toLowerCase());
        return rules.map(({ deliveryFailingSince: since }) => since !== null);
      };
      stage.mail.trouble({ status: 503, body: '{"message":"no"}', times: 6 });
      expect((await send()).failures).toBe(1);
      expect(await failing()).toEqual([true]);
      stage.mail.reset();
      const later = await fire('q@codehost.example');
      expect(await sendNextDay()).toEqual({ destinations: 1, events: 1, failures: 0 });
      expect(await failing()).toEqual([false]);
      expect(await sendNextDay()).toEqual({ destinations: 1, events: 1, failures: 0 });
      expect(stage.mail.requests.at(-1)?.body.text).toContain(later);
    });

    test('that is rejected waits for the next one, in which what is late comes first', async () => {
      const late = await fire('d@codehost.example');
      stage.mail.trouble({ status: 401, body: '{"message":"no"}', times: 1 });
      expect(await send()).toEqual({ destinations: 0, events: 0, failures: 1 });
      expect(await statuses()).toEqual([['batched', false]]);
      const fresh = await fire('d@codehost.example');
      expect(await sendNextDay()).toEqual({ destinations: 1, events: 2, failures: 0 });
      const { text } = stage.mail.requests.at(-1)?.body ?? {};
      expect(text.indexOf(late)).toBeLessThan(text.indexOf(fresh));
      expect(text).toMatch(/earlier/);
    });

    test('that is rejected for the sixth time gives up what was in all six; its rules say so from the first', async () => {
      const rules = stage.services.store.alertRules;
      const failing = async () =>
        (await rules.list())
          .filter(({ deliveryFailingSince: since }) => since !== null)
          .map(({ scope }) => scope.slice('repo:'.length).toLowerCase());
      const old = await fire('g@codehost.example');
      stage.mail.trouble({ status: 422, body: '{"message":"no to g@codehost.example"}', times: 6 });
      for (let email = 1; email <= 5; email++) {
        expect((await sendNextDay()).failures).toBe(1);
        expect(await failing()).toEqual([old.toLowerCase()]);
      }
      const [given] = await stage.services.store.alertEvents.list(1, old.toLowerCase());
      expect(given).toMatchObject({ deliveryStatus: 'batched', deliveryAttempts: 5 });
      expect(given?.deliveryError).toContain('no to g•••@codehost.example');
      const last = await fire('g@codehost.example');
      expect((await sendNextDay()).failures).toBe(1);
      expect(await failing()).toEqual([old.toLowerCase(), last.toLowerCase()]);
      expect(await statuses()).toEqual([['batched', false]]);
      expect(await stage.services.store.alertEvents.list(1, old.toLowerCase())).toMatchObject([
        { deliveryStatus: 'failed', deliveryAttempts: 6 },
      ]);
      // What the rule reports next arrives.
      stage.service.clock.advance(25 * 3_600_000);
      expect((await bring(stage.services, endedRuns(stage.services, 6, 6), number - 1)).fired).toBe(1);
      expect(await send()).toEqual({ destinations: 1, events: 2, failures: 0 });
      expect(await failing()).toEqual([]);
    });

    test.each([503, 422])('that meets %i keeps what was said without addresses', async (status) => {
      await fire(`h${status}@codehost.example`);
      stage.mail.trouble({ status, body: '{"message":"not to hugo@codehost.example"}', times: 1 });
      expect((await send()).failures).toBe(1);
      const { rows } = await stage.services.store.queue.executeSql(
        'select error from digest_sends order by id desc limit 1',
      );
      const [{ error }] = rows as [{ error: string }];
      expect(error).toContain('not to h•••@codehost.example');
      expect(error).not.toContain('hugo');
      expect(await sendNextDay()).toEqual({ destinations: 1, events: 1, failures: 0 });
    });

    test('goes where the rule sends to by then, with what fired before', async () => {
      await fire('i@codehost.example');
      await change({ destination: 'j@codehost.example' });
      expect(await send()).toEqual({ destinations: 1, events: 1, failures: 0 });
      expect(stage.mail.requests.map(({ body }) => body.to)).toEqual(['j@codehost.example']);
    });

    test('lacks what fired for a rule that was switched off since', async () => {
      const [off] = [await fire('k@codehost.example')];
      await change({ enabled: false });
      expect(await stage.services.store.alertEvents.list(1, off.toLowerCase())).toMatchObject([
        { deliveryStatus: 'failed', deliveryError: 'The rule was switched off.' },
      ]);
      const on = await fire('k@codehost.example');
      expect(await send()).toEqual({ destinations: 1, events: 1, failures: 0 });
      expect(stage.mail.requests[0]?.body.text).toContain(on);
      expect(stage.mail.requests[0]?.body.text).not.toContain(off);
    });

    test('that is under way stays as it is, whatever becomes of the rule', async () => {
      await fire('l@codehost.example');
      await stage.services.store.digests.claim(stage.services.clock.now());
      await change({ destination: 'm@codehost.example' });
      await change({ enabled: false });
      expect(await send()).toEqual({ destinations: 1, events: 1, failures: 0 });
      expect(stage.mail.requests.map(({ body }) => body.to)).toEqual(['l@codehost.example']);
      expect(await statuses()).toEqual([['sent', true]]);
    });

    test('is not begun when there is no time left, and nothing is lost by it', async () => {
      await fire('e@codehost.example');
      expect(await sendDailyDigests(stage.services, () => false)).toEqual({ destinations: 0, events: 0, failures: 0 });
      expect(await send()).toEqual({ destinations: 1, events: 1, failures: 0 });
    });

    test('goes out in a night in which the platform rejects the service’s token, which is reported', async () => {
      await fire('n@codehost.example');
      const { services } = stage;
      const context = {
        services: { ...services, env: { ...services.env, CODEHOST_TOKEN: sealServiceToken('nobody') } },
        signal: AbortSignal.any([]),
        mayContinue: () => true,
        until: services.clock.now() + 240_000,
        since: null,
      };
      await expect(runsSync.run(context)).rejects.toMatchObject({ code: 'service_token_missing' });
      expect(stage.mail.requests.map(({ body }) => body.to)).toEqual(['n@codehost.example']);
      expect(await statuses()).toEqual([['sent', true]]);
    });

    test('without anything that mail goes out through waits for another day', async () => {
      await fire('f@codehost.example');
      const status = async () => ({ source: 'none' as const, provider: null, from: null });
      const without = { ...stage.services, mailer: { ...stage.services.mailer, status } };
      expect(await sendDailyDigests(without, () => true)).toEqual({ destinations: 0, events: 0, failures: 0 });
      expect(await statuses()).toEqual([['batched', false]]);
      expect((await send()).destinations).toBe(1);
    });
  });
});
