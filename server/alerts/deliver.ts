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
import { createTurns, type Turns } from './delivery-turns.ts';

const queueName: QueueName = 'deliver-alerts';
const minuteMs = 60_000;

/** What is waited after each attempt that may succeed later; after the last there is none. */
const pauses = [1, 5, 30, 120, 360].map((minutes) => minutes * minuteMs);
/** However long the other side requests to wait. */
const longestPauseMs = 24 * 60 * minuteMs;

/** One email for one event, through whatever mail goes out. */
const sendEmail: Channel = async (event, services) => {
  const email = alertEmail(await messageAbout(event, services), services.env.APP_URL);
  const key = `event:${event.id}`;
  const sent = await services.mailer.send({ ...email, to: event.destination ?? '', idempotencyKey: key });
  if (sent.ok) return { ok: true };
  const { permanent, error, retryAfterMs, provider, isUnreachable } = sent;
  const failed: DeliveryResult = { ok: false, permanent, error, retryAfterMs };
  if (provider === null) return { ...failed, cause: 'no_provider' };
  return isUnreachable ? { ...failed, cause: 'unreachable' } : failed;
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

/** An attempt as it stands in the queue. */
interface Attempt {
  eventId: number;
  attempt: number;
  /** How often it was put off without being made. */
  waits?: number;
}

/** Puts the first attempt into the queue, in the transaction that records the event. */
export const createEnqueue = (queue: Services['queue']): Enqueue => enqueueAttempt(queue, 1);

const enqueueAttempt =
  (queue: Services['queue'], attempt: number, { afterMs = 0, waits = 0 } = {}): Enqueue =>
  async (transaction, eventId) => {
    // An event that nothing delivers must not be recorded as one that waits for it.
    if (!queue) throw new Error('Delivering needs the queue.');
    const key = toItemKey(eventId, attempt) + (waits === 0 ? '' : `:${waits}`);
    await queue.add(transaction, queueName, { key, data: { eventId, attempt, waits } satisfies Attempt }, afterMs);
  };

const toItemKey = (eventId: number, attempt: number) => `event:${eventId}:${attempt}`;

/** The key of an attempt, however often it was put off. */
const withoutWaits = (key: string) => key.split(':').slice(0, 3).join(':');

interface Delivering extends DeliveryServices {
  turns: Turns;
  mayContinue(): boolean;
}

/** Attempts side by side in one process, each at another destination. */
const concurrency = 4;

/** Delivers what waits, as long as it may begin more. Answers how much was handed over. */
export async function deliverWaiting(services: DeliveryServices, mayContinue: () => boolean): Promise<number> {
  const { store, queue } = services;
  if (!queue || !(await store.alertDeliveries.isDelivering())) return 0;
  await queue.prepare(queueName);
  const delivering = { ...services, turns: createTurns(), mayContinue };
  let handed = 0;
  const one = async (data: object) => {
    if (await attemptDelivery(data as Attempt, delivering)) handed++;
    return {};
  };
  const takeAll = async () => {
    while (mayContinue() && (await queue.doNext(queueName, one)));
  };
  const broken = (await Promise.allSettled(Array.from({ length: concurrency }, takeAll))).find(
    (end) => end.status === 'rejected',
  );
  if (broken) throw broken.reason;
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
  const keys = new Set([...(await queue.keys(queueName))].map(withoutWaits));
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
async function attemptDelivery(item: Attempt, { turns, mayContinue, ...services }: Delivering): Promise<boolean> {
  const { eventId, attempt } = item;
  const find = async () => {
    const event = await services.store.alertEvents.find(eventId);
    return event?.deliveryStatus === 'pending' && event.deliveryAttempts === attempt - 1 ? event : null;
  };
  const first = await find();
  if (!first) return false;
  return turns.take(toDestinationKey(first), async ({ hasWaited, unreachable }) => {
    // It may have been changed while others were served.
    const event = hasWaited ? await find() : first;
    if (!event) return null;
    const mayWait = services.clock.now() - event.firedAt < longestWaitMs;
    const putOff = async (error: string | null, afterMs: number) => {
      const next = enqueueAttempt(services.queue, attempt, { afterMs, waits: (item.waits ?? 0) + 1 });
      await services.store.alertDeliveries.putOff(eventId, { attempt, error }, next);
    };
    if (unreachable && mayWait) await putOff(storedError(unreachable), unreachablePauseMs);
    else if (hasWaited && !mayContinue()) await putOff(event.deliveryError, 0);
    else {
      const handed = await handOver(event, services);
      const isHeld = !handed.ok && handed.cause === 'no_provider' && mayWait;
      if (isHeld) await putOff(storedError(handed), noProviderPauseMs);
      else await note(eventId, attempt, handed, services);
      return handed;
    }
    return null;
  });
}

/** Emails go through one provider, whoever they are to. */
const toDestinationKey = ({ channel, destination }: AlertEvent) =>
  channel === 'email' ? channel : `${channel}:${destination}`;

/** Only so long after its event an attempt is put off without being counted. */
const longestWaitMs = 7 * 24 * 60 * minuteMs;
const noProviderPauseMs = 15 * minuteMs;
const unreachablePauseMs = minuteMs;

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
    status === 'pending' ? enqueueAttempt(queue, attempt + 1, { afterMs: wait }) : null,
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
