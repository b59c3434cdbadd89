import type { Clock } from '../../platform/clock.ts';
import { withoutAddresses } from '../../platform/mail-address.ts';
import type { Email, Sent } from '../mailer.ts';

/** What a provider is reached with. */
export interface Account {
  /** The key of an API, or the address of a relay with its user and password. */
  secret: string;
  /** Where the API is; empty for a relay, whose address is enough. */
  apiUrl: string;
  /** Distinguishes the emails of this deployment from those of others: its public address. */
  appUrl: string;
  /** An address, or `Name <address>`. */
  from: string;
  /** The longest that one email may take, in milliseconds. */
  timeoutMs: number;
  clock: Clock;
}

/** One attempt at handing an email over; it never throws. */
export type Provider = (account: Account, email: Email) => Promise<Outcome>;

export type Outcome = WithoutProvider<Extract<Sent, { ok: true }>> | FailedOutcome;

type FailedOutcome = WithoutProvider<Extract<Sent, { ok: false }>>;

type WithoutProvider<T> = Omit<T, 'provider'>;

/** A failure, with the provider's own error. */
export const deliveryFailure = (
  error: string,
  { permanent = false, retryAfterMs = null }: { permanent?: boolean; retryAfterMs?: number | null } = {},
): FailedOutcome => ({ ok: false, permanent, error, retryAfterMs });

/** Statuses that the same email will meet again. */
export const isPermanent = (status: number): boolean => [400, 401, 403, 404, 422].includes(status);

const longestError = 2000;

/** A provider's error as it may be shown: without secrets that it repeats, at most 2000 characters. */
export function errorMessage(text: string, secrets: readonly string[]): string {
  let message = text;
  for (const secret of secrets) if (secret !== '') message = message.replaceAll(secret, '•••');
  return message.replace(unprintable, ' ').trim().slice(0, longestError);
}

/** The same error as it may be stored: without addresses of people. */
export const storedError = (error: string): string => withoutAddresses(error).slice(0, longestError);

/** Controls other than line ends, and halves of surrogate pairs, which no column takes. */
const unprintable = /(?!\n)\p{Cc}|\p{Cs}/gu;
