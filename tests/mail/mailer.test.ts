import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMailer, type Email } from '../../server/mail/mailer.ts';
import { type Env, readEnv } from '../../server/platform/env.ts';
import { saveEmailDelivery } from '../../server/settings/email-delivery.ts';
import { settingsBox } from '../../server/settings/sealing.ts';
import type { Database } from '../../server/store/database.ts';
import type { Store } from '../../server/store/orm.ts';
import { aDatabase } from '../support/a-database.ts';
import { openTestStore } from '../support/database.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { migratedMemory } from '../support/migrated.ts';
import { type SmtpDouble, startSmtp } from '../support/smtp-server.ts';

let double: MailDouble;
let relay: SmtpDouble;
const lines: string[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });

beforeAll(async () => {
  [double, relay] = await Promise.all([startMailDouble(), startSmtp({ plain: true })]);
});
beforeEach(() => {
  double.reset();
  relay.emails.length = 0;
  lines.length = 0;
});
afterAll(() => Promise.all([double.close(), relay.close()]));

const now = Date.UTC(2026, 10, 16, 10);
let time = now;
const clock = { now: () => time };
const email: Email = {
  to: 'ann@codehost.example',
  subject: 'Lamps',
  text: 'Out.',
  html: '<p>Out.</p>',
  idempotencyKey: 'event:1',
};

const secret = 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo';
const environment = (more: Record<string, string> = {}): Env =>
  readEnv({
    NODE_ENV: 'test',
    SESSION_SECRET: secret,
    POSTMARK_API_URL: double.url,
    RESEND_API_URL: double.url,
    ...more,
  });
const byPostmark = () => ({ POSTMARK_API_KEY: double.keys.postmark, POSTMARK_FROM: 'p@codehost.example' });
const byResend = () => ({ RESEND_API_KEY: double.keys.resend, RESEND_FROM: 'Lamps <r@codehost.example>' });
const bySmtp = () => ({ SMTP_URL: `smtp://${relay.host}`, SMTP_FROM: 's@codehost.example' });
const mailerOf = (env: Env, store: Store | null = null) => createMailer({ env, store, clock, log });

describe('without saved settings', () => {
  test('nothing configured means nothing is sent, and that is said', async () => {
    const mailer = mailerOf(environment());
    expect(await mailer.status()).toEqual({ source: 'none', provider: null, from: null });
    expect(await mailer.send(email)).toEqual({
      ok: false,
      provider: null,
      permanent: false,
      retryAfterMs: null,
      error: 'No email provider is configured.',
    });
    expect(lines).toEqual([]);
  });

  test('the environment’s first provider sends: Postmark, Resend, a relay', async () => {
    const all = { ...byPostmark(), ...byResend(), ...bySmtp() };
    const found: unknown[] = [];
    for (const env of [all, { ...byResend(), ...bySmtp() }, bySmtp()]) {
      const mailer = mailerOf(environment(env));
      const { ok, provider } = await mailer.send(email);
      found.push([await mailer.status(), ok, provider]);
    }
    expect(found).toEqual([
      [{ source: 'env', provider: 'postmark', from: 'p@codehost.example' }, true, 'postmark'],
      [{ source: 'env', provider: 'resend', from: 'Lamps <r@codehost.example>' }, true, 'resend'],
      [{ source: 'env', provider: 'smtp', from: 's@codehost.example' }, true, 'smtp'],
    ]);
    expect([double.requests.map(({ path }) => path), relay.emails.length]).toEqual([['/email', '/emails'], 1]);
  });

  test.each([
    '',
    'ann',
    'a@b@c',
    'ann@codehost.example, eve@evil.example',
    'Ann <ann@codehost.example>',
    'a@b\r\nBcc: e@f',
  ])('the recipient %j is rejected before anybody is requested', async (to) => {
    const sent = await mailerOf(environment(byPostmark())).send({ ...email, to });
    expect(sent).toMatchObject({ ok: false, provider: 'postmark', permanent: true });
    expect(double.requests).toEqual([]);
  });

  test('a subject stays within its line', async () => {
    const subject = 'Lamps\r\nBcc: eve@evil.example\0\u2028 and\u202e more';
    await mailerOf(environment(byPostmark())).send({ ...email, subject });
    expect(double.requests[0]?.body.Subject).toBe('Lamps Bcc: eve@evil.example and more');
  });
});

