import { afterEach, describe, expect, test } from 'vitest';
import { sendBySmtp } from '../../server/mail/providers/smtp.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { type SmtpDouble, startSilence, startSmtp } from '../support/smtp-server.ts';

const email = {
  to: 'ann@codehost.example',
  subject: 'Lamps – 3 Lampen “aus”',
  text: 'Two lamps\nare out.\n.\nQUIT\n',
  html: '<p>Two lamps – é</p>',
  idempotencyKey: 'event:7',
};

const sendTo = (url: string, { changed = {}, appUrl = 'https://a.example', timeoutMs = 5000 } = {}) =>
  sendBySmtp(
    { secret: url, apiUrl: '', appUrl, from: 'Lämpchen <lamps@codehost.example>', timeoutMs, clock: systemClock },
    { ...email, ...changed },
  );

const started: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});
const relay = async (...options: Parameters<typeof startSmtp>): Promise<SmtpDouble> => {
  const server = await startSmtp(...options);
  started.push(server);
  return server;
};
const failure = { ok: false, permanent: false, retryAfterMs: null };

describe('a relay', () => {
  test('gets the email whole, with one recipient and both parts', async () => {
    const { host, emails } = await relay({ plain: true });
    const sent = await sendTo(`smtp://${host}`);
    expect(sent).toEqual({ ok: true, messageId: expect.stringMatching(/^<[0-9a-f]{32}@codehost\.example>$/) });
    expect(emails).toHaveLength(1);
    const [{ from, to, parsed, raw } = {} as never] = emails;
    expect([from, to]).toEqual(['lamps@codehost.example', ['ann@codehost.example']]);
    expect(parsed.subject).toBe(email.subject);
    expect(parsed.text?.trim()).toBe(email.text.trim());
    expect(parsed.html).toBe(email.html);
    expect(parsed.from?.value).toEqual([{ name: 'Lämpchen', address: 'lamps@codehost.example' }]);
    expect(parsed.messageId).toBe(sent.ok ? sent.messageId : null);
    expect(parsed.attachments).toEqual([]);
    expect(raw).not.toMatch(/^(cc|bcc|list-unsubscribe):/im);
  });

  test('gets the same Message-ID for the same key, and another for another key or deployment', async () => {
    const { host, emails } = await relay({ plain: true });
    await sendTo(`smtp://${host}`);
    await sendTo(`smtp://${host}`);
    await sendTo(`smtp://${host}`, { changed: { idempotencyKey: 'event:8' } });
    await sendTo(`smtp://${host}`, { appUrl: 'https://b.example' });
    const ids = emails.map(({ parsed }) => parsed.messageId);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
  });

  test.each([
    { subject: 'Lamps\r\nBcc: eve@evil.example' },
    { subject: 'Lamps\nX-Injected: yes\n\nBody' },
    { text: 'Lamps\r\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<eve@evil.example>\r\n' },
    { html: '<p>\r\n.\r\nRCPT TO:<eve@evil.example></p>' },
    { idempotencyKey: 'event:7>\r\nX-Injected: yes' },
  ])('is shown nothing more by %j', async (changed) => {
    const { host, emails } = await relay({ plain: true });
    expect(await sendTo(`smtp://${host}`, { changed })).toMatchObject({ ok: true });
    expect(emails.map(({ to }) => to)).toEqual([['ann@codehost.example']]);
    const headers = emails[0]?.parsed.headers;
    for (const name of ['bcc', 'x-injected']) expect(headers?.has(name)).toBe(false);
  });

  test('that encrypts is spoken to that way, and not at all when nobody vouches for it', async () => {
    const { host, emails } = await relay();
    const outcome = await sendTo(`smtp://${host}`);
    expect(outcome).toMatchObject({ ...failure, error: expect.stringMatching(/certificate/i) });
    expect(emails).toEqual([]);
  });

  test('is shown who we are; a wrong password fails for good, and is not said back', async () => {
    const login = { user: 'lamps@codehost.example', password: 'pass:word/CANARY' };
    const { host, emails } = await relay({ plain: true, login });
    const url = (password: string) =>
      `smtp://${encodeURIComponent(login.user)}:${encodeURIComponent(password)}@${host}`;
    expect(await sendTo(url(login.password))).toMatchObject({ ok: true });
    const response = await sendTo(url('wrong-CANARY'));
    expect(response).toEqual({ ...failure, permanent: true, error: '535 Authentication credentials invalid' });
    expect(emails).toHaveLength(1);
    const echo = await relay({
      plain: true,
      login,
      reject: { at: 'data', code: 550, message: `No ${login.password}` },
    });
    const said = await sendTo(url(login.password).replace(host, echo.host));
    expect(said).toEqual({ ...failure, permanent: true, error: '550 No •••' });
  });

  test.each(['0.0.0.0', '127.1', '127.0.1'])('at %s that does not encrypt gets no password', async (elsewhere) => {
    const login = { user: 'lamps', password: 'CANARY' };
    const { host, emails, passwords } = await relay({ plain: true, login });
    const outcome = await sendTo(`smtp://lamps:CANARY@${host.replace('127.0.0.1', elsewhere)}`);
    expect(outcome).toMatchObject({ ok: false });
    expect([emails, passwords]).toEqual([[], []]);
    await sendTo(`smtp://lamps:CANARY@${host}`);
    expect(passwords).toEqual(['CANARY']);
  });

  test.each([
    ['recipient', 550, 'No such lamp here', true],
    ['recipient', 451, 'Try again later', false],
    ['data', 554, 'Looks like a lamp', true],
    ['data', 452, 'No room for lamps', false],
  ] as const)('refusing the %s with %i is reported in its words: %s', async (at, code, message, permanent) => {
    const { host } = await relay({ plain: true, reject: { at, code, message } });
    expect(await sendTo(`smtp://${host}`)).toEqual({ ...failure, permanent, error: `${code} ${message}` });
  });

  test('that says nothing is left in time', async () => {
    const silence = await startSilence();
    started.push(silence);
    const outcome = await sendTo(`smtp://${silence.host}`, { timeoutMs: 200 });
    expect(outcome).toEqual({
      ...failure,
      isUnreachable: true,
      error: expect.stringMatching(/greeting|within 0.2 s/i),
    });
  });

  test('that is not there is reported as such', async () => {
    const { host, close } = await startSmtp({ plain: true });
    await close();
    const outcome = await sendTo(`smtp://${host}`);
    expect(outcome).toMatchObject({ ...failure, error: expect.stringContaining('ECONNREFUSED') });
  });
});
