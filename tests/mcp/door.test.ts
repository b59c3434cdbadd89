import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokenText, exampleToken } from '../../server/access/token-text.ts';
import { makeToken, ownBearer } from '../access/made-token.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { requestOf, revision } from './client.ts';
import { callTool, messageOf, mirrorOf, reply } from './messages.ts';

const page = 'https://notebook.example';
const endpoint = 'http://localhost:3000/api/mcp';

let service: Service;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await startService({
    DATABASE_URL: anyDatabase,
    MCP_ALLOWED_ORIGINS: page,
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
  });
  headers = (await makeToken(service, 'token-ann', ['dora', 'reports'])).headers;
});
afterAll(() => service.close());

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  query?: string;
  from?: string;
}

async function send({ method = 'POST', headers: given = headers, body, query = '', from }: Sent) {
  const sent = body ?? (method === 'POST' ? messageOf('tools/list') : undefined);
  const request = new Request(`${endpoint}${query}`, {
    method,
    body: sent ?? null,
    headers: { ...mirrorOf('tools/list'), ...given },
  });
  return reply(await requestOf(service, request, from));
}

test('a token of this service is answered, and the answer is kept by nobody', async () => {
  const { status, body, headers } = await send({});
  expect(status).toBe(200);
  expect(body.result.tools.map((one: { name: string }) => one.name)).toContain('delivery_metrics');
  expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

describe('whoever sends no token of this service is rejected', () => {
  const platformToken = () => bearerOf('token-ann');
  test.each([
    ['none', () => ({}), 'Bearer'],
    ['a platform token', platformToken, 'Bearer error="invalid_token"'],
    ['a malformed one', () => ownBearer(`${createTokenText()}x`), 'Bearer error="invalid_token"'],
    ['one that nobody issued', () => ownBearer(createTokenText()), 'Bearer error="invalid_token"'],
    ['the one of examples', () => ownBearer(exampleToken), 'Bearer error="invalid_token"'],
  ])('%s', async (_, given, challenge) => {
    const before = service.double.requests.length;
    const { status, body, headers } = await send({ headers: given() });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'unauthenticated', request_id: expect.any(String) });
    expect(headers.get('www-authenticate')).toBe(challenge);
    expect(service.double.requests.length).toBe(before);
  });

  test('a cookie', async () => {
    const cookie = await service.signIn('token-ann');
    const { status, headers } = await send({ headers: { cookie } });
    expect([status, headers.get('set-cookie')]).toEqual([401, null]);
  });

  test('a token in the query', async () => {
    const query = `?access_token=${headers.authorization?.slice('Bearer '.length)}`;
    expect((await send({ headers: {}, query })).status).toBe(401);
  });
});

describe('methods', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('%s is not allowed', async (method) => {
    const { status, headers } = await send({ method });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('POST');
  });
});

