import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { weekAt } from '../../server/alerts/leadership-digest.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { day } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { beginChild } from '../support/child.ts';
import { openTestStore } from '../support/database.ts';
import { type MailDouble, type MailRequest, startMailDouble } from '../support/mail-double.ts';
import { startService } from '../support/service.ts';
import { expectSentOnce, expireLeases, killSenders, kills, settingsOf } from './killed-sending.ts';
import { addRule, bring, endedRuns, type Ready, servicesOf } from './stage.ts';

/** So many that no process sends all of them before it is killed. */
const emails = Math.max(kills * 6, 18);
const monday = weekAt(namedNow).monday + 7 * day;
const patienceMs = 60_000 + kills * 20_000;

aDatabase((given) => {
  describe('a process killed', () => {
    let mail: MailDouble;
    beforeAll(async () => {
      mail = await startMailDouble();
    });
    afterEach(() => mail.reset());
    afterAll(() => mail?.close());

    const begin = (database: string, ...kindAndMore: (string | number)[]) =>
      beginChild(
        join(import.meta.dirname, 'digest-child.ts'),
        JSON.stringify(settingsOf(mail, database)),
        ...kindAndMore.map(String),
      );

    /** What a service does that has the database for itself. */
    async function inService<T>(database: string, work: (services: Ready) => Promise<T>): Promise<T> {
      const service = await startService(settingsOf(mail, database));
      try {
        return await work(servicesOf(service.app));
      } finally {
        await service.close();
      }
    }

    test(
      `${kills} times while it sends the emails of a day loses no event, and has each in one email`,
      async () => {
        const database = await given.address();
        let fired = 0;
        const fire = async (services: Ready, destination: string) => {
          const number = ++fired;
          await addRule(services, { scope: `repo:octo/repo-${number}`, channel: 'digest', destination });
          expect((await bring(services, endedRuns(services, 6, 6), number)).fired).toBe(1);
        };
        await inService(database, async (services) => {
          for (let index = 0; index < emails; index++) await fire(services, addressOf(index));
        });
        await killSenders({
          mail,
          database,
          expire: expireLeases,
          // What fires for whom an email of the day went out is for the next.
          begin: (killed) => begin(database, 'daily', namedNow + (killed === kills ? day : killed)),
          // Also for whom an email is under way by now, which must stay as it is.
          meanwhile: () =>
            inService(database, async (services) => {
              await fire(services, mail.requests.at(-1)?.body.to ?? addressOf(0));
              await fire(services, addressOf(emails - 1));
            }),
        });

        // What fired beside an email that was not sent yet is for the day after it.
        const next = begin(database, 'daily', namedNow + 2 * day);
        expect(await next.exit).toEqual([0, null]);

        const store = await openTestStore(database, { migrate: false });
        const events = await store.alertEvents.list(fired + 1);
        expect(events).toHaveLength(fired);
        for (const { deliveryStatus, digestSentAt } of events)
          expect([deliveryStatus, digestSentAt]).toEqual(['sent', expect.any(Number)]);
        const byDigest = Map.groupBy(events, ({ digestId }) => `digest:${digestId}`);
        expectSentOnce(mail, [...byDigest.keys()]);
        for (const request of mail.requests) {
          const own = byDigest.get(String(request.headers['idempotency-key']));
          expect(repositoriesIn(request)).toEqual(own?.map(({ repo }) => repo).sort());
          expect(new Set(own?.map(({ destination }) => destination))).toEqual(new Set([request.body.to]));
        }
        await store.close();
      },
      patienceMs,
    );

    test(
      `${kills} times while it sends the emails of a week loses none, and none has other words when it is sent again`,
      async () => {
        const database = await given.address();
        const rules = await inService(database, async (services) => {
          const lead = (number: number) => ({
            scope: 'org:octo',
            metric: 'leadership_digest',
            threshold: 0,
            windowHours: 168,
            channel: 'email' as const,
            destination: `lead-${number}@codehost.example`,
          });
          return Promise.all(Array.from({ length: emails }, (_, index) => addRule(services, lead(index))));
        });
        await killSenders({
          mail,
          database,
          expire: expireLeases,
          // From Monday to Wednesday, with another score at each attempt.
          begin: (killed) =>
            begin(database, 'weekly', monday + Math.floor((killed * 2) / kills) * day + killed, 10 + killed),
        });

        const { week } = weekAt(monday);
        const store = await openTestStore(database, { migrate: false });
        const sent = await store.weeklyDigests.of(week);
        expect(sent.map(({ ruleId, status }) => [ruleId, status])).toEqual(
          rules.map(({ id }) => [id, 'sent']).toSorted(([a], [b]) => Number(a) - Number(b)),
        );
        expectSentOnce(
          mail,
          rules.map(({ id }) => `leadership:${id}:${week}`),
        );
        expect(new Set(mail.requests.map(scoreIn)).size, 'scores sent').toBeGreaterThanOrEqual(Math.min(kills, 2));
        await store.close();
      },
      patienceMs,
    );
  });
});

/** In the order in which emails go out. */
const addressOf = (index: number) => `to-${1000 + index}@codehost.example`;

const repositoriesIn = ({ body }: MailRequest) => [...new Set<string>(body.text.match(/Octo\/repo-\d+/g))].sort();

const scoreIn = ({ body }: MailRequest) => /mean score is (\d+) of 100/.exec(body.text.replace(/\s+/g, ' '))?.[1];
