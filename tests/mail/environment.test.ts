import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { InvalidEnvironment, readEnv } from '../../server/platform/env.ts';
import { mailAddress, parseSender, withoutAddresses } from '../../server/platform/mail-address.ts';
import { keyHint, settingsBox } from '../../server/settings/sealing.ts';

const production = { NODE_ENV: 'production', SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo' };

/** The sentence with which a configuration is rejected; null where it is taken. */
function problem(source: Record<string, string>): string | null {
  try {
    readEnv({ ...production, ...source });
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEnvironment);
    return (error as Error).message;
  }
}

describe('the configuration of mail', () => {
  test.each([
    [{ POSTMARK_API_KEY: 'CANARY key', POSTMARK_FROM: 'a@b.example' }, 'POSTMARK_API_KEY'],
    [{ POSTMARK_API_KEY: 'CANARY' }, 'POSTMARK_FROM must be set with POSTMARK_API_KEY'],
    [{ RESEND_API_KEY: 'CANARY' }, 'RESEND_FROM must be set with RESEND_API_KEY'],
    [{ RESEND_FROM: 'CANARY' }, 'RESEND_FROM'],
    [{ SMTP_URL: 'smtp://CANARY@mail.example' }, 'SMTP_FROM must be set with SMTP_URL'],
    [{ SMTP_URL: 'https://CANARY@mail.example', SMTP_FROM: 'a@b.example' }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://mail.example/?logger=CANARY', SMTP_FROM: 'a@b.example' }, 'SMTP_URL'],
    [{ RESEND_API_URL: 'http://CANARY.example' }, 'RESEND_API_URL must use https'],
    [{ POSTMARK_API_URL: 'http://CANARY.example' }, 'POSTMARK_API_URL must use https'],
    [{ SETTINGS_ENCRYPTION_KEY: 'CANARY' }, 'SETTINGS_ENCRYPTION_KEY must be 32 bytes'],
    [{ SETTINGS_ENCRYPTION_KEY: randomBytes(31).toString('base64') }, 'SETTINGS_ENCRYPTION_KEY must be 32 bytes'],
    [{ SETTINGS_ENCRYPTION_KEY: randomBytes(33).toString('hex') }, 'SETTINGS_ENCRYPTION_KEY must be 32 bytes'],
    [{ SETTINGS_ENCRYPTION_KEY: 'a'.repeat(64) }, 'SETTINGS_ENCRYPTION_KEY is a placeholder'],
  ])('%o is rejected by its name, without its value', (source, name) => {
    const labels = problem(source);
    expect(labels).toContain(name);
    expect(labels).not.toContain('CANARY');
  });

  test.each<Record<string, string>>([
    { POSTMARK_API_KEY: 'key', POSTMARK_FROM: 'Lamps <a@b.example>' },
    { SMTP_URL: 'smtp://user:pass%2Fword@mail.example:2525', SMTP_FROM: 'a@b.example' },
    { SMTP_URL: 'smtps://[2001:db8::1]/', SMTP_FROM: 'a@b.example' },
    { RESEND_API_URL: 'http://127.0.0.1:9000', POSTMARK_API_URL: 'https://mail.example/postmark/' },
    { SETTINGS_ENCRYPTION_KEY: randomBytes(32).toString('base64') },
    { SETTINGS_ENCRYPTION_KEY: randomBytes(32).toString('base64url') },
    { SETTINGS_ENCRYPTION_KEY: randomBytes(32).toString('hex') },
  ])('%o is taken', (source) => {
    expect(problem(source)).toBeNull();
  });
});

test('without any secret one of the process’s own seals, the same for everybody in it', () => {
  const env = readEnv({ NODE_ENV: 'test' });
  expect(settingsBox(env).open(settingsBox(env).seal('lamps'))?.text).toBe('lamps');
  expect(settingsBox(readEnv(production)).open(settingsBox(env).seal('lamps'))).toBeNull();
});

test.each([
  ['', '••••'],
  ['elevenchars', '••••'],
  ['twelve-chars', '••••hars'],
])('the hint of the key %j is %s', (key, hint) => {
  expect(keyHint(key)).toBe(hint);
});

test('an address is one address; a sender may have a name', () => {
  const bad = [
    '',
    'a',
    'a@',
    '@b',
    'a@b@c',
    'a b@c',
    'a@b,c@d',
    '<a@b>',
    'a@b\n',
    'a@b\u0000',
    `${'a'.repeat(64)}@${'b'.repeat(190)}`,
  ];
  expect(bad.filter((text) => mailAddress.safeParse(text).success)).toEqual([]);
  const good = ['a@b', "o'hara+tag@mail.example", 'å@é.example', `${'a'.repeat(64)}@${'b'.repeat(189)}`];
  expect(good.filter((text) => !mailAddress.safeParse(text).success)).toEqual([]);
  expect(parseSender('Lamps & Co. <a@b.example>')).toEqual({ name: 'Lamps & Co.', address: 'a@b.example' });
  expect(parseSender('a@b.example')).toEqual({ name: '', address: 'a@b.example' });
  for (const text of [
    ...bad,
    'a@b.example <c@d.example>x',
    'La"mps <a@b>',
    'x\r\nBcc: y <a@b>',
    `${'n'.repeat(101)} <a@b>`,
  ])
    expect([text, parseSender(text)]).toEqual([text, null]);
});

test('addresses in words are reported by their first email and their place', () => {
  const labels = 'No <ann@codehost.example>, "bo+x@codehost.example" or x@y; at 5@ noon';
  expect(withoutAddresses(labels)).toBe('No <a•••@codehost.example>, "b•••@codehost.example" or x•••@y; at 5@ noon');
});
