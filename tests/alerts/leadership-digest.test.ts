import { describe, expect, test } from 'vitest';
import { runsSync } from '../../jobs/runs-sync.ts';
import { createAiLayer } from '../../server/ai/generate.ts';
import { weekAt } from '../../server/alerts/leadership-digest.ts';
import { dueEmails, sendEmails, writeEmails } from '../../server/alerts/leadership-emails.ts';
import { trackAll } from '../jobs/night.ts';
import { day, minute } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { leadershipStage } from './leadership-stage.ts';
import { servicesOf } from './stage.ts';

const skipped = { skipped: true };
const outcome = (sent: number, failures = 0, rules = sent + failures) => ({ rules_processed: rules, sent, failures });

aDatabase((given) => {
  describe('the weekly email', () => {
    const stage = leadershipStage(given);
    const { lead, change, remove, statusOf, isFailing, on, run, jobOf, dueNow, words } = stage;

    test('goes out on Monday to each rule, once however often the job runs, and says what it rests on', async () => {
      const scope = 'org:octo';
      const [rule, other] = [await lead({ scope }), await lead({ scope, destination: 'other@codehost.example' })];
      on(1);
      expect(await run()).toEqual(outcome(2));
      expect(stage.mail.requests.map(({ body }) => body.to)).toEqual([
        'lead@codehost.example',
        'other@codehost.example',
      ]);
      expect(stage.mail.requests[0]?.headers['idempotency-key']).toBe(
        `leadership:${rule.id}:${weekAt(stage.service.clock.now()).week}`,
      );
      expect(stage.mail.requests[0]?.body.subject).toMatch(
        /^octo: \d+.repositor(y needs|ies need) attention, \d of 6 scored \(2026-W48\)$/,
      );
      expect(words()).toMatch(/AI summary \(openai, [^)]+\) Deployments go out daily\./);
      expect(words()).toMatch(/\d of 6 repositories scored\. .*The mean score is \d+ of 100\./);
      expect(words()).not.toContain('This email is late');
      expect(stage.ai.received, 'an organization is told of once').toHaveLength(1);
      const [status] = await stage.services.store.alertRules.statuses([{ id: rule.id, freshSince: 0 }]);
      expect(status?.lastFiredAt).toBe(stage.service.clock.now());
      for (const weekday of [1, 2, 3, 4]) {
        on(weekday);
        expect(await run()).toEqual(skipped);
      }
      expect(stage.mail.requests).toHaveLength(2);
      expect([await statusOf(rule), await statusOf(other)]).toEqual(['sent', 'sent']);
      expect(await isFailing(rule)).toBe(false);
    });

    test('that missed its Monday goes out on Tuesday and says so', async () => {
      await lead();
      on(2);
      expect(await run()).toEqual(outcome(1));
      expect(words()).toContain('This email is late: it was due on Monday.');
      on(3);
      expect(await run()).toEqual(skipped);
    });

    test('is late only to rules that were on when it was due', async () => {
      const [muted, changed] = [await lead(), await lead({ destination: 'changed@codehost.example' })];
      await change(changed, { enabled: false });
      on(1);
      await change(muted, { mutedUntil: stage.service.clock.now() + 12 * 60 * minute });
      await lead({ destination: 'new@codehost.example' });
      stage.service.clock.advance(minute);
      await change(changed, { enabled: true });
      on(2);
      expect(await run()).toEqual(outcome(3));
      for (const index of [0, 1, 2]) expect(words(index)).not.toContain('This email is late');
    });

    test('is missed on Thursday, which its rule reports until the next one went out', async () => {
      const rule = await lead();
      on(4);
      expect(await run()).toEqual(skipped);
      expect([await statusOf(rule), await isFailing(rule)]).toEqual(['missed', true]);
      on(7);
      on(1);
      expect(await run()).toEqual(outcome(1));
      expect(await isFailing(rule)).toBe(false);
      expect(stage.mail.requests).toHaveLength(1);
    });

    test('is nothing to rules that are off, muted, or younger than its Monday', async () => {
      const [off, muted] = [await lead(), await lead({ destination: 'muted@codehost.example' })];
      await change(off, { enabled: false });
      await change(muted, { mutedUntil: stage.service.clock.now() + 6 * day });
      on(1);
      expect(await run()).toEqual(skipped);
      on(2);
      const young = await lead({ destination: 'young@codehost.example' });
      expect(await run()).toEqual(skipped);
      on(4);
      expect(await run()).toEqual(skipped);
      for (const rule of [off, muted, young]) expect(await statusOf(rule)).toBeNull();
      expect(stage.mail.requests).toEqual([]);
    });

    test('does without a paragraph where none can be had', async () => {
      await lead({ scope: 'org:octo' });
      on(1);
      stage.ai.next({ status: 400 });
      expect(await run()).toEqual(outcome(1));
      expect(stage.ai.received).toHaveLength(1);
      expect(words()).not.toContain('language model');
      expect(words()).toContain('The mean score is');
      const none = createAiLayer({ ...stage.services, env: { ...stage.services.env, OPENAI_API_KEY: undefined } });
      const without = jobOf({ services: { ...stage.services, ai: none } });
      const rules = await stage.services.store.alertRules.list();
      const emails = await writeEmails({ ...weekAt(stage.service.clock.now()), rules }, without);
      expect(emails.get('octo')).toMatchObject({ org: 'octo', aiSummary: null });
    });

    test('that is rejected is tried again on the next day, and given up after Wednesday', async () => {
      const [rule, second] = [await lead(), await lead({ destination: 'second@codehost.example' })];
      const fail = (times: number) => stage.mail.trouble({ status: 401, body: '{"message":"no"}', times });
      on(1);
      fail(2);
      expect(await run()).toEqual(outcome(0, 2));
      expect([await statusOf(rule), await isFailing(rule)]).toEqual(['failed', true]);
      on(2);
      fail(0);
      await change(second, { enabled: false });
      expect(await run()).toEqual(outcome(1));
      expect([await statusOf(rule), await isFailing(rule)]).toEqual(['sent', false]);
      expect(words(), 'it is written anew').toContain('This email is late');
      await change(second, { enabled: true });
      fail(99);
      // Twice a day, counted from Monday: one attempt of the six was made.
      for (const expected of [outcome(0, 1), outcome(0, 1), outcome(0, 1), skipped])
        expect(await run()).toEqual(expected);
      on(3);
      for (const expected of [outcome(0, 1), outcome(0, 1), skipped]) expect(await run()).toEqual(expected);
      on(4);
      fail(0);
      expect(await run()).toEqual(skipped);
      expect(await statusOf(second)).toBe('missed');
    });

    test('of which it is not known whether it went out is the same email again, under the same key', async () => {
      const rule = await lead();
      on(1);
      const due = await dueNow();
      const emails = await writeEmails(due, jobOf());
      const { store } = stage.services;
      const weeklyDigests = { ...store.weeklyDigests, sent: () => Promise.reject(new Error('gone')) };
      const dying = { ...stage.services, store: { ...store, weeklyDigests } };
      expect(await sendEmails(due, emails, jobOf({ services: dying }))).toEqual({ rules: 1, sent: 0, failures: 1 });
      expect(await statusOf(rule)).toBe('claimed');
      const later = new Map([...emails].map(([scope, email]) => [scope, { ...email, org: 'elsewhere' }]));
      expect(await sendEmails(await dueNow(), later, jobOf())).toEqual({ rules: 1, sent: 1, failures: 0 });
      const [before, again] = stage.mail.requests;
      expect(again?.text).toBe(before?.text);
      expect(again?.headers['idempotency-key']).toBe(before?.headers['idempotency-key']);
    });

    test('that was rejected is not in its old words after an attempt that died before it was written', async () => {
      await lead();
      on(1);
      stage.mail.trouble({ status: 401, body: '{"message":"no"}', times: 1 });
      expect(await run()).toEqual(outcome(0, 1));
      on(2);
      const due = await dueNow();
      const emails = await writeEmails(due, jobOf());
      const answers = { ...stage.services.answers, put: () => Promise.reject(new Error('gone')) };
      const dying = { ...stage.services, answers };
      expect(await sendEmails(due, emails, jobOf({ services: dying }))).toMatchObject({ failures: 1 });
      expect(await run()).toEqual(outcome(1));
      expect(words()).toContain('This email is late');
    });

    test('goes out once where several processes are at it', async () => {
      await lead();
      on(1);
      const beside = await stage.beside();
      const due = await dueNow();
      const emails = await writeEmails(due, jobOf());
      const others = beside ? servicesOf(beside.app) : stage.services;
      const reports = await Promise.all(
        [stage.services, others, stage.services, others].map((one) =>
          sendEmails(due, emails, jobOf({ services: one })),
        ),
      );
      expect(reports.map(({ sent }) => sent).sort()).toEqual([0, 0, 0, 1]);
      expect(stage.mail.requests).toHaveLength(1);
      await beside?.close();
    });

    test('is not sent for a rule that was deleted or muted meanwhile, and goes to where the rule says by then', async () => {
      const [gone, muted] = [await lead(), await lead({ destination: 'b@codehost.example' })];
      const elsewhere = await lead({ destination: 'c@codehost.example' });
      on(1);
      const due = await dueNow();
      const emails = await writeEmails(due, jobOf());
      await remove(gone);
      await change(muted, { mutedUntil: stage.service.clock.now() + day });
      await change(elsewhere, { destination: 'd@codehost.example' });
      expect(await sendEmails(due, emails, jobOf())).toEqual({ rules: 3, sent: 1, failures: 0 });
      expect(stage.mail.requests.map(({ body }) => body.to)).toEqual(['d@codehost.example']);
    });

    test('of an organization without any score says so, and asks no model', async () => {
      await lead();
      on(1);
      expect(await run()).toEqual(outcome(1));
      expect(stage.mail.requests[0]?.body.subject).toMatch(/^sealed: no scores \(\d{4}-W\d\d\)$/);
      expect(words()).toContain('0 of 1 repository scored.');
      expect(words()).not.toMatch(/healthy/i);
      expect(stage.ai.received).toEqual([]);
    });

    test('of an organization that cannot be read waits, and keeps no other from its email', async () => {
      const [ghost, rule] = [await lead({ scope: 'org:ghost' }), await lead()];
      on(1);
      expect(await run()).toEqual(outcome(1, 1));
      expect([await statusOf(ghost), await statusOf(rule)]).toEqual([null, 'sent']);
    });

    test('reports what could be scored in time, and waits where that is nothing', async () => {
      await lead({ scope: 'org:octo' });
      on(1);
      const due = await dueNow();
      const { double, clock } = stage.service;
      double.requests.length = 0;
      let left = 2;
      const emails = await writeEmails(due, jobOf({ mayContinue: () => left-- > 0 }));
      expect(emails.get('octo')).toMatchObject({ repositories: 6, aiSummary: null });
      const requested = double.requests.flatMap(({ path }) => /^\/repos\/octo\/([^/?]+)/.exec(path)?.[1] ?? []);
      expect([...new Set(requested)]).toHaveLength(2);
      expect(await writeEmails(due, jobOf({ mayContinue: () => false }))).toEqual(new Map());
      clock.advance(minute);
      double.budgets.setRemaining('ann', 'graphql', 900);
      expect(await run()).toEqual(outcome(0, 1));
      clock.advance(minute);
      double.budgets.clear();
      expect(await run()).toEqual(outcome(1));
    });

    test('is not due without a token to read with, or anything that mail goes out through', async () => {
      const rule = await lead();
      on(1);
      const env = { ...stage.services.env, CODEHOST_TOKEN: undefined };
      expect(await dueEmails(jobOf({ services: { ...stage.services, env } }))).toBeNull();
      const status = async () => ({ source: 'none' as const, provider: null, from: null });
      const mailer = { ...stage.services.mailer, status };
      expect(await dueEmails(jobOf({ services: { ...stage.services, mailer } }))).toBeNull();
      expect(await statusOf(rule)).toBeNull();
      expect((await dueNow()).rules.map(({ id }) => id)).toEqual([rule.id]);
    });

    test('has its time though reading could use it all', async () => {
      const { clock, double } = stage.service;
      await trackAll(double, stage.services.store, ['octo/web'], clock.now());
      await lead();
      on(1);
      // A minute is for scoring, and half of one for the mail.
      const short = () => runsSync.run(jobOf({ until: clock.now() + 90_000 }));
      const leadership = { rules: 1, sent: 1, failures: 0 };
      expect((await short()).report).toMatchObject({ tracked: 1, remaining: 1, leadership });
      expect((await short()).report).toMatchObject({ tracked: 1, remaining: 0, leadership: null });
    });
  });
});
