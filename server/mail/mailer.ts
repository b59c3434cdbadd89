import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import { mailAddress } from '../platform/mail-address.ts';
import type { SealedBox } from '../platform/sealed.ts';
import { readEmailDelivery } from '../settings/email-delivery.ts';
import { settingsBox } from '../settings/sealing.ts';
import type { Store } from '../store/orm.ts';
import { oneLine } from './emails/layout.ts';
import { sendByPostmark } from './providers/postmark.ts';
import { type Account, type Outcome, type Provider, storedError } from './providers/provider.ts';
import { sendByResend } from './providers/resend.ts';
import { sendBySmtp } from './providers/smtp.ts';

export type MailProvider = 'postmark' | 'resend' | 'smtp';

/** One email to one recipient. */
export interface Email {
  /** One address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same for every attempt. */
  idempotencyKey: string;
}

/** What came of an attempt. `permanent`: the same email will fail again; `error` is the provider's own text. */
export type Sent =
  | { ok: true; provider: MailProvider; messageId: string | null }
  | {
      ok: false;
      provider: MailProvider | null;
      permanent: boolean;
      error: string;
      /** How long the provider requests to wait; null when it states nothing. */
      retryAfterMs: number | null;
      /** There was no answer: another email would wait as long in vain. */
      isUnreachable?: true;
    };

/** What mail goes out through. `settings_broken`: saved settings are in effect and cannot be used. */
export interface MailSource {
  source: 'settings' | 'env' | 'none' | 'settings_broken';
  provider: MailProvider | null;
  from: string | null;
}

export interface Mailer {
  /** Hands an email over once; never throws. */
  send(email: Email): Promise<Sent>;
  /** What mail goes out through now. */
  status(): Promise<MailSource>;
}

interface Options {
  env: Env;
  store: Store | null;
  clock: Clock;
  log: Log;
}

const sendTimeoutMs = 15_000;

const providers: Record<MailProvider, Provider> = {
  postmark: sendByPostmark,
  resend: sendByResend,
  smtp: sendBySmtp,
};

/** The one way to send mail: saved settings first and alone, then the environment. */
export function createMailer({ env, store, clock, log }: Options): Mailer {
  const box = settingsBox(env);
  return {
    async send(email) {
      const { source, provider, account } = await inEffect(env, store, box);
      if (provider === null || account === null) return unsent(notSending[source]);
      const { to, subject } = email;
      const rejection: Outcome | null = mailAddress.safeParse(to).success ? null : notAnAddress;
      const made = { ...account, appUrl: env.APP_URL, timeoutMs: sendTimeoutMs, clock };
      const outcome = rejection ?? (await providers[provider](made, { ...email, subject: oneLine(subject) }));
      await note(outcome, { provider, store, clock, log });
      return { provider, ...outcome };
    },
    async status() {
      const { source, provider, account } = await inEffect(env, store, box);
      return { source, provider, from: account?.from ?? null };
    },
  };
}

type Chosen =
  | { source: 'settings' | 'env'; provider: MailProvider; account: Pick<Account, 'secret' | 'apiUrl' | 'from'> }
  | { source: 'none' | 'settings_broken'; provider: null; account: null };

const broken: Chosen = { source: 'settings_broken', provider: null, account: null };

/** Behind saved settings nothing else is tried: mail must not go out through somebody else's account by accident. */
async function inEffect(env: Env, store: Store | null, box: SealedBox): Promise<Chosen> {
  const saved = await readEmailDelivery(store, box);
  if (saved.state === 'unreadable') return broken;
  if (saved.state === 'nothing' || !saved.value.enabled) return fromEnvironment(env);
  const { provider, from_address: from } = saved.value;
  if (saved.key === null || from === null) return broken;
  return { source: 'settings', provider, account: { secret: saved.key, apiUrl: getApiUrls(env)[provider], from } };
}

/** The first provider that is configured completely. */
function fromEnvironment(env: Env): Chosen {
  const configured = [
    ['postmark', env.POSTMARK_API_KEY, env.POSTMARK_FROM],
    ['resend', env.RESEND_API_KEY, env.RESEND_FROM],
    ['smtp', env.SMTP_URL, env.SMTP_FROM],
  ] as const;
  for (const [provider, secret, from] of configured)
    if (secret && from)
      return { source: 'env', provider, account: { secret, from, apiUrl: getApiUrls(env)[provider] } };
  return { source: 'none', provider: null, account: null };
}

const getApiUrls = (env: Env): Record<MailProvider, string> => ({
  postmark: env.POSTMARK_API_URL,
  resend: env.RESEND_API_URL,
  smtp: '',
});

/** Why nothing is sent. */
const notSending: Record<MailSource['source'], string> = {
  settings: '',
  env: '',
  none: 'No email provider is configured.',
  settings_broken: 'The saved email settings are invalid. Save them again with the key.',
};

const unsent = (error: string): Sent => ({ ok: false, provider: null, permanent: false, error, retryAfterMs: null });

const notAnAddress: Outcome = {
  ok: false,
  permanent: true,
  retryAfterMs: null,
  error: 'The recipient is not a valid email address.',
};

interface Noting extends Pick<Options, 'store' | 'clock' | 'log'> {
  provider: MailProvider;
}

/** Remembers how it went; that this fails does not change whether the email was taken. */
async function note(outcome: Outcome, { provider, store, clock, log }: Noting): Promise<void> {
  const error = outcome.ok ? null : storedError(outcome.error);
  if (error === null) log.info({ provider }, 'an email was handed over');
  else log.warn({ provider, error }, 'an email was not accepted');
  try {
    if (error === null) await store?.mailStatus.succeeded(clock.now());
    else await store?.mailStatus.failed(error, clock.now());
  } catch (failure) {
    log.warn({ err: failure }, 'the result of an email could not be stored');
  }
}
