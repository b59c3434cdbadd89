import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
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
    '%s: the framework’s',
    async (path) => {
      expect(await site.send(path)).toMatchObject({ status: 200, text: `the framework has ${path}` });
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

  test('that is too large is refused before it has come, and what follows is not waited for', async () => {
    const from = performance.now();
    const heard = await talk(`${post(10_000_000)}${' '.repeat(200_000)}`);
    expect(heard).toMatch(/^HTTP\/1\.1 413 /);
    expect(heard).toContain('"code":"payload_too_large"');
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  test('that is too large and has come in full leaves the connection to the next request', async () => {
    const large = 200_000;
    const next = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const heard = await talk(`${post(large)}${' '.repeat(large)}${next}`);
    expect(heard).toMatch(/^HTTP\/1\.1 413 [\s\S]*HTTP\/1\.1 200 OK/);
  });

  test('of a caller who is refused unread leaves the connection to the next request', async () => {
    const next = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const heard = await talk(`${post(2).replace('/auth/setup', '/db/sync')}{}${next}`);
    expect(heard).toMatch(/^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 OK/);
  });

  test('that breaks off is nobody’s defect', async () => {
    const failures: unknown[] = [];
    const { log } = service.app.services;
    const error = log.error;
    log.error = ((told: unknown) => failures.push(told)) as typeof log.error;
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
