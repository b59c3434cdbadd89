import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { type Listening, listen } from './listening.ts';

let service: Service;
let server: Listening;
beforeAll(async () => {
  service = await startService();
  server = await listen(service);
});
afterEach(() => service.double.reset());
afterAll(async () => {
  await server.close();
  await service.close();
});

/** Asks and breaks the connection off when the platform was asked for `requests`. */
async function leaveAfter(requests: number, path: string) {
  const cookie = await service.signIn('token-ann');
  const before = service.double.requests.length;
  const asked = httpRequest({ port: server.port, path, headers: { cookie }, agent: false }).end();
  // Breaking off is an error for the one who does it.
  const closed = once(asked, 'close').catch(() => undefined);
  await vi.waitFor(() => expect(service.double.requests.length - before).toBeGreaterThanOrEqual(requests));
  asked.destroy();
  await closed;
}

describe('a caller who goes away', () => {
  it('leaves nothing behind that goes on asking the platform', async () => {
    service.double.fault({ path: '/graphql', times: 500 }, { kind: 'latency', ms: 150 });
    await leaveAfter(2, '/api/codehost/bus-factor?owner=octo&repo=web');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const sent = service.double.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(service.double.requests).toHaveLength(sent);
  });

  it('does not end what somebody else waits for', async () => {
    const path = '/api/codehost/bus-factor?owner=octo&repo=api';
    service.double.fault({ path: '/graphql', times: 500 }, { kind: 'latency', ms: 150 });
    const other = service.ask('GET', path, { as: 'token-ann' });
    await leaveAfter(2, path);
    expect((await other).status).toBe(200);
  });
});