aDatabase((database) => {
  let store: Store;
  let raw: Database;
  beforeAll(async () => {
    ({ store, database: raw } = await database.openRaw());
  });
  const by = { actor: { id: 101, login: 'ann' }, requestId: null, now };
  const saved = { enabled: true, provider: 'resend', from_address: 'Saved <saved@codehost.example>' } as const;
  const save = (value: Parameters<typeof saveEmailDelivery>[0], key: string | null, env = environment()) =>
    saveEmailDelivery(value, key, { store, box: settingsBox(env), by });

  test('saved settings send, and nothing is tried behind them', async () => {
    await save(saved, double.keys.resend);
    const mailer = mailerOf(environment({ ...byPostmark(), ...bySmtp() }), store);
    const state = { source: 'settings', provider: 'resend', from: saved.from_address };
    expect(await mailer.status()).toEqual(state);
    expect(await mailer.send(email)).toEqual({ ok: true, provider: 'resend', messageId: 're-1' });
    expect(double.requests[0]?.body.from).toBe(saved.from_address);
    await save(saved, 'a-key-that-is-wrong');
    expect(await mailer.send(email)).toMatchObject({ ok: false, provider: 'resend', error: 'API key is invalid' });
    expect(double.requests.map(({ path }) => path)).toEqual(['/emails', '/emails']);
    expect(relay.emails).toEqual([]);
  });

  test('settings that are switched off leave it to the environment', async () => {
    await save({ ...saved, enabled: false }, double.keys.resend);
    const mailer = mailerOf(environment(byPostmark()), store);
    expect(await mailer.status()).toMatchObject({ source: 'env', provider: 'postmark' });
    expect(await mailerOf(environment(), store).status()).toMatchObject({ source: 'none' });
  });

  test('a key that does not open sends nothing: other secret, other provider, none at all', async () => {
    const env = environment({ ...byPostmark(), SESSION_SECRET: 'An0therSecretOfTheSameLengthAsThat' });
    const broken = { source: 'settings_broken', provider: null, from: null };
    await save(saved, double.keys.resend);
    expect(await mailerOf(env, store).status()).toEqual(broken);
    const sent = await mailerOf(env, store).send(email);
    expect(sent).toMatchObject({ ok: false, provider: null, permanent: false });
    await raw.query(`update settings set value = value || '{"provider":"postmark"}' where key = 'email'`);
    expect(await mailerOf(environment(byPostmark()), store).status()).toEqual(broken);
    await raw.query(`update settings set value = '{"enabled":"yes"}' where key = 'email'`);
    expect(await mailerOf(environment(byPostmark()), store).status()).toEqual(broken);
    await raw.query(`update settings set secret_sealed = null where key = 'email'`);
    await save(saved, null);
    expect(await mailerOf(environment(byPostmark()), store).status()).toEqual(broken);
    expect(double.requests).toEqual([]);
  });

  test('a rotated session secret, and a key of its own, open what was sealed before', async () => {
    await save(saved, double.keys.resend);
    const rotated = { SESSION_SECRET: 'An0therSecretOfTheSameLengthAsThat', SESSION_SECRET_PREVIOUS: secret };
    const own = { SETTINGS_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
    for (const more of [rotated, own]) {
      expect(await mailerOf(environment(more), store).status()).toMatchObject({ source: 'settings' });
    }
    await save(saved, double.keys.resend, environment(own));
    expect(await mailerOf(environment(), store).status()).toMatchObject({ source: 'settings_broken' });
    expect(await mailerOf(environment({ ...own, ...rotated }), store).status()).toMatchObject({ source: 'settings' });
  });

  test('what came of emails is stored, without addresses and keys', async () => {
    await raw.query('delete from mail_status');
    expect(await store.mailStatus.get()).toEqual({ lastSuccessAt: null, lastError: null, lastErrorAt: null });
    await save(saved, double.keys.resend);
    const mailer = mailerOf(environment(), store);
    double.trouble({
      status: 422,
      body: JSON.stringify({ message: `${email.to} (${double.keys.resend}) is no lamp` }),
    });
    const sent = await mailer.send(email);
    expect(sent.ok ? '' : sent.error).toBe('ann@codehost.example (•••) is no lamp');
    time += 60_000;
    await mailer.send(email);
    const stored = {
      lastSuccessAt: now + 60_000,
      lastError: 'a•••@codehost.example (•••) is no lamp',
      lastErrorAt: now,
    };
    expect(await store.mailStatus.get()).toEqual(stored);
    await mailer.send({ ...email, to: 'nobody' });
    expect(await store.mailStatus.get()).toMatchObject({ lastErrorAt: now + 60_000 });
    time = now;
  });

  test('no key is in any column, and neither key nor address in any line of the log', async () => {
    await save(saved, double.keys.resend);
    const mailer = mailerOf(environment(byPostmark()), store);
    await mailer.send(email);
    double.trouble({ status: 500, body: `${email.to} ${double.keys.resend} ${email.subject}` });
    await mailer.send(email);
    const tables = ['settings', 'mail_status', 'audit_log'];
    for (const table of tables) {
      const rows = JSON.stringify(await raw.query(`select * from ${table}`));
      expect(rows.length).toBeGreaterThan(50);
      expect([table, rows.includes(double.keys.resend), rows.includes(email.to)]).toEqual([table, false, false]);
    }
    const [{ audited } = { audited: '' }] = await raw.query<{ audited: string }>(
      `select string_agg(coalesce(before::text, '') || coalesce(after::text, ''), ' ') as audited from audit_log`,
    );
    expect(audited).toContain('s•••@codehost.example');
    expect(audited).not.toContain('saved@codehost.example');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join()).not.toMatch(/CANARY|ann@|saved@/);
  });
});

test('a database that cannot be queried sends nothing through the environment', async () => {
  const store = await openTestStore(await migratedMemory());
  const mailer = mailerOf(environment(byPostmark()), store);
  expect(await mailer.status()).toMatchObject({ source: 'env' });
  await store.close();
  expect(await mailer.status()).toMatchObject({ source: 'settings_broken' });
  expect(await mailer.send(email)).toMatchObject({ ok: false, provider: null, permanent: false });
  expect(double.requests).toEqual([]);
});
