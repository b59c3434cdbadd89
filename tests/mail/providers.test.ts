import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendByPostmark } from '../../server/mail/providers/postmark.ts';
import type { Account } from '../../server/mail/providers/provider.ts';
import { sendByResend } from '../../server/mail/providers/resend.ts';
import { fixedClock } from '../../server/platform/clock.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';

let double: MailDouble;
beforeAll(async () => {
  double = await startMailDouble();
});
beforeEach(() => double.reset());
afterAll(() => double.close());

const now = Date.UTC(2026, 10, 16, 10);
const email = {
  to: 'ann@codehost.example',
  subject: 'Lamps & <lanterns>',
  text: 'Two lamps\nare out.',
  html: '<p>Two lamps</p>',
  idempotencyKey: 'event:7',
};

/** A provider with an account, and another way to name the place it is at. */
const send = { postmark: sendByPostmark, resend: sendByResend };
type Name = keyof typeof send;
const sendBy = (name: Name, more: Partial<Account> = {}, changed = {}) => {
  const account = { secret: double.keys[name], apiUrl: double.url, from: 'Lamps <lamps@codehost.example>' };
  return send[name](
    { ...account, appUrl: 'https://a.example', timeoutMs: 5000, clock: fixedClock(now), ...more },
    { ...email, ...changed },
  );
};

test('Postmark gets one email, with its key as metadata, and is asked to watch nobody', async () => {
  expect(await sendBy('postmark')).toEqual({ ok: true, messageId: 'pm-event:7' });
  expect(double.requests).toHaveLength(1);
  expect(double.requests[0]).toMatchObject({ method: 'POST', path: '/email' });
  expect(double.requests[0]?.headers['x-postmark-server-token']).toBe(double.keys.postmark);
  expect(double.requests[0]?.body).toEqual({
    From: 'Lamps <lamps@codehost.example>',
    To: 'ann@codehost.example',
    Subject: 'Lamps & <lanterns>',
    TextBody: 'Two lamps\nare out.',
    HtmlBody: '<p>Two lamps</p>',
    TrackOpens: false,
    TrackLinks: 'None',
    Metadata: { idempotency_key: 'event:7' },
  });
});

test('Resend gets one email, and knows a repeated one by its key', async () => {
  expect(await sendBy('resend')).toEqual({ ok: true, messageId: 're-1' });
  expect(await sendBy('resend')).toEqual({ ok: true, messageId: 're-1' });
  expect(await sendBy('resend', {}, { idempotencyKey: 'event:8' })).toEqual({ ok: true, messageId: 're-2' });
  expect(double.requests[0]).toMatchObject({ method: 'POST', path: '/emails' });
  expect(double.requests[0]?.headers).toMatchObject({
    authorization: `Bearer ${double.keys.resend}`,
    'idempotency-key': 'event:7',
  });
  const { to, subject, text, html } = email;
  expect(double.requests[0]?.body).toEqual({ from: 'Lamps <lamps@codehost.example>', to, subject, text, html });
});

