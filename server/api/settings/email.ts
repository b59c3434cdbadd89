import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { changedBy, type Services } from '../../access/context.ts';
import { administrator } from '../../access/rules.ts';
import { testEmailContent } from '../../mail/emails/test.ts';
import { mailAddress, senderAddress } from '../../platform/mail-address.ts';
import { Problem } from '../../platform/problem.ts';
import { instant } from '../../reports/kernel/instants.ts';
import {
  type EmailDelivery,
  readEmailDelivery,
  savedProviders,
  saveEmailDelivery,
} from '../../settings/email-delivery.ts';
import { settingsBox } from '../../settings/sealing.ts';
import { readSetting } from '../../settings/setting.ts';
import { workday } from '../../settings/workday.ts';
import { adminWrites, operation, testMessages } from '../operation.ts';
import type { Domain } from '../wire.ts';
import { changedVersion, shownVersion } from './version.ts';

const path = '/api/settings/email';

const EmailSettings = z.object({
  enabled: z.boolean(),
  provider: z.enum(savedProviders),
  from_address: z.string().nullable(),
  api_key_hint: z.string().nullable().meta({ description: 'Dots and the last four characters of the saved key.' }),
  has_key: z.boolean(),
  updated_by: z.string().nullable(),
  updated_at: instant.nullable(),
  version: shownVersion,
  effective_source: z.enum(['settings', 'env', 'none', 'settings_broken']).meta({
    description: 'Email configuration in use; `settings_broken`: saved settings that cannot be used, and nothing else.',
  }),
  effective_provider: z.enum(['postmark', 'resend', 'smtp']).nullable(),
  effective_from: z.string().nullable(),
  db_available: z.boolean(),
  last_success_at: instant.nullable(),
  last_error: z.string().nullable().meta({ description: 'The provider’s error, without addresses.' }),
  last_error_at: instant.nullable(),
});

export const getEmailSettings = operation({
  method: 'GET',
  path,
  summary: 'Email delivery: what is saved and what is in effect',
  access: administrator,
  input: z.object({}),
  output: EmailSettings,
  run: (_input, { services }) => inEffect(services),
});

const blankAsNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** Visible characters alone: it goes into a header. */
const apiKey = z.string().regex(/^[\x21-\x7e]{0,500}$/, 'has spaces or characters that no key has');

export const putEmailSettings = operation({
  method: 'PUT',
  path,
  summary: 'Email delivery: save what holds from now on',
  access: administrator,
  limit: adminWrites,
  failures: ['edit_conflict'],
  input: z.object({
    enabled: z.boolean(),
    provider: z.enum(savedProviders),
    from_address: z
      .string()
      .transform(blankAsNull)
      .pipe(senderAddress.nullable())
      .nullish()
      .meta({ description: 'An address, or `Name <address>`.' }),
    api_key: z
      .preprocess((given) => (typeof given === 'string' ? given.trim() : given), apiKey.optional())
      .meta({ description: 'Omitted or empty, the saved key stays, as long as the provider stays the same.' }),
    version: changedVersion,
  }),
  output: z.object({ ok: z.literal(true), settings: EmailSettings }),
  async run({ api_key, from_address, version, ...rest }, context) {
    const { store, services } = context;
    const value: EmailDelivery = { ...rest, from_address: from_address ?? null };
    const key = api_key || null;
    const box = settingsBox(services.env);
    const saved = await readEmailDelivery(store, box);
    if (saved.state === 'unreadable' && !saved.isDatabaseAvailable) throw unavailable();
    const isStored = saved.state === 'saved' && saved.key !== null;
    const isLeftBehind = saved.state === 'saved' && saved.value.provider !== value.provider && hasKey(saved);
    if (key === null && (isLeftBehind || (value.enabled && !isStored))) throw keyRequired(isLeftBehind);
    if (value.enabled && value.from_address === null) throw fromRequired();
    await saveEmailDelivery(value, key, { store, box, by: { ...(await changedBy(context)), version } });
    return { ok: true as const, settings: await inEffect(services) };
  },
});

export const testEmail = operation({
  method: 'POST',
  path: `${path}/test`,
  summary: 'Send an email now to test the settings',
  access: administrator,
  failures: ['provider_error'],
  limit: testMessages,
  includesOk: true,
  input: z.object({ to: mailAddress }),
  output: z.object({
    ok: z.literal(true),
    source: z.enum(['settings', 'env']),
    provider: z.enum(['postmark', 'resend', 'smtp']),
  }),
  async run({ to }, { services }) {
    const { mailer, store, clock, env } = services;
    const { source, provider } = await mailer.status();
    if (provider === null || source === 'none' || source === 'settings_broken') throw notConfigured(source);
    const { timezone: zone } = (await readSetting(workday, store)).value;
    const email = testEmailContent({ provider, source, sentAt: clock.now(), zone }, env.APP_URL);
    const sent = await mailer.send({ ...email, to, idempotencyKey: `test:${randomUUID()}` });
    if (!sent.ok) throw new Problem('provider_error', sent.error);
    return { ok: true as const, source, provider: sent.provider };
  },
});

const hasKey = ({ row }: { row: { secretSealed: string | null } }) => row.secretSealed !== null;

async function inEffect({ env, store, mailer }: Services): Promise<Domain<typeof EmailSettings>> {
  const saved = await readEmailDelivery(store, settingsBox(env));
  const { source, provider, from } = await mailer.status();
  const status = await store?.mailStatus.get().catch(() => undefined);
  const row = saved.state === 'saved' ? saved.row : null;
  const value = saved.state === 'saved' ? saved.value : nothingSaved;
  return {
    enabled: value.enabled,
    provider: value.provider,
    fromAddress: value.from_address,
    apiKeyHint: row?.secretHint ?? null,
    hasKey: (row?.secretSealed ?? null) !== null,
    updatedBy: row?.updatedBy ?? null,
    updatedAt: row?.updatedAt ?? null,
    version: saved.state === 'nothing' ? 0 : (saved.row?.version ?? 0),
    effectiveSource: source,
    effectiveProvider: provider,
    effectiveFrom: from,
    dbAvailable: status !== undefined && !(saved.state === 'unreadable' && !saved.isDatabaseAvailable),
    lastSuccessAt: status?.lastSuccessAt ?? null,
    lastError: status?.lastError ?? null,
    lastErrorAt: status?.lastErrorAt ?? null,
  };
}

const nothingSaved: EmailDelivery = { enabled: false, provider: 'postmark', from_address: null };

const field = (name: string, message: string) => ({
  details: { fields: [{ field: name, reason: 'missing' as const, message }] },
});

function keyRequired(isOther: boolean): Problem {
  const explanation = isOther
    ? 'The saved key belongs to the other provider: give the key of this one.'
    : 'Mail cannot go out without a key: give one.';
  return new Problem('api_key_required', explanation, field('api_key', explanation));
}

function fromRequired(): Problem {
  const explanation = 'Mail cannot go out without an address that it is from.';
  return new Problem('from_address_required', explanation, field('from_address', explanation));
}

const unavailable = () =>
  new Problem('db_unavailable', 'The database cannot be reached right now.', { details: { retry_after_s: 10 } });

const notConfigured = (source: string): Problem =>
  new Problem(
    'email_not_configured',
    source === 'settings_broken'
      ? 'The saved email settings cannot be used: save them again with the key.'
      : 'No email provider is configured, neither here nor by the environment.',
  );
