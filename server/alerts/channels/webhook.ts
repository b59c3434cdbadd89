import { Agent, request } from 'undici';
import type { Services } from '../../access/context.ts';
import { serviceVersion } from '../../domain/service-version.ts';
import { lookupFor } from '../../platform/receiver-address.ts';
import { connectionError, isUnsafe, readRetryAfter } from '../../platform/receiver-answer.ts';
import type { Store } from '../../store/orm.ts';
import type { StoredEndpoint } from '../../store/webhook-endpoints.ts';
import type { Channel, DeliveryResult } from './channel.ts';
import { exampleMessage, webhookMessage } from './webhook-body.ts';
import { openWebhookSecrets } from './webhook-secret.ts';
import { signedHeaders, type WebhookMessage } from './webhook-signature.ts';

const timeoutMs = 10_000;
const maxAnswerBytes = 64 * 1024;
const maxRetryAfterMs = 24 * 3_600_000;

/** Answers after which the same event is not sent again. */
const permanentStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 422]);

type WebhookServices = Pick<Services, 'clock' | 'env'> & { store: Pick<Store, 'webhookEndpoints'> };

/** What came of one attempt. */
interface Attempt {
  /** null where no answer came. */
  status: number | null;
  ms: number;
  result: DeliveryResult;
}

/** Posts an event to the endpoint of its rule, signed by Standard Webhooks 1.0.0. */
export const sendWebhook: Channel = async (event, services) => {
  const endpoint = await services.store.webhookEndpoints.find(Number(event.destination));
  if (endpoint === null) return failure('The webhook endpoint was deleted.', true);
  if (!endpoint.enabled) return failure('The webhook endpoint is off.', true);
  const attempt = await attemptTo(endpoint, webhookMessage(event, services.env.APP_URL), event.id, services);
  return attempt.result;
};

/** Posts a made-up alert to an endpoint now, also while it is off. */
export const testWebhook = (endpoint: StoredEndpoint, services: WebhookServices): Promise<Attempt> =>
  attemptTo(endpoint, exampleMessage(services.clock.now(), services.env.APP_URL), null, services);

/** One attempt, noted with its endpoint. Never throws for what the other side does. */
async function attemptTo(
  endpoint: StoredEndpoint,
  message: WebhookMessage,
  eventId: number | null,
  { clock, env, store }: WebhookServices,
): Promise<Attempt> {
  const at = clock.now();
  const secrets = openWebhookSecrets(env, endpoint, at);
  const startedAt = performance.now();
  const { status, result } =
    secrets.length > 0
      ? await post(endpoint.url, message.body, signedHeaders(message, secrets, at), env.WEBHOOK_ALLOWED_HOSTS)
      : { status: null, result: failure('The secret cannot be decrypted; rotate it.', true) };
  const ms = Math.round(performance.now() - startedAt);
  const error = result.ok ? null : result.error;
  await store.webhookEndpoints.noteAttempt(endpoint, { at, event_id: eventId, status, ms, error });
  return { status, ms, result };
}

/** Sends exactly the signed bytes to an address that is checked as it is connected to; redirects are not followed. */
async function post(
  address: string,
  body: string,
  signature: Readonly<Record<string, string>>,
  allowedHosts: readonly string[],
): Promise<Omit<Attempt, 'ms'>> {
  const url = new URL(address);
  const signal = AbortSignal.timeout(timeoutMs);
  let agent: Agent | undefined;
  try {
    agent = new Agent({ connect: { timeout: timeoutMs, lookup: lookupFor(url, allowedHosts) } });
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: {
        ...signature,
        'content-type': 'application/json',
        'user-agent': `delivery-analytics/${serviceVersion}`,
      },
      body,
    });
    await answer.body.dump({ limit: maxAnswerBytes, signal }).catch(() => undefined);
    return { status: answer.statusCode, result: toResult(answer.statusCode, answer.headers['retry-after']) };
  } catch (error) {
    const result = failure(connectionError(error), isUnsafe(error));
    return { status: null, result: isUnsafe(error) ? result : { ...result, cause: 'unreachable' } };
  } finally {
    await agent?.destroy();
  }
}

function toResult(status: number, retryAfter: string | string[] | undefined): DeliveryResult {
  if (status >= 200 && status < 300) return { ok: true };
  const retryAfterMs = readRetryAfter(retryAfter, maxRetryAfterMs);
  return { ...failure(`The endpoint answered ${status}.`, permanentStatuses.has(status)), retryAfterMs };
}

const failure = (error: string, permanent: boolean): Extract<DeliveryResult, { ok: false }> => ({
  ok: false,
  permanent,
  error,
  retryAfterMs: null,
});
