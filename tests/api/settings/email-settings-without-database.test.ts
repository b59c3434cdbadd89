import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../../server/access/context.ts';
import { getEmailSettings } from '../../../server/api/settings/email.ts';
import { toWire } from '../../../server/api/wire.ts';
import { emptyReply } from '../../../server/http/execute.ts';
import { createMailer } from '../../../server/mail/mailer.ts';
import { aStore } from '../../support/database.ts';
import { type Service, startService } from '../../support/service.ts';
import { startSmtp } from '../../support/smtp-server.ts';
import { expectProblem } from '../endpoints.ts';
import { from, nothing, path, questions } from './email-questions.ts';

let service: Service;
let relay: Awaited<ReturnType<typeof startSmtp>>;
beforeAll(async () => {
  relay = await startSmtp({ plain: true });
  service = await startService({ SMTP_URL: `smtp://${relay.host}`, SMTP_FROM: from });
});
afterAll(async () => {
  await service.close();
  await relay.close();
});
const { get, put, test: send } = questions(() => service);

test('the environment is in effect, and nothing can be saved', async () => {
  const byEnvironment = { effective_source: 'env', effective_provider: 'smtp', effective_from: from };
  expect(await get()).toEqual({ ...nothing, ...byEnvironment, db_available: false });
  expectProblem(await put({ enabled: false, provider: 'resend' }), 503, 'db_not_configured');
});

test('whoever is signed in may try it; what arrives is one email with two parts and nothing of elsewhere', async () => {
  expect((await send()).body).toEqual({ ok: true, source: 'env', provider: 'smtp' });
  const [{ raw, to } = {} as never] = relay.emails;
  expect(to).toEqual(['ann@codehost.example']);
  const { text, html, headers } = await simpleParser(raw);
  expect(text).toContain('Configured in: environment');
  expect(html).toContain('href="http://localhost:3000/settings/email"');
  expect(String(html).match(/(src|background)=|url\(/)).toBeNull();
  expect(headers.has('list-unsubscribe')).toBe(false);
});

test('tests are counted by token, whoever’s session carries it', async () => {
  service.clock.advance(61_000);
  const again = await service.ask('POST', '/api/auth/setup', { body: { pat: 'token-ann' }, from: '10.4.0.1' });
  const headers = { cookie: again.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const to = { to: 'ann@codehost.example' };
  const statuses = [
    (await send()).status,
    (await service.ask('POST', `${path}/test`, { headers, body: to })).status,
    (await send()).status,
    (await service.ask('POST', `${path}/test`, { headers, body: to })).status,
    (await service.ask('POST', `${path}/test`, { as: 'token-bo', body: to })).status,
  ];
  expect(statuses).toEqual([200, 200, 200, 429, 200]);
});

test('a database that cannot be reached is said, and reading does not fail', async () => {
  const store = await aStore();
  await store.close();
  const { services } = service.app;
  const mailer = createMailer({ ...services, store });
  const context = { services: { ...services, store, mailer } } as unknown as Context;
  const reported = await getEmailSettings.run({}, context, emptyReply());
  const wire = toWire(getEmailSettings.output, reported);
  expect(wire).toEqual({ ...nothing, effective_source: 'settings_broken', db_available: false });
});
