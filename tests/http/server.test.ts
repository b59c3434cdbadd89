import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { type Listening, listen } from './listening.ts';

let service: Service;
let site: Listening;

beforeAll(async () => {
  service = await startService();
  site = await listen(service);
});

afterAll(async () => {
  await site?.close();
  await service?.close();
});

const origin = 'http://localhost:3000';

/** Sends these bytes and reads until the other side has ended, or `enough` has come. */
async function talk(bytes: string, enough = /$^/): Promise<string> {
  const socket = connect(site.port, '127.0.0.1').setEncoding('latin1');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
    if (enough.test(heard)) socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return heard;
}

describe('whose business an address is', () => {
  test.each(['/api', '/api?x=1', '/api/', '/api/nothing', '/api/x/../nothing', '/api/Health'])(
    '%s: the JSON door’s',
    async (path) => {
      const { status, text } = await site.send(path);
      expect([status, JSON.parse(text).code]).toEqual([401, 'unauthenticated']);
    },
  );

  test.each(['/', '/apis', '/API/health', '/Api', '/api/../repos', '/api/..', '/x/api/health', '//api/health'])(
    '%s: the pages’',
    async (path) => {
      expect(await site.send(path)).toMatchObject({
        status: 200,
        text: `the page at ${new URL(`http://x${path}`).pathname}`,
      });
    },
  );
});

