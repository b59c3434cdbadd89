import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { databaseOf } from '../../server/store/database.ts';
import { beginChild } from '../support/child.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { startService } from '../support/service.ts';
import { addRule, bring, endedRuns, servicesOf } from './stage.ts';

const kills = Number(process.env.DELIVERY_KILLS ?? 3);
const letters = kills * 8;

eachDatabase((given) => {
  describe('a process killed while it sends letters', () => {
    let mail: MailDouble;
    beforeAll(async () => {
      mail = await startMailDouble();
    });
    afterAll(() => mail?.close());
    const settings = (url: string) => ({
      ...{ NODE_ENV: 'test', LOG_LEVEL: 'silent', SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo' },
      ...{ RESEND_API_KEY: mail.keys.resend, RESEND_FROM: 'alerts@codehost.example', RESEND_API_URL: mail.url },
      DATABASE_URL: url,
    });

    /** As if half a minute had passed, after which the items of the dead are taken again. */
    async function forgetDead(url: string) {
      const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 5000 });
      const { query } = databaseOf(connection.orm);
      await query(`update queue.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`);
      await query(`update queue.queue set monitor_claim_on = null, monitor_on = null`);
      await query(`update queue.job set start_after = now() where state in ('created', 'retry')`);
      await connection.close();
    }

    test(
      `${kills} times, loses none, and none is another one when it is sent again`,
      async () => {
        const url = await given.address();
        const service = await startService(settings(url));
        const services = servicesOf(service.app);
        for (let number = 1; number <= letters; number++) {
          const about = {
            scope: `repo:octo/repo-${number}`,
            channel: 'email',
            destination: 'a@codehost.example',
          } as const;
          await addRule(services, about);
          expect((await bring(services, endedRuns(services, 6, 6), number)).fired).toBe(1);
        }
        await service.close();
        for (let killed = 0; killed < kills; killed++) {
          const process = beginChild(join(import.meta.dirname, 'deliver-child.ts'), JSON.stringify(settings(url)));
          await process.until(() => process.said.includes('begun'));
          const before = mail.requests.length;
          const after = 1 + Math.floor(Math.random() * 5);
          await process.until(() => mail.requests.length >= before + after || process.said.includes('done'));
          await sleep(Math.random() * 15);
          await process.kill('SIGKILL');
          await forgetDead(url);
        }
        const last = beginChild(join(import.meta.dirname, 'deliver-child.ts'), JSON.stringify(settings(url)));
        expect(await last.exit).toEqual([0, null]);

        const store = await openTestStore(url, { migrate: false });
        const events = await store.alertEvents.list(letters + 1);
        expect(events.map(({ deliveryStatus }) => deliveryStatus)).toEqual(events.map(() => 'sent'));
        const wanted = events.map(({ id }) => `event:${id}`).sort();
        const byKey = Map.groupBy(mail.requests, ({ headers }) => String(headers['idempotency-key']));
        expect([...byKey.keys()].sort()).toEqual(wanted);
        // What went out twice is the same letter under one key, which the provider drops; each kill may leave one.
        for (const sent of byKey.values()) expect(new Set(sent.map(({ text }) => text)).size).toBe(1);
        expect(mail.requests.length - letters).toBeLessThanOrEqual(kills);
        await store.close();
        mail.reset();
      },
      60_000 + kills * 20_000,
    );
  });
});
