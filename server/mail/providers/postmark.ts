import { Models, ServerClient } from 'postmark';
import { senderHeader } from '../../platform/mail-address.ts';
import { exchange } from './exchange.ts';
import type { Provider } from './provider.ts';

/** Hands a letter to Postmark. It knows no idempotency; the key goes along as metadata, to recognize a letter by. */
export const sendByPostmark: Provider = async (account, letter) => {
  const { secret, apiUrl, from, timeoutMs } = account;
  const { protocol, host, pathname } = new URL(apiUrl);
  const { fetch, failure } = exchange(account);
  try {
    const client = new ServerClient(secret, {
      ...{ useHttps: protocol === 'https:', requestHost: `${host}${pathname.replace(/\/$/, '')}` },
      ...{ timeout: timeoutMs / 1000, fetch },
    });
    const { MessageID: messageId } = await client.sendEmail({
      ...{
        From: senderHeader(from),
        To: letter.to,
        Subject: letter.subject,
        TextBody: letter.text,
        HtmlBody: letter.html,
      },
      ...{ TrackOpens: false, TrackLinks: Models.LinkTrackingOptions.None },
      Metadata: { idempotency_key: letter.idempotencyKey },
    });
    return typeof messageId === 'string' ? { ok: true, messageId } : failure();
  } catch {
    return failure();
  }
};