describe.each(['postmark', 'resend'] as const)('%s', (name) => {
  const failure = { ok: false, permanent: false, retryAfterMs: null };

  test('that refuses the key is reported in its own words, for good', async () => {
    const said = { postmark: 'Request does not contain a valid Server token.', resend: 'API key is invalid' };
    const outcome = await sendBy(name, { secret: 'another-key' });
    expect(outcome).toEqual({ ...failure, permanent: true, error: said[name] });
  });

  test.each([
    ...[400, 401, 403, 404, 422].map((status) => [status, true] as const),
    ...[402, 408, 409, 429, 500, 502, 503, 504].map((status) => [status, false] as const),
  ])('answering %i fails for good: %s', async (status, permanent) => {
    const body = JSON.stringify({ ErrorCode: 406, message: 'No lamps here', name: 'lamps', statusCode: 200 });
    double.trouble({ status, body });
    expect(await sendBy(name)).toEqual({ ...failure, permanent, error: 'No lamps here' });
    expect(double.requests).toHaveLength(1);
  });

  test.each([
    ['86400', 86_400_000],
    [new Date(now + 90_000).toUTCString(), 90_000],
    [new Date(now - 90_000).toUTCString(), 0],
    ['soon', null],
  ])('that asks to wait until %s is heard', async (header, retryAfterMs) => {
    double.trouble({ status: 429, headers: { 'retry-after': header }, body: '{"message":"Too many lamps"}' });
    expect(await sendBy(name)).toEqual({ ...failure, error: 'Too many lamps', retryAfterMs });
  });

  test('answering something that is no JSON is reported as it is, or by its status', async () => {
    double.trouble({ status: 503, body: '<h1>Down</h1>' });
    expect(await sendBy(name)).toEqual({ ...failure, error: '<h1>Down</h1>' });
    double.trouble({ status: 502, body: '' });
    expect(await sendBy(name)).toEqual({ ...failure, error: 'The provider responded with status 502.' });
  });

  test.each(['', 'OK', '{}', '[]', 'null', '{"id":7,"MessageID":7}'])(
    'answering 200 with %j has not taken the email',
    async (body) => {
      double.trouble({ status: 200, body });
      expect(await sendBy(name)).toEqual({ ...failure, error: 'The provider’s response could not be read.' });
    },
  );

  test('is not followed elsewhere, and the key does not go there', async () => {
    const elsewhere = await startMailDouble();
    for (const status of [301, 302, 307, 308]) {
      double.trouble({ status, headers: { location: `${elsewhere.url}/emails` } });
      const error = `The provider responded with a redirect (${status}), which is not followed.`;
      expect(await sendBy(name)).toEqual({ ...failure, error });
    }
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  test.each(['hang', 'stalled_body'] as const)('that does not come to an end (%s) is left', async (kind) => {
    double.trouble({ kind });
    const outcome = await sendBy(name, { timeoutMs: 150 });
    expect(outcome).toEqual({ ...failure, isUnreachable: true, error: 'The provider did not respond within 0.15 s.' });
  });

  test('that cannot be reached is reported as such', async () => {
    double.trouble({ kind: 'reset' });
    expect(await sendBy(name)).toMatchObject({
      ...failure,
      error: expect.stringMatching(/^The provider could not be/),
    });
    const closed = await startMailDouble();
    await closed.close();
    const gone = await sendBy(name, { apiUrl: closed.url });
    const error = 'The provider could not be reached (ECONNREFUSED).';
    expect(gone).toEqual({ ...failure, isUnreachable: true, error });
  });

  test('answering at length is read in part, and its words are cut', async () => {
    double.trouble({ status: 422, body: `{"message":"${'lamp '.repeat(2000)}"}` });
    const long = await sendBy(name);
    expect(long).toMatchObject({ ok: false, permanent: true });
    expect(long.ok ? '' : long.error).toBe('lamp '.repeat(400));
    double.trouble({ status: 200, body: `{"id":"a","MessageID":"a","more":"${'x'.repeat(5_000_000)}"}` });
    const error = 'The provider’s response could not be read: it is too long.';
    expect(await sendBy(name)).toEqual({ ...failure, error });
    double.trouble({ kind: 'endless' });
    expect(await sendBy(name)).toEqual({ ...failure, error });
  });

  test('saying the key back, or characters that no column takes, is reported without', async () => {
    double.trouble({ status: 403, body: JSON.stringify({ message: `No\0 ${double.keys[name]} \ud800here` }) });
    expect(await sendBy(name)).toEqual({ ...failure, permanent: true, error: 'No  •••  here' });
  });

  test('gets a name with signs of its own as one name', async () => {
    await sendBy(name, { from: 'Lamps, Inc. <lamps@codehost.example>' });
    const { From, from = From } = double.requests[0]?.body ?? {};
    expect(from).toBe('"Lamps, Inc." <lamps@codehost.example>');
  });

  test.each(['a key\r\nX-Injected: yes', 'Schlüssel\u0100'])('with the key %j sends nothing', async (secret) => {
    const outcome = await sendBy(name, { secret });
    expect(outcome).toMatchObject({ ok: false });
    expect(JSON.stringify(outcome)).not.toContain(secret.slice(0, 5));
    expect(double.requests).toEqual([]);
  });
});
