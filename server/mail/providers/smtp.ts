import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { isLoopback } from '../../platform/env-fields.ts';
import { parseSender } from '../../platform/mail-address.ts';
import { type Account, deliveryFailure, errorMessage, type Outcome, type Provider } from './provider.ts';

/** Hands an email to an own relay. Its `Message-ID` is made of the key, so that receivers know a repeated one. */
export const sendBySmtp: Provider = async (account, email) => {
  const { timeoutMs, appUrl } = account;
  const sender = parseSender(account.from);
  if (!sender) return deliveryFailure('The sender is not a valid address.', { permanent: true });
  const transport = createTransport(toTransportOptions(account));
  try {
    const host = sender.address.slice(sender.address.indexOf('@') + 1);
    const id = createHash('sha256').update(`${appUrl}\n${email.idempotencyKey}`).digest('hex').slice(0, 32);
    const { messageId } = await transport.sendMail({
      from: sender,
      to: { name: '', address: email.to },
      subject: email.subject,
      text: email.text,
      html: email.html,
      messageId: `<${id}@${host}>`,
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { ok: true, messageId };
  } catch (error) {
    return toFailure(error, account);
  } finally {
    transport.close();
  }
};

/** Who sends a password takes no relay that does not encrypt, except on this machine. */
function toTransportOptions({ secret, timeoutMs }: Account) {
  const { protocol, hostname, port, username, password } = new URL(secret);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined;
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    auth,
    requireTLS: auth !== undefined && !secure && !isLoopback(hostname),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
}

function toFailure(error: unknown, { secret, timeoutMs }: Account): Outcome {
  if (!(error instanceof Error)) return deliveryFailure('The relay request failed.');
  if (error.name === 'AbortError')
    return {
      ...deliveryFailure(`The relay did not accept the email within ${timeoutMs / 1000} s.`),
      isUnreachable: true,
    };
  const { password } = new URL(secret);
  const message = 'response' in error && typeof error.response === 'string' ? error.response : error.message;
  const code = 'responseCode' in error ? Number(error.responseCode) : 0;
  const reason = errorMessage(message, [password, decodeURIComponent(password)]) || 'The relay request failed.';
  const failed = deliveryFailure(reason, { permanent: code >= 500 && code < 600 });
  return code === 0 ? { ...failed, isUnreachable: true } : failed;
}
