import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDatabase } from '../support/a-database.ts';
import { beginChild } from '../support/child.ts';
import { openTestStore } from '../support/database.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { startService } from '../support/service.ts';
import { expectSentOnce, expireItems, killSenders, kills, settingsOf } from './killed-sending.ts';
import { addRule, bring, endedRuns, servicesOf } from './stage.ts';

/** So many that no process sends all of them before it is killed. */
const emails = Math.max(kills * 8, 24);

aDatabase((given) => {
  describe('a process killed while it sends emails', () => {
    let mail: MailDouble;
    beforeAll(async () => {
      mail = await startMailDouble();
    });
    afterAll(() => mail?.close());

    test(
      `${kills} times, loses none, and none is another one when it is sent again`,
      async () => {
        const url = await given.address();
        const service = await startService(settingsOf(mail, url));
        const services = servicesOf(service.app);
        for (let number = 1; number <= emails; number++) {
          const about = {
            scope: `repo:octo/repo-${number}`,
            channel: 'email',
            destination: 'a@codehost.example',
          } as const;
          await addRule(services, about);
          expect((await bring(services, endedRuns(services, 6, 6), number)).fired).toBe(1);
        }
        await service.close();
        const begin = () =>
          beginChild(join(import.meta.dirname, 'deliver-child.ts'), JSON.stringify(settingsOf(mail, url)));
        await killSenders({ mail, database: url, begin, expire: expireItems });

        const store = await openTestStore(url, { migrate: false });
        const events = await store.alertEvents.list(emails + 1);
        expect(events.map(({ deliveryStatus }) => deliveryStatus)).toEqual(events.map(() => 'sent'));
        expectSentOnce(
          mail,
          events.map(({ id }) => `event:${id}`),
        );
        await store.close();
        mail.reset();
      },
      60_000 + kills * 20_000,
    );
  });
});
