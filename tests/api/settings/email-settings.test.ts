import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { aDatabase } from '../../support/a-database.ts';
import { type MailDouble, startMailDouble } from '../../support/mail-double.ts';
import { type Service, startService } from '../../support/service.ts';
import { expectFields, expectProblem } from '../endpoints.ts';
import { ann, from, nothing, path, questions } from './email-questions.ts';

let double: MailDouble;
beforeAll(async () => {
  double = await startMailDouble();
});
afterEach(() => double.reset());
afterAll(() => double.close());

const providers = () => ({ POSTMARK_API_URL: double.url, RESEND_API_URL: double.url });

aDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({
      MODE: 'organization',
      DATABASE_URL: await database.migrated(),
      RATE_LIMIT_SESSION_PER_MINUTE: '0',
      ...providers(),
    });
  });
  afterEach(() => service.clock.advance(61_000));
  afterAll(() => service.close());
  const { get, put, test: send } = questions(() => service);
  const entries = async () => (await service.ask('GET', '/api/admin/audit?category=settings', ann)).body.entries;

  test('at first nothing is saved, and nothing can be tried', async () => {
    expect(await get()).toEqual(nothing);
    const answer = await send();
    expectProblem(answer, 503, 'email_not_configured');
    expect(answer.body.ok).toBe(false);
  });

  test('what cannot be is rejected by its field, and nothing is saved', async () => {
    const good = { enabled: false, provider: 'resend' };
    for (const [body, field, reason = 'invalid'] of [
      [{ provider: 'resend' }, 'enabled', 'missing'],
      [{ enabled: false }, 'provider', 'missing'],
      [{ ...good, enabled: 'true' }, 'enabled'],
      [{ ...good, enabled: 1 }, 'enabled'],
      [{ ...good, provider: 'smtp' }, 'provider'],
      [{ ...good, provider: 'Resend' }, 'provider'],
      [{ ...good, from_address: 'lamps' }, 'from_address'],
      [{ ...good, from_address: 'a@b@c' }, 'from_address'],
      [{ ...good, from_address: 'a@b.example\r\nBcc: eve@evil.example' }, 'from_address'],
      [{ ...good, from_address: 'La\nmps <a@b.example>' }, 'from_address'],
      [{ ...good, from_address: 'Lamps <a@b.example> <c@d.example>' }, 'from_address'],
      [{ ...good, from_address: `${'a'.repeat(64)}@${'b'.repeat(190)}.example` }, 'from_address'],
      [{ ...good, from_address: 7 }, 'from_address'],
      [{ ...good, api_key: 'two words' }, 'api_key'],
      [{ ...good, api_key: 'key\r\nX-Injected: yes' }, 'api_key'],
      [{ ...good, api_key: 'x'.repeat(501) }, 'api_key'],
      [{ ...good, api_key: 7 }, 'api_key'],
      [{ ...good, model: 'x' }, 'model', 'unknown'],
    ] as const)
      expectFields(await put(body), [field, reason]);
    expect([await get(), await entries()]).toEqual([nothing, []]);
  });

  test('enabling needs a key and an address, and says which', async () => {
    const without = await put({ enabled: true, provider: 'resend', from_address: from });
    expectProblem(without, 400, 'api_key_required');
    expect(without.body.details.fields).toMatchObject([{ field: 'api_key', reason: 'missing' }]);
    for (const address of [undefined, null, '', '  ']) {
      const nobody = await put({ enabled: true, provider: 'resend', from_address: address, api_key: 're_some-key-01' });
      expectProblem(nobody, 400, 'from_address_required');
      expect(nobody.body.details.fields).toMatchObject([{ field: 'from_address', reason: 'missing' }]);
    }
    expect(await get()).toEqual(nothing);
  });

  test('what is saved is in effect at once, with a hint of the key, and in the audit log without it', async () => {
    const key = double.keys.resend;
    const answer = await put({ enabled: true, provider: 'resend', from_address: ` ${from} `, api_key: ` ${key} ` });
    const saved = {
      enabled: true,
      provider: 'resend',
      from_address: from,
      api_key_hint: '••••0002',
      has_key: true,
      updated_by: 'ann',
      updated_at: new Date(service.clock.now()).toISOString(),
      version: 1,
      db_available: true,
      effective_source: 'settings',
      effective_provider: 'resend',
      effective_from: from,
      last_success_at: null,
      last_error: null,
      last_error_at: null,
    };
    expect([answer.status, answer.body]).toEqual([200, { ok: true, settings: saved }]);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(await get()).toEqual(saved);
    const [entry, ...others] = await entries();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: 'settings.email_saved',
      actor: { login: 'ann' },
      target: 'email',
      before: null,
    });
    expect(entry.after).toEqual({
      enabled: true,
      provider: 'resend',
      from_address: 'Lamps <l•••@codehost.example>',
      key_changed: true,
    });
  });

  test('a key that is excluded or empty stays, and only what changed is in the audit log', async () => {
    const other = 'Lanterns <lamps@codehost.example>';
    for (const api_key of [undefined, '', '  '])
      expect((await put({ enabled: true, provider: 'resend', from_address: other, api_key })).status).toBe(200);
    expect(await get()).toMatchObject({ has_key: true, api_key_hint: '••••0002', from_address: other });
    const [entry, earlier] = await entries();
    expect([entry.before, entry.after]).toEqual([
      { from_address: 'Lamps <l•••@codehost.example>' },
      { from_address: 'Lanterns <l•••@codehost.example>' },
    ]);
    expect(earlier.before).toBeNull();
    await put({ enabled: true, provider: 'resend', from_address: from });
  });

  test('an email goes out, and the recipient reads by what', async () => {
    const answer = await send('bo@codehost.example');
    expect([answer.status, answer.body]).toEqual([200, { ok: true, source: 'settings', provider: 'resend' }]);
    const [{ body, headers } = {} as never] = double.requests;
    expect(headers['idempotency-key']).toMatch(/^test:[0-9a-f-]{36}$/);
    expect(body).toMatchObject({ from, to: 'bo@codehost.example', subject: 'Email delivery test' });
    expect(body.text).toContain('Provider: resend\nConfigured in: settings\nTime: 16 Nov 2026, ');
    expect(body.text).toMatch(/Asia\/Saigon \(\d\d:\d\d UTC\)/);
    expect(await get()).toMatchObject({
      last_success_at: new Date(service.clock.now()).toISOString(),
      last_error: null,
    });
  });

  test.each(['', 'ann', 'a@b, c@d', 'Ann <ann@codehost.example>', 'a@b\r\nBcc: c@d', null, ['a@b.example']])(
    'a test to %j is rejected',
    async (to) => {
      const answer = await send(to);
      expectProblem(answer, 400, 'invalid_request');
      expect(answer.body).toMatchObject({ ok: false, details: { fields: [{ field: 'to' }] } });
      expect(double.requests).toEqual([]);
    },
  );

  test('the provider’s error is reported in its own words, and the fourth test in a minute is one too many', async () => {
    const labels = `<b>Not for ann@codehost.example</b> ${double.keys.resend}`;
    double.trouble({ status: 403, body: JSON.stringify({ message: labels }), times: 3 });
    for (let turn = 0; turn < 3; turn++) {
      const answer = await send();
      expectProblem(answer, 502, 'provider_error');
      expect(answer.body).toMatchObject({ ok: false, error: '<b>Not for ann@codehost.example</b> •••' });
    }
    const fourth = await send();
    expectProblem(fourth, 429, 'rate_limited');
    expect([fourth.body.ok, fourth.headers.get('ratelimit-limit')]).toEqual([false, '3']);
    expect(double.requests).toHaveLength(3);
    expect(await get()).toMatchObject({ last_error: '<b>Not for a•••@codehost.example</b> •••' });
  });

  test('another provider needs its own key: what is stored is never sent there', async () => {
    for (const enabled of [true, false]) {
      const answer = await put({ enabled, provider: 'postmark', from_address: from });
      expectProblem(answer, 400, 'api_key_required');
    }
    expect(await get()).toMatchObject({ provider: 'resend', effective_provider: 'resend' });
    const key = 'short-key';
    const moved = await put({ enabled: true, provider: 'postmark', from_address: from, api_key: key });
    expect(moved.body.settings).toMatchObject({ provider: 'postmark', api_key_hint: '••••', has_key: true });
    expectProblem(await send(), 502, 'provider_error');
    expect(double.requests.map(({ headers }) => headers['x-postmark-server-token'])).toEqual([key]);
  });

  test('a key that does not open any more is said, minimum given again', async () => {
    const by = { actor: { id: 101, login: 'ann' }, requestId: null, now: service.clock.now() };
    const value = { enabled: true, provider: 'resend', from_address: from };
    const secret = { sealed: 'sealed-elsewhere', hint: '••••0002' };
    await service.app.services.store?.settings.put('email', { value, secret, by });
    expect(await get()).toMatchObject({ effective_source: 'settings_broken', effective_provider: null, has_key: true });
    expectProblem(await send(), 503, 'email_not_configured');
    expectProblem(await put(value), 400, 'api_key_required');
    const off = await put({ ...value, enabled: false });
    expect(off.body.settings).toMatchObject({ enabled: false, effective_source: 'none' });
    const again = await put({ ...value, api_key: double.keys.resend });
    expect(again.body.settings).toMatchObject({ effective_source: 'settings' });
    expect(double.requests).toEqual([]);
  });

  test('only administrators read, save and try', async () => {
    await service.signIn('token-bo');
    await service.ask('PUT', '/api/admin/users/102/groups', { ...ann, body: { groups: ['dev'] } });
    const bo = { as: 'token-bo' };
    const value = { enabled: false, provider: 'resend' };
    for (const answer of [
      await service.ask('GET', path, bo),
      await service.ask('PUT', path, { ...bo, body: value }),
      await service.ask('POST', `${path}/test`, { ...bo, body: { to: 'bo@codehost.example' } }),
    ]) {
      expectProblem(answer, 403, 'forbidden');
      expect(answer.body.flag).toBe('admin');
    }
  });

  test('no key was ever in an answer', async () => {
    for (const question of [path, '/api/admin/audit?category=all', '/api/openapi.json', '/api/jobs']) {
      const { status, text } = await service.ask('GET', question, ann);
      expect([question, status, /CANARY|short-key/.test(text)]).toEqual([question, 200, false]);
    }
  });
});
