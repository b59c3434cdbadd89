import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokenText } from '../../server/access/token-text.ts';
import { createLog } from '../../server/platform/log.ts';
import { expectProblem } from '../api/endpoints.ts';
import { type Service, startService } from '../support/service.ts';
import { makeToken } from './made-token.ts';
import { type Member, settle } from './personas.ts';

/** What stands in an answer that several features open in part, by a token that has one of them. */
describe('a token that may read less than its owner', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: 'pglite://memory', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
    await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
    await service.ask('POST', '/api/alerts', {
      as: 'token-ann',
      body: {
        scope: 'repo:octo/web',
        metric: 'failure_rate',
        threshold: 20,
        channel: 'email',
        destination: 'lead@codehost.example',
      },
    });
  });
  afterAll(() => service?.close());

  test('gets no costs of workflows, also not as CSV or by their order', async () => {
    const path = '/api/db/workflows?org=octo';
    const own = (await service.ask('GET', path, { as: 'token-ann' })).body;
    expect(own.withheld).toEqual([]);
    const { headers } = await makeToken(service, 'token-ann', ['reports']);
    const { body } = await service.ask('GET', path, { headers });
    expect(body.withheld).not.toEqual([]);
    expect(body.workflows.every((one: Record<string, unknown>) => one.cost_per_month === null)).toBe(true);
    const whole = await makeToken(service, 'token-ann', ['reports', 'costAnalytics']);
    expect((await service.ask('GET', path, { headers: whole.headers })).body).toEqual(own);
    // And again from memory, which holds the answers of both.
    expect((await service.ask('GET', path, { headers })).body).toEqual(body);
  });

  test('gets alert rules without where they are sent and who made them', async () => {
    const own = await service.ask('GET', '/api/alerts', { as: 'token-ann' });
    expect(own.text).toContain('lead@codehost.example');
    const { headers } = await makeToken(service, 'token-ann', ['alerts']);
    const { body, text } = await service.ask('GET', '/api/alerts', { headers });
    expect(body.rules).toHaveLength(1);
    expect(body.rules[0]).toMatchObject({ destination: null, destination_hidden: true, created_by: null });
    expect(text).not.toContain('lead@codehost.example');
  });

  test('that rests on a token of other repositories gets no alert rules of this one', async () => {
    const { world } = service.double;
    world.tokens.push({ token: 'token-elsewhere', login: 'ann', scopes: null, authorizedFor: [], only: ['octo/api'] });
    const { headers } = await makeToken(service, 'token-ann', ['alerts'], { platform_token: 'token-elsewhere' });
    expect((await service.ask('GET', '/api/alerts', { headers })).body.rules).toEqual([]);
  });

  test('a text that begins like one of ours is not sent to GitHub as a GitHub token', async () => {
    service.double.requests.length = 0;
    const text = createTokenText();
    const made = await service.ask('POST', '/api/tokens', {
      as: 'token-ann',
      body: { name: 'Wrong', features: [], platform_token: text },
    });
    expectProblem(made, 400, 'invalid_request');
    const signIn = await service.ask('POST', '/api/auth/setup', { body: { pat: text }, from: '10.9.9.9' });
    expectProblem(signIn, 401, 'invalid_token');
    expect(service.double.requests).toEqual([]);
  });
});

describe('in an organization', () => {
  let service: Service;
  let tokens: Record<Member, string>;
  beforeAll(async () => {
    const env = { MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo', RATE_LIMIT_SESSION_PER_MINUTE: '0' };
    service = await startService(env);
    tokens = await settle(service);
    await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: tokens['in admin'] });
  });
  afterAll(() => service?.close());

  test('what everybody sees of themselves leaves by no token, as nobody could have ticked it', async () => {
    const habits = '/api/db/working-habits?owner=octo&login=person-3';
    expect((await service.ask('GET', habits, { as: tokens['in dev'] })).status).toBe(200);
    const { headers } = await makeToken(service, tokens['in dev'], []);
    for (const path of [habits, '/api/codehost/contributor-profile?owner=octo&login=person-3']) {
      const answer = await service.ask('GET', path, { headers });
      expectProblem(answer, 403, 'forbidden');
    }
  });

  test('an administrator’s token reads alert rules as anybody else', async () => {
    const { headers } = await makeToken(service, tokens['in admin'], ['alerts']);
    await service.ask('POST', '/api/alerts', {
      as: tokens['in admin'],
      body: { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 },
    });
    const { body } = await service.ask('GET', '/api/alerts', { headers });
    expect(body.rules[0]).toMatchObject({ created_by: null, destination: null });
  });

  test('a GitHub token that cannot show the membership is not accepted for one', async () => {
    const { world } = service.double;
    world.tokens.push({ token: 'token-of-one', login: 'person-3', scopes: [], authorizedFor: [], only: ['octo/web'] });
    const before = await service.ask('POST', '/api/tokens', {
      as: tokens['in dev'],
      body: { name: 'Narrow', features: [], platform_token: 'token-of-one' },
    });
    expectProblem(before, 400, 'invalid_request');
    expect(before.body.details.fields[0].message).toContain('membership');
  });
});

test('no line of the log has an access token that stands in an address', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  const log = createLog('info', join(folder, 'log'));
  const text = createTokenText();
  const encoded = text.replace('das', '%64%61s');
  log.info({ path: `/api/${text}/x`, cause: { url: `https://host/repos/octo/${text}` } }, encoded);
  const line = readFileSync(join(folder, 'log'), 'utf8');
  rmSync(folder, { recursive: true });
  expect(JSON.parse(line)).toMatchObject({
    path: '/api/***/x',
    cause: { url: 'https://host/repos/octo/***' },
    msg: '***',
  });
});
