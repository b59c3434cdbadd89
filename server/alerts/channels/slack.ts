import { Agent, request } from 'undici';
import { alertEmail } from '../../mail/emails/alert.ts';
import { isSlackAddress } from '../destinations.ts';
import { type Channel, type DeliveryResult, messageAbout } from './channel.ts';

const timeoutMs = 15_000;
const maxCharacters = 2000;

/** Redirects are not followed: the address is a key, and goes to the allowed hosts alone. */
const agent = new Agent({ connections: 4, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });

/** The same text as in an email, as one block. */
export const sendSlack: Channel = async (event, services) => {
  const { destination } = event;
  if (destination === null || !isSlackAddress(destination, services.env.SLACK_WEBHOOK_HOSTS))
    return toRejected('The host of the URL is not in SLACK_WEBHOOK_HOSTS.', true);
  const { subject, text } = alertEmail(await messageAbout(event, services), services.env.APP_URL);
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: plain(text).slice(0, 2900), verbatim: true } }];
  return post(destination, { text: plain(subject), blocks });
};

/** Slack's own markup for links and mentions must not come from our text. */
const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

async function post(address: string, message: object): Promise<DeliveryResult> {
  try {
    const { statusCode, headers, body } = await request(address, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    });
    const answer = await readStart(body);
    if (statusCode >= 200 && statusCode < 300) return { ok: true };
    const isPermanent = statusCode < 500 && statusCode !== 408 && statusCode !== 429;
    const wait = Number(headers['retry-after']);
    return {
      ...toRejected(`${statusCode} ${answer}`.trim(), isPermanent),
      retryAfterMs: wait > 0 ? wait * 1000 : null,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'The URL could not be reached.';
    return { ...toRejected(reason, false), cause: 'unreachable' };
  }
}

/** As much of an answer as is stored; the rest is not read. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += chunk.toString('utf8');
    if (text.length > maxCharacters) break;
  }
  return text.slice(0, maxCharacters);
}

const toRejected = (error: string, permanent: boolean): Extract<DeliveryResult, { ok: false }> => ({
  ok: false,
  permanent,
  error,
  retryAfterMs: null,
});
