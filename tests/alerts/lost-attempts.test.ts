import { describe, expect, test } from 'vitest';
import { housekeeping } from '../../jobs/housekeeping.ts';
import { runJob } from '../../jobs/run-job.ts';
import { countLostAttempts, deliverWaiting } from '../../server/alerts/deliver.ts';
import { aDatabase } from '../support/a-database.ts';
import { mailStage } from './mail-stage.ts';
import { addRule, bring, endedRuns } from './stage.ts';

aDatabase((given) => {
  describe('an attempt of which nothing is noted', () => {
    const stage = mailStage(given);
    let number = 0;

    const fire = async () => {
      number++;
      const about = { scope: `repo:octo/repo-${number}`, channel: 'email', destination: 'a@codehost.example' } as const;
      const { id } = await addRule(stage.services, about);
      expect((await bring(stage.services, endedRuns(stage.services, 6, 6), number)).fired).toBe(1);
      return id;
    };
    const deliver = () => deliverWaiting(stage.services, () => true);
    const event = async () => (await stage.services.store.alertEvents.list(1, `octo/repo-${number}`))[0];
    const failingSince = async (id: number) => (await stage.services.store.alertRules.find(id))?.deliveryFailingSince;
    const sql = async <Row>(text: string) => (await stage.services.store.queue.executeSql(text)).rows as Row[];
    const open = `name = 'deliver-alerts' and state in ('created', 'retry')`;
    /** As if so much time had passed for what waits in the queue; answers how many seconds it still had to wait. */
    const waited = async () => {
      const seconds = 'extract(epoch from start_after - now())::float8 as seconds';
      const rows = await sql<{ seconds: number }>(`select ${seconds} from queue.job where ${open}`);
      await sql(`update queue.job set start_after = now() where ${open}`);
      return rows.map((row) => row.seconds);
    };
    /** As in a queue that lost what waits in it. */
    const lose = () => sql(`delete from queue.job where ${open}`);

    test('is made again in pauses that grow; given up, it counts as failed, and the next one reports the event', async () => {
      const rule = await fire();
      await sql('alter table alert_events add constraint unnoted check (delivery_attempts = 0) not valid');
      const pauses: number[] = [];
      for (let taken = 1; taken <= 6; taken++) {
        await expect(deliver()).rejects.toThrow('unnoted');
        pauses.push(...(await waited()));
      }
      expect(pauses).toHaveLength(5);
      for (const [index, seconds] of pauses.entries()) {
        expect(seconds).toBeGreaterThan(30 * 2 ** index - 2);
        expect(seconds).toBeLessThanOrEqual(60 * 2 ** index);
      }
      expect(stage.mail.requests).toHaveLength(6);
      expect(await deliver()).toBe(0);
      await expect(countLostAttempts(stage.services)).rejects.toThrow('unnoted');
      await sql('alter table alert_events drop constraint unnoted');
      expect(await event()).toMatchObject({ deliveryStatus: 'pending', deliveryAttempts: 0 });

      await Promise.all([1, 2, 3].map(() => countLostAttempts(stage.services)));
      const error = 'The result of this attempt is unknown.';
      expect(await event()).toMatchObject({ deliveryStatus: 'pending', deliveryAttempts: 1, deliveryError: error });
      // What waits is not lost.
      expect(await countLostAttempts(stage.services)).toBe(0);
      expect((await waited()).map(Math.round)).toEqual([60]);
      expect(await deliver()).toBe(1);
      expect(await event()).toMatchObject({ deliveryStatus: 'sent', deliveryAttempts: 2, deliveryError: null });
      expect(await failingSince(rule)).toBeNull();
      expect(new Set(stage.mail.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    });

    test('is one of six: after the last of them the event is given up, and the rule says so', async () => {
      const rule = await fire();
      const minutes: number[] = [];
      for (let attempt = 1; attempt <= 6; attempt++) {
        expect(await failingSince(rule)).toBeNull();
        expect((await event())?.deliveryStatus).toBe('pending');
        await lose();
        expect(await countLostAttempts(stage.services)).toBe(1);
        expect((await event())?.deliveryAttempts).toBe(attempt);
        minutes.push(...(await waited()).map((seconds) => Math.round(seconds / 60)));
      }
      expect(minutes).toEqual([1, 5, 30, 120, 360]);
      expect((await event())?.deliveryStatus).toBe('failed');
      expect(await failingSince(rule)).not.toBeNull();
      expect(await countLostAttempts(stage.services)).toBe(0);
      expect(stage.mail.requests).toEqual([]);
    });

    test('is not one that is under way', async () => {
      await fire();
      stage.mail.answerAfter(1000);
      const delivering = deliver();
      await expect.poll(() => stage.mail.requests.length).toBe(1);
      expect(await countLostAttempts(stage.services)).toBe(0);
      expect(await delivering).toBe(1);
      expect(await event()).toMatchObject({ deliveryStatus: 'sent', deliveryAttempts: 1 });
    });

    test('is looked for by housekeeping', async () => {
      await fire();
      await lose();
      await runJob(housekeeping, stage.services, {
        slot: 'now',
        trigger: 'internal',
        stopping: new AbortController().signal,
      });
      expect(await stage.services.store.jobRuns.latest('housekeeping', 1)).toMatchObject([
        { status: 'done', summary: { deliveries_lost: 1 } },
      ]);
      await waited();
      expect(await deliver()).toBe(1);
      expect(await event()).toMatchObject({ deliveryStatus: 'sent', deliveryAttempts: 2 });
    });
  });
});