describe('origins', () => {
  test.each([
    ['ours', 'http://localhost:3000', 200],
    ['a listed one', page, 200],
    ['another one', 'https://evil.example', 403],
    ['null', 'null', 403],
  ])('%s', async (_, origin, expected) => {
    const { status, body, headers: answered } = await send({ headers: { ...headers, origin } });
    expect(status).toBe(expected);
    if (expected === 403) {
      expect(body).toMatchObject({ jsonrpc: '2.0', error: { code: 403, data: { code: 'origin_not_allowed' } } });
      expect(body).not.toHaveProperty('id');
    }
    expect(answered.get('access-control-allow-origin')).toBe(origin === page ? page : null);
  });

  test('a preflight of a listed one', async () => {
    const { status, headers } = await send({ method: 'OPTIONS', headers: { origin: page } });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(page);
    expect(headers.get('access-control-allow-methods')).toBe('POST');
    expect(headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('a rejection can be read by a listed one', async () => {
    const { status, headers } = await send({ headers: { origin: page } });
    expect(status).toBe(401);
    expect(headers.get('access-control-allow-origin')).toBe(page);
    expect(headers.get('access-control-expose-headers')).toContain('www-authenticate');
  });
});

describe('names of this machine', () => {
  test.each([
    ['localhost:3000', '203.0.113.7', 200],
    ['127.0.0.1:4000', '127.0.0.1', 200],
    ['[::1]:4000', '::1', 200],
    ['127.0.0.1:4000', '203.0.113.7', 403],
    ['rebound.example', '127.0.0.1', 403],
  ])('Host %s from %s', async (host, from, expected) => {
    expect((await send({ headers: { ...headers, host }, from })).status).toBe(expected);
  });
});

describe('messages', () => {
  test.each([
    ['no JSON', '{', 400, -32700],
    ['an unknown method', messageOf('tools/erase'), 404, -32601],
    ['a header that names another method', messageOf('prompts/list'), 400, -32020],
  ])('%s', async (_, body, expected, code) => {
    const method = body.includes('tools/erase') ? 'tools/erase' : 'tools/list';
    const answer = await send({ body, headers: { ...headers, 'mcp-method': method } });
    expect(answer.status).toBe(expected);
    expect(answer.body.error.code).toBe(code);
  });

  test('a body that is too large', async () => {
    const { status, body } = await send({ body: messageOf('tools/list', { filler: 'x'.repeat(65 * 1024) }) });
    expect(status).toBe(413);
    expect(body.code).toBe('payload_too_large');
  });

  test('a batch', async () => {
    const batch = `[${messageOf('tools/list')},${messageOf('tools/list')}]`;
    for (const given of [headers, { ...headers, 'mcp-protocol-version': '2025-03-26' }]) {
      const { status, body } = await send({ body: batch, headers: given });
      expect([status, body.error.code]).toEqual([400, -32600]);
    }
  });

  test('a revision that is not served', async () => {
    const { status, body } = await send({
      headers: { ...headers, 'mcp-protocol-version': '2030-01-01' },
      body: messageOf('tools/list').replace(revision, '2030-01-01'),
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: -32022, data: { supported: [revision] } });
  });

  test('an unknown tool', async () => {
    const answer = await call('erase_everything', {});
    expect(answer.status).toBe(200);
    expect(answer.body.error.code).toBe(-32602);
  });
});

const call = (name: string, input: object) => callTool(service, headers, name, input);

describe('what goes wrong with a tool', () => {
  test('a feature that the token was made without', async () => {
    const { status, body, headers } = await call('issue_health', { owner: 'octo', repo: 'web' });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'insufficient_scope', flag: 'issueHealth' });
    expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="read feature:issueHealth"');
  });

  test('input that is not valid names its fields', async () => {
    const { status, body } = await call('delivery_metrics', { owner: 'octo', colour: 'red' });
    expect(status).toBe(200);
    const { isError, content, structuredContent } = body.result;
    expect({ isError, structuredContent }).toEqual({ isError: true });
    expect(JSON.parse(content[1].text)).toMatchObject({
      code: 'invalid_request',
      details: {
        fields: expect.arrayContaining([
          expect.objectContaining({ field: 'repo', reason: 'missing' }),
          expect.objectContaining({ field: 'colour', reason: 'unknown' }),
        ]),
      },
    });
  });

  test('a repository that is not there', async () => {
    const { body } = await call('delivery_metrics', { owner: 'octo', repo: 'nothing' });
    expect(JSON.parse(body.result.content[1].text)).toMatchObject({ code: 'not_found' });
  });

  test('a part whose feature is missing is named', async () => {
    const { body } = await call('delivery_metrics', { owner: 'octo', repo: 'web' });
    const { notes, measurements } = body.result.structuredContent;
    expect(notes).toEqual([
      { code: 'missing_feature', text: 'Deployments is not granted.', part: 'deployments', flag: 'deployments' },
    ]);
    expect(measurements.map(({ key }: { key: string }) => key)).not.toContain('deploys_per_day');
  });
});