describe('the bytes of an answer', () => {
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

  test('have a length, and the connection is used again', async () => {
    const heard = await talk(get('/api/health') + get('/api/health', 'Connection: close\r\n'));
    expect(heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(heard.match(/^content-length: 15\r$/gim)).toHaveLength(2);
    expect(heard.match(/\{"status":"ok"\}/g)).toHaveLength(2);
    expect(heard).not.toMatch(/transfer-encoding/i);
  });

  test('of HEAD are its headers', async () => {
    const heard = await talk(`HEAD /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(heard).toMatch(/\r\n\r\n$/);
    expect(heard).toMatch(/x-content-type-options: nosniff/i);
  });

  test('each cookie has a line of its own', async () => {
    const headers = new Headers([
      ['Set-Cookie', 'a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT'],
      ['Set-Cookie', 'b=2'],
    ]);
    const other = await listen(service, async () => ({ status: 200, headers, body: 'ok' }));
    const answer = await other.send('/api/x');
    await other.close();
    expect(answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)).toEqual([
      'a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT',
      'b=2',
    ]);
  });

  test('of a stream are sent as they come, and half of one is not taken for a whole', async () => {
    const chunks = (fails: boolean) =>
      new ReadableStream({
        async start(controller) {
          controller.enqueue(Buffer.from('one,'));
          await sleep(20);
          if (fails) return controller.error(new Error('broken'));
          controller.enqueue(Buffer.from('two'));
          controller.close();
        },
      });
    const other = await listen(service, async ({ url }) => new Response(chunks(url.pathname === '/api/broken')));
    expect(await other.send('/api/whole')).toMatchObject({ status: 200, text: 'one,two' });
    await expect(other.send('/api/broken')).rejects.toThrow();
    await other.close();
  });

  describe('compressed', () => {
    const long = JSON.stringify({ names: Array.from({ length: 200 }, (_, index) => `Ngô ${index}`) });
    const short = JSON.stringify({ name: 'x'.repeat(1000) });

    /** What is sent for a text, still as it came over the socket. */
    async function sent(body: string, acceptEncoding: string | null, headers: [string, string][] = []) {
      const other = await listen(service, async () => ({ status: 200, headers: new Headers(headers), body }));
      const given = acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding };
      const query = httpRequest({ port: other.port, path: '/api/x', headers: given, agent: false }).end();
      const [answered] = await once(query, 'response');
      const bytes = await buffer(answered);
      await other.close();
      return { headers: answered.headers as Record<string, string>, bytes };
    }

    test.each([
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['GZIP;q=0.8, br;q=0.2', 'gzip', gunzipSync],
      ['br;q=0, *', 'gzip', gunzipSync],
      ['br;q=nothing, gzip', 'gzip', gunzipSync],
    ])('for %j as %s', async (accepted, encoding, expand) => {
      const { headers, bytes } = await sent(long, accepted, [['Vary', 'Cookie']]);
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(bytes.length).toBeLessThan(long.length / 2);
      expect(expand(bytes).toString()).toBe(long);
      expect(headers.vary).toBe('Cookie, Accept-Encoding');
    });

    test.each([null, '', 'identity', 'deflate', 'gzip;q=0', '*;q=0.0', 'br;q=nothing', 'identity, gzip;q=0.5'])(
      'not for %j',
      async (accepted) => {
        const { headers, bytes } = await sent(long, accepted);
        expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Accept-Encoding']);
        expect([bytes.toString(), headers['content-length']]).toEqual([long, String(Buffer.byteLength(long))]);
      },
    );

    test('only from a kilobyte on', async () => {
      const { headers, bytes } = await sent(short, 'gzip');
      expect([headers['content-encoding'], bytes.toString()]).toEqual([undefined, short]);
      expect((await sent(`${short}${' '.repeat(1024 - short.length)}`, 'gzip')).headers['content-encoding']).toBe(
        'gzip',
      );
    });

    test('an answer that is known is not sent again, in whichever coding it is stored', async () => {
      const cookie = await service.signIn('token-ann');
      const path = '/api/codehost/runs?owner=octo&repo=web&workflow_id=7001';
      const reported = (acceptEncoding: string, known = '') =>
        site.send(path, { headers: { cookie, 'accept-encoding': acceptEncoding, 'if-none-match': known } });
      const of = (answer: Awaited<ReturnType<typeof reported>>) => Object.fromEntries(answer.headers);
      const zipped = await reported('gzip');
      const plain = await reported('identity');
      expect([of(zipped)['content-encoding'], of(plain)['content-encoding']]).toEqual(['gzip', undefined]);
      expect(of(zipped).etag).toMatch(/^W\//);
      expect(of(zipped).etag).toBe(of(plain).etag);
      const again = await reported('gzip', of(plain).etag);
      expect([again.status, again.text, of(again).vary]).toEqual([304, '', of(zipped).vary]);
      expect(of(zipped).vary).toBe('Cookie, Authorization, Accept, Accept-Encoding');
      const head = await site.send(path, { method: 'HEAD', headers: { cookie, 'accept-encoding': 'gzip' } });
      expect([head.status, head.text, of(head).etag]).toEqual([200, '', of(plain).etag]);
    });
  });

  test('a door that fails ends the connection, and only that', async () => {
    const other = await listen(service, async ({ url }) => {
      if (url.pathname === '/api/broken') throw new Error('a defect');
      return new Response('well');
    });
    await expect(other.send('/api/broken')).rejects.toThrow();
    expect(await other.send('/api/well')).toMatchObject({ status: 200, text: 'well' });
    await other.close();
  });
});

describe('a body', () => {
  const post = (length: number, more = '') =>
    `POST /api/auth/setup HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\n${more}` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test('that is too large is rejected before it has come, and what follows is not waited for', async () => {
    const heard = await talk(`${post(10_000_000)}${' '.repeat(200_000)}`);
    expect(heard).toMatch(/^HTTP\/1\.1 413 /);
    expect(heard).toContain('"code":"payload_too_large"');
  });

  test('that is too large and has come in full leaves the connection to the next request', async () => {
    const large = 200_000;
    const next = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const heard = await talk(`${post(large)}${' '.repeat(large)}${next}`);
    expect(heard).toMatch(/^HTTP\/1\.1 413 [\s\S]*HTTP\/1\.1 200 OK/);
  });

  test('of a caller who is rejected unread leaves the connection to the next request', async () => {
    const next = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const heard = await talk(`${post(2).replace('/auth/setup', '/db/sync')}{}${next}`);
    expect(heard).toMatch(/^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 OK/);
  });

  test('that breaks off is nobody’s defect', async () => {
    const failures: unknown[] = [];
    const { log } = service.app.services;
    const error = log.error;
    log.error = ((reported: unknown) => failures.push(reported)) as typeof log.error;
    const socket = connect(site.port, '127.0.0.1');
    socket.write(`${post(100)}{"pat":`);
    await sleep(50);
    socket.destroy();
    await sleep(50);
    log.error = error;
    expect(failures).toEqual([]);
    expect((await site.send('/api/health')).status).toBe(200);
  });
});
