import { describe, expect, test } from 'vitest';
import { anyDatabase } from '../support/service.ts';
import {
  administered,
  everyOperation,
  expectFields,
  expectHouseHeaders,
  expectProblem,
  guarded,
  machines,
  named,
  open,
  visitService,
  withQuery,
} from './endpoints.ts';

const visit = visitService({ DATABASE_URL: anyDatabase, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
const ask: typeof visit.service.ask = (...request) => visit.service.ask(...request);
const ann = { as: 'token-ann' };
let address = 1;
const elsewhere = () => `10.9.0.${address++}`;

describe('every operation', () => {
  test('has a good question in the tables of these tests', () => {
    expect([...guarded, ...administered, ...open, ...machines].map(named).sort()).toEqual(everyOperation);
  });

  test.each(guarded)('$method $path is answered once', async ({ method, path, query, body, status = 200 }) => {
    // Three test messages a minute, by more operations than three.
    if (path.endsWith('/test')) visit.service.clock.advance(21_000);
    const answer = await ask(method, withQuery(path, query), { ...ann, body });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expectHouseHeaders(answer);
    expect(answer.headers.get('cache-control')).toMatch(/^private\b/);
    expect(answer.headers.get('cache-control')).not.toMatch(/public|s-maxage/);
  });

  test.each(open)('$method $path is answered once without a session', async (one) => {
    const { method, path, query, body, status = 200 } = one;
    const answer = await ask(method, withQuery(path, query), { body, from: elsewhere() });
    expect(answer.status).toBe(status);
    expectHouseHeaders(answer);
  });

  test.each(guarded)('$method $path without a session is 401, never a redirect', async ({ method, path, query }) => {
    for (const question of [withQuery(path, query), path]) {
      const answer = await ask(method, question);
      expectProblem(answer, 401, 'unauthenticated');
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  test.each(administered)('$method $path is for organizations, and for nobody unknown', async (one) => {
    const { method, path, address = path, query, body } = one;
    const question = withQuery(address, query);
    expectProblem(await ask(method, question, { body }), 401, 'unauthenticated');
    expectProblem(await ask(method, question, { ...ann, body }), 403, 'org_mode_only');
  });

  test.each([...guarded, ...open].filter(({ method }) => method === 'GET'))(
    'HEAD $path says what GET says, without a body',
    async ({ path, query, status = 200 }) => {
      const request = { ...ann, from: elsewhere() };
      const got = await ask('GET', withQuery(path, query), request);
      const head = await ask('HEAD', withQuery(path, query), { ...request, from: elsewhere() });
      expect([head.status, head.text]).toEqual([status, '']);
      for (const name of ['content-type', 'cache-control', 'etag', 'x-total-count', 'x-partial'])
        expect(head.headers.get(name)).toBe(got.headers.get(name));
    },
  );

  test.each([...new Set([...guarded, ...administered, ...open].map(({ path }) => path))])(
    '%s knows its methods only, and says which',
    async (declared) => {
      const same = [...guarded, ...administered, ...open].filter((one) => one.path === declared);
      const known = same.map(({ method }) => method);
      const path = declared.replace('[codehostId]', '101');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !known.includes(one))) {
        const answer = await ask(method, path, ann);
        expectProblem(answer, 405, 'method_not_allowed');
        const allowed = known.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allowed.sort());
        expect(answer.body.details.allowed).toEqual(answer.headers.get('allow')?.split(', '));
      }
      const preflight = await ask('OPTIONS', path, {
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
      });
      expectProblem(preflight, 405, 'method_not_allowed');
    },
  );
});

describe('what is not there', () => {
  const nowhere = [
    '/api/not-registered',
    '/api/',
    '/api/codehost',
    '/api/codehost/repos/',
    '/api/Health',
    '/api//health',
  ];

  test.each(nowhere)('%s is 401 for a stranger and 404 for who is signed in', async (path) => {
    expectProblem(await ask('GET', path), 401, 'unauthenticated');
    expectProblem(await ask('GET', path, ann), 404, 'not_found');
    expectProblem(await ask('POST', path, ann), 404, 'not_found');
    expectProblem(await ask('OPTIONS', path), 401, 'unauthenticated');
  });

  test('names that every object has are no operations', async () => {
    for (const path of ['/api/constructor', '/api/__proto__', '/api/toString', '/api/codehost/constructor'])
      expectProblem(await ask('GET', path, ann), 404, 'not_found');
  });

  test('what is not under /api/ is the pages’ business, with the same headers', async () => {
    const answer = await ask('GET', '/apis');
    expect([answer.status, answer.text]).toEqual([200, 'a page']);
    expectHouseHeaders(answer);
  });
});

describe('bodies', () => {
  const send = (body: unknown, headers = {}) => ask('POST', '/api/db/sync', { ...ann, body, headers });

  test.each(['{', '{"owner":', 'owner=octo', '[]', 'null', '"text"', '7', 'true', '{"a":1}{'])(
    '%s is no JSON object',
    async (body) => {
      const answer = await send(body);
      expectProblem(answer, 400, 'invalid_request');
      expect(answer.body.details.fields).toEqual([]);
    },
  );

  test('a body beyond 64 KiB is too large, one of 64 KiB is read', async () => {
    const padded = (bytes: number) => `{"bogus":"${'x'.repeat(bytes - 12)}"}`;
    expect(padded(65_536)).toHaveLength(65_536);
    expectFields(await send(padded(65_536)), ['bogus', 'unknown']);
    expectProblem(await send(padded(65_537)), 413, 'payload_too_large');
    expectProblem(await send(padded(70 * 1024)), 413, 'payload_too_large');
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json', ''])(
    'a body of type "%s" is not taken',
    async (type) => {
      expectProblem(
        await send('{"owner":"octo","repo":"web"}', { 'content-type': type }),
        415,
        'unsupported_media_type',
      );
    },
  );

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/merge-patch+json',
  ])('a body of type %s is read', async (type) => {
    const answer = await send('{"owner":"octo"}', { 'content-type': type, origin: 'http://localhost:3000' });
    expectFields(answer, ['repo', 'missing']);
  });

  test('keys that are not declared are rejected, each by its name', async () => {
    expectFields(await send({ bogus: 1, other: 2 }), ['bogus', 'unknown'], ['other', 'unknown']);
    expectFields(await send({ toString: 1 }), ['toString', 'unknown']);
    expectFields(await send('{"__proto__":{"owner":"octo"}}'), ['__proto__', 'unknown']);
    expectFields(
      await send({ constructor: 1, owner: '-a', repo: 'web' }),
      ['constructor', 'unknown'],
      ['owner', 'invalid'],
    );
  });

  test('a value of another type is rejected', async () => {
    for (const owner of [1, null, true, ['octo'], { login: 'octo' }])
      expectFields(await send({ owner, repo: 'web' }), ['owner', 'invalid']);
  });

  test('a body and a query are not merged, and are no way past the rules', async () => {
    const answer = await ask('POST', '/api/db/sync?owner=octo&repo=web', { ...ann, body: { org: 'octo' } });
    expectFields(answer, ['owner', 'unknown'], ['repo', 'unknown'], ['org', 'invalid']);
    const halves = await ask('POST', '/api/db/sync?owner=octo', { ...ann, body: { repo: 'web' } });
    expectFields(halves, ['owner', 'unknown']);
    expect(halves.body.error).toContain('must stand in the body');
  });
});

describe('the request id', () => {
  test.each(['abcdefgh', 'A.b_c-9'.padEnd(64, '0')])('%s is taken over', async (id) => {
    const answer = await ask('GET', '/api/auth/me', { headers: { 'x-request-id': id } });
    expect([answer.headers.get('x-request-id'), answer.body.request_id]).toEqual([id, id]);
  });

  test.each(['short', 'x'.repeat(65), 'with space', 'semi;colon', 'ünicode1'])('"%s" is replaced', async (id) => {
    const headers = { 'x-request-id': encodeURI(id) };
    const first = await ask('GET', '/api/health', { headers });
    const second = await ask('GET', '/api/health', { headers });
    expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
  });
});
