import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPages } from '../../server/api/operation.ts';
import { operations } from '../../server/api/registry.ts';
import { toFileInput } from '../../server/http/all-pages.ts';
import { type Listening, listen } from '../http/listening.ts';
import { aDatabase } from '../support/a-database.ts';
import { expectProblem } from './endpoints.ts';
import { storedService } from './stored.ts';

const runs = '/api/db/runs?owner=octo&repo=web';

aDatabase((database) => {
  const visit = storedService(database);
  const ask = (path: string, as = 'token-ann') => visit.service.ask('GET', path, { as });
  let server: Listening;
  beforeAll(async () => {
    await visit.sync('owner=octo&repo=web');
    server = await listen(visit.service);
  });
  afterAll(() => server?.close());

  /** The bytes of an answer as they come over the socket. */
  async function fetchRaw(path: string, headers: Record<string, string> = {}) {
    const cookie = await visit.service.signIn('token-ann');
    const query = httpRequest({ port: server.port, path, headers: { cookie, ...headers }, agent: false }).end();
    const [answered] = await once(query, 'response');
    return { headers: answered.headers, bytes: await buffer(answered) };
  }

  describe('all pages of a table as one file', () => {
    test('are what one large page is', async () => {
      const whole = await ask(`${runs}&limit=500&format=csv`);
      const { total } = (await ask(runs)).body;
      expect(total).toBeGreaterThan(4);
      for (const limit of [1, 3, total, 500]) {
        const { status, headers, text } = await ask(`${runs}&limit=${limit}&format=csv&csv_pages=all`);
        expect([status, limit, text]).toEqual([200, limit, whole.text]);
        expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
        expect(headers.get('content-disposition')).toBe('attachment; filename="runs-octo-web.csv"');
        expect(headers.get('cache-control')).toBe('private, no-store');
      }
    });

    test('begin with the requested page', async () => {
      const { text } = await ask(`${runs}&limit=2&offset=3&format=csv&csv_pages=all`);
      const whole = (await ask(`${runs}&limit=500&format=csv`)).text.split('\r\n');
      expect(text.split('\r\n')).toEqual([whole[0], ...whole.slice(4)]);
    });

    test('are one page unless all are requested, and as JSON always', async () => {
      const one = (await ask(`${runs}&limit=2&format=csv`)).text;
      expect((await ask(`${runs}&limit=2&format=csv&csv_pages=one`)).text).toBe(one);
      expect((await ask(`${runs}&limit=2&csv_pages=all`)).body.runs).toHaveLength(2);
      const wrong = await ask(`${runs}&format=csv&csv_pages=some`);
      expectProblem(wrong, 400, 'invalid_request');
      expect(wrong.body.details).toMatchObject({ fields: [{ field: 'csv_pages' }], allowed: ['one', 'all'] });
    });

    test('of what the caller may not read are a problem, and no file', async () => {
      const answer = await ask('/api/db/runs?owner=octo&repo=secret&format=csv&csv_pages=all', 'token-bo');
      expectProblem(answer, 404, 'not_found');
    });

    test.each([
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const)('come over the socket as %s, and as they are', async (coding, expand) => {
      const path = `${runs}&limit=2&format=csv&csv_pages=all`;
      const plain = await fetchRaw(path);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.headers['transfer-encoding']).toBe('chunked');
      const coded = await fetchRaw(path, { 'accept-encoding': coding });
      expect(coded.headers['content-encoding']).toBe(coding);
      expect(expand(coded.bytes).toString()).toBe(plain.bytes.toString());
      // Reading an answer as text leaves the byte-order mark out.
      expect(plain.bytes.toString()).toBe(`\ufeff${(await ask(path)).text}`);
    });

    test('need no body where only the head is requested', async () => {
      const { status, text, headers } = await visit.service.ask('HEAD', `${runs}&format=csv&csv_pages=all`, {
        as: 'token-ann',
      });
      expect([status, text, headers.get('content-type')]).toEqual([200, '', 'text/csv; charset=utf-8']);
    });
  });
});

test('all tables that have pages can be had as one file', () => {
  expect(
    operations
      .filter(hasPages)
      .map(({ path }) => path)
      .sort(),
  ).toEqual([
    '/api/admin/audit',
    '/api/admin/sessions',
    '/api/admin/tokens',
    '/api/admin/users',
    '/api/advisor/plan',
    '/api/alerts',
    '/api/codehost/merge-queue/batches',
    '/api/codehost/merge-queue/entries',
    '/api/db/collection',
    '/api/db/runs',
    '/api/exposure/actions',
    '/api/exposure/search',
  ]);
});

test('what is numbered by pages is cut from one answer, and the rest is read in the largest pages there are', () => {
  const numbered = operations.filter(({ input }) => 'page' in input.shape);
  expect(numbered.filter(({ nextPage }) => nextPage).map(({ path }) => path)).toEqual([]);
  const sizes = operations
    .filter((one) => hasPages(one) && one.nextPage)
    .map((one) => [one.path, toFileInput(one, { limit: 1 }).limit]);
  expect(Object.fromEntries(sizes)).toEqual({
    '/api/admin/audit': 200,
    '/api/admin/sessions': 500,
    '/api/admin/tokens': 500,
    '/api/admin/users': 500,
    // Its pages have one size.
    '/api/alerts': 1,
    '/api/codehost/merge-queue/batches': 1000,
    '/api/codehost/merge-queue/entries': 1000,
    '/api/db/collection': 200,
    '/api/db/runs': 500,
  });
});
