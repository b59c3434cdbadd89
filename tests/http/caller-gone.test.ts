import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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

const operations = () => service.double.requests.map(({ operation }) => operation);

/** Lets the platform answer every question so late, from now on. */
const slowDown = (ms: number) => service.double.fault({ path: '/graphql', times: 500 }, { kind: 'latency', ms });

/** Asks and breaks the connection off when the platform was asked for `requests`. */
async function leaveAfter(requests: number, path: string) {
  const cookie = await service.signIn('token-ann');
  const before = operations().length;
  const query = httpRequest({ port: server.port, path, headers: { cookie }, agent: false }).end();
  // Breaking off is an error for the one who does it.
  const closed = once(query, 'close').catch(() => undefined);
  await expect.poll(() => operations().length - before, { interval: 5 }).toBeGreaterThanOrEqual(requests);
  query.destroy();
  await closed;
}

describe('a caller who goes away', () => {
  it('leaves nothing behind that goes on asking the platform', async () => {
    const path = '/api/codehost/bus-factor?owner=octo&repo=web';
    const lastOf = 'CommitsOfDirectories';
    const slowMs = 3000;
    slowDown(slowMs);
    await leaveAfter(2, path);
    for (let query = 0; query < operations().length; ) {
      query = operations().length;
      await sleep(slowMs + 1000);
    }
    expect(operations()).not.toContain(lastOf);
    service.double.reset();
    expect((await service.ask('GET', path, { as: 'token-ann' })).status).toBe(200);
    expect(operations()).toContain(lastOf);
  });

  it('does not end what somebody else waits for', async () => {
    const path = '/api/codehost/bus-factor?owner=octo&repo=api';
    slowDown(150);
    const other = service.ask('GET', path, { as: 'token-ann' });
    await leaveAfter(2, path);
    expect((await other).status).toBe(200);
  });
});
