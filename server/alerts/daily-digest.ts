import type { Services } from '../access/context.ts';
import { digestEmail } from '../mail/emails/digest.ts';
import { withoutAddresses } from '../platform/mail-address.ts';
import { readSetting } from '../settings/setting.ts';
import { workday } from '../settings/workday.ts';
import type { DailyDigest } from '../store/digests.ts';
import type { Store } from '../store/orm.ts';
import { metricLabels } from './rules.ts';

export interface DigestsSent {
  destinations: number;
  events: number;
  failures: number;
}

export type DigestServices = Pick<Services, 'clock' | 'env' | 'mailer'> & { store: Store };

/**
 * Sends one email to each destination, with all that was collected for it, once a UTC day however often it is called.
 * Without anything that mail goes out through, events wait for another day. An email whose sending was not noted is sent
 * again as it was, under the same key; whoever runs this must be alone with it.
 */
export async function sendDailyDigests(services: DigestServices, mayContinue: () => boolean): Promise<DigestsSent> {
  const { store, mailer, clock } = services;
  const total: DigestsSent = { destinations: 0, events: 0, failures: 0 };
  if ((await mailer.status()).provider === null) return total;
  const now = clock.now();
  await store.digests.claim(now);
  const { timezone } = (await readSetting(workday, store)).value;
  for (const digest of await store.digests.open(now)) {
    if (!mayContinue()) break;
    const isSent = await send(digest, timezone, services);
    if (isSent) total.destinations++;
    else total.failures++;
    if (isSent) total.events += digest.events.length;
  }
  return total;
}

/** An email of which nothing is known is tried on so many days under one key; then its events go into another. */
const maxTries = 6;

async function send(
  { id, destination, events, attempts }: DailyDigest,
  zone: string,
  services: DigestServices,
): Promise<boolean> {
  const { store, mailer, clock, env } = services;
  const email = digestEmail(
    {
      items: events.map(({ repo, scope, metric, value, firedAt, deliveryAttempts }) => {
        const { label, unit } = metricLabels(metric);
        return { repo: repo ?? scope, label, unit, value, firedAt, isEarlier: deliveryAttempts > 0 };
      }),
      zone,
      alertsHref: '/alerts',
    },
    env.APP_URL,
  );
  const sent = await mailer.send({ ...email, to: destination, idempotencyKey: `digest:${id}` });
  if (sent.ok) await store.digests.sent(id, clock.now());
  else if (sent.permanent || attempts + 1 >= maxTries)
    await store.digests.failed(id, withoutAddresses(sent.error), clock.now());
  else await store.digests.unsure(id, withoutAddresses(sent.error), clock.now());
  return sent.ok;
}
