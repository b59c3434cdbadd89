import { Models, ServerClient } from 'postmark';
import { senderHeader } from '../../platform/mail-address.ts';
import { exchange } from './exchange.ts';
import type { Provider } from './provider.ts';

/** Hands an email to Postmark. It knows no idempotency; the key goes along as metadata, to recognize an email by. */
export const sendByPostmark: Provider = async (account, email) => {
  const { secret, apiUrl, from, timeoutMs } = account;
  const { protocol, host, pathname } = new URL(apiUrl);
  const { fetch, failure } = exchange(account);
  try {
    const client = new ServerClient(secret, {
      useHttps: protocol === 'https:',
      requestHost: `${host}${pathname.replace(/\/$/, '')}`,
      timeout: timeoutMs / 1000,
      fetch,
    });
    const { MessageID: messageId } = await client.sendEmail({
      From: senderHeader(from),
      To: email.to,
      Subject: email.subject,
      TextBody: email.text,
      HtmlBody: email.html,
      TrackOpens: false,
      TrackLinks: Models.LinkTrackingOptions.None,
      Metadata: { idempotency_key: email.idempotencyKey },
    });
    return typeof messageId === 'string' ? { ok: true, messageId } : failure();
  } catch {
    return failure();
  }
};
