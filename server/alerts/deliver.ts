import type { Services } from '../access/context.ts';
import { alertEmail } from '../mail/emails/alert.ts';
import { withoutAddresses } from '../platform/mail-address.ts';
import type { QueueName } from '../queue/queue.ts';
import type { AlertEvent, Enqueue } from '../store/alert-events.ts';
import type { AlertRule } from '../store/alert-rules.ts';
import type { AlertChannel } from '../store/entities/alert-rule.ts';
import { type Channel, type ChannelServices, type DeliveryResult, messageAbout } from './channels/channel.ts';
import { sendSlack } from './channels/slack.ts';
import { sendWebhook } from './channels/webhook.ts';

const queueName: QueueName = 'deliver-alerts';
const minuteMs = 60_000;

/** What is waited after each attempt that may succeed later; after the last there is none. */
const pauses = [1, 5, 30, 120, 360].map((minutes) => minutes * minuteMs);
/** However long the other side requests to wait. */
const longestPauseMs = 24 * 60 * minuteMs;

/** One email for one event, through whatever mail goes out. */
const sendEmail: Channel = async (event, services) => {
  const email = alertEmail(await messageAbout(event, services), services.env.APP_URL);
  return services.mailer.send({ ...email, to: event.destination ?? '', idempotencyKey: `event:${event.id}` });
};

/** Channels that send by themselves; the others are shown in the browser, or collected for an email a day. */
const sent: Partial<Record<AlertChannel, Channel>> = {
  email: sendEmail,
  slack: sendSlack,
  webhook: sendWebhook,
};

export type DeliveryServices = ChannelServices & Pick<Services, 'queue' | 'log'>;

/** Makes the queue ready where one of these rules may need it: within a transaction it is too late. */
export async function prepareDelivery(rules: readonly AlertRule[], { queue }: Pick<Services, 'queue'>): Promise<void> {
  if (rules.some(({ channel }) => sent[channel])) await queue?.prepare(queueName);
}

/** Puts the first attempt into the queue, in the transaction that records the event. */
export const createEnqueue = (queue: Services['queue']): Enqueue => enqueueAttempt(queue, 1);

const enqueueAttempt =
  (queue: Services['queue'], attempt: number, afterMs = 0): Enqueue =>
  async (transaction, eventId) => {
    // An event that nothing delivers must not be recorded as one that waits for it.
    if (!queue) throw new Error('Delivering needs the queue.');
    const item = { key: toItemKey(eventId, attempt), data: { eventId, attempt } };
    await queue.add(transaction, queueName, item, afterMs);
  };

const toItemKey = (eventId: number, attempt: number) => `event:${eventId}:${attempt}`;

/** Delivers what waits, as long as it may begin more. Answers how much was handed over. */
export async function deliverWaiting(services: DeliveryServices, mayContinue: () => boolean): Promise<number> {
  const { store, queue } = services;
  if (!queue || !(await store.alertDeliveries.isDelivering())) return 0;
  await queue.prepare(queueName);
  let handed = 0;
  const one = async (data: object) => {
    const { eventId, attempt } = data as { eventId: number; attempt: number };
    if (await attemptDelivery(eventId, attempt, services)) handed++;
    return {};
  };
  while (mayContinue() && (await queue.doNext(queueName, one)));
  return handed;
}

/**
 * Counts as failed the attempts that the queue has given up or does not know of, so that each event comes to its end.
 * Answers how many these were.
 */
export async function countLostAttempts(services: DeliveryServices): Promise<number> {
  const { store, queue } = services;
  // Read before the queue: an item is there as soon as its attempt is what an event waits for.
  const waiting = queue ? await store.alertDeliveries.waiting() : [];
  if (!queue || waiting.length === 0) return 0;
  await queue.prepare(queueName);
  const keys = await queue.keys(queueName);
  const lost = waiting.filter(({ eventId, attempt }) => !keys.has(toItemKey(eventId, attempt)));
  for (const { eventId, attempt } of lost) await note(eventId, attempt, unknownEnd, services);
  return lost.length;
}

const unknownEnd: DeliveryResult = {
  ok: false,
  permanent: false,
  retryAfterMs: null,
  error: 'The result of this attempt is unknown.',
};

/** One attempt; nothing where another process has been through it. */
async function attemptDelivery(eventId: number, attempt: number, services: DeliveryServices): Promise<boolean> {
  const event = await services.store.alertEvents.find(eventId);
  if (event?.deliveryStatus !== 'pending' || event.deliveryAttempts !== attempt - 1) return false;
  const handed = await handOver(event, services);
  await note(eventId, attempt, handed, services);
  return handed.ok;
}

/** Notes what an attempt came to, together with the next one if there is one. */
async function note(
  eventId: number,
  attempt: number,
  handed: DeliveryResult,
  services: DeliveryServices,
): Promise<void> {
  const { store, queue, clock } = services;
  const pause = pauses[attempt - 1];
  const isOver = handed.ok || handed.permanent || pause === undefined;
  const status = handed.ok ? 'sent' : isOver ? 'failed' : 'pending';
  const wait = handed.ok ? 0 : Math.min(Math.max(pause ?? 0, handed.retryAfterMs ?? 0), longestPauseMs);
  await store.alertDeliveries.delivered(
    eventId,
    { attempt, status, error: storedError(handed), now: clock.now() },
    status === 'pending' ? enqueueAttempt(queue, attempt + 1, wait) : null,
  );
}

/** The other side's error as it is stored: without addresses; null where it took the message. */
export const storedError = (handed: DeliveryResult): string | null =>
  handed.ok ? null : withoutAddresses(handed.error);

/** Hands an event over through its own channel, now. */
export async function handOver(event: AlertEvent, services: ChannelServices): Promise<DeliveryResult> {
  const channel = sent[event.channel];
  return channel ? channel(event, services) : { ok: true };
}
