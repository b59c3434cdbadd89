import { Resend, type Response } from 'resend';
import { senderHeader } from '../../platform/mail-address.ts';
import { type Exchange, exchange } from './exchange.ts';
import type { Provider } from './provider.ts';

/** Hands an email to Resend, which sends an email once that comes again with its key within a day. */
export const sendByResend: Provider = async (account, email) => {
  const made = exchange(account);
  try {
    const client = new Client(account.secret, account.apiUrl, made);
    const { to, subject, text, html, idempotencyKey } = email;
    const from = senderHeader(account.from);
    const { data } = await client.emails.send({ from, to, subject, text, html }, { idempotencyKey });
    return typeof data?.id === 'string' ? { ok: true, messageId: data.id } : made.failure();
  } catch {
    return made.failure();
  }
};

/** The SDK sends by the global `fetch` and reports no status, so its request is replaced by ours. */
class Client extends Resend {
  readonly #exchange: Exchange;
  constructor(key: string, baseUrl: string, made: Exchange) {
    super(key, { baseUrl });
    this.#exchange = made;
  }
  override async fetchRequest<T>(path: string, options: RequestInit = {}): Promise<Response<T>> {
    const answer = await this.#exchange.fetch(`${this.baseUrl}${path}`, options);
    if (answer.ok) return { data: (await answer.json()) as T, error: null, headers: {} };
    return { data: null, error: { message: '', statusCode: answer.status, name: 'application_error' }, headers: {} };
  }
}
