import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import type { Context } from '../../server/access/context.ts';
import { toProblem } from '../../server/http/error-body.ts';
import { createLog } from '../../server/platform/log.ts';
import { isDatabaseUnavailable } from '../../server/store/failure.ts';
import { openStore } from '../../server/store/orm.ts';
import { createMigrated } from '../support/created-databases.ts';

const socket = inject('postgres');

/** Passes everything on to PostgreSQL, and cuts so many connections just when this is sent. */
async function cuttingProxy(folder: string, when: string) {
  const proxy = {
    cuts: 0,
    port: 0,
    close: () => new Promise((closed) => server.close(closed)),
  };
  const server = createServer((client) => {
    const database = connect(join(folder, '.s.PGSQL.5432'));
    client.on('error', () => database.destroy());
    database.on('error', () => client.destroy());
    client.on('data', (chunk) => {
      if (proxy.cuts === 0 || !chunk.includes(when)) return database.write(chunk);
      proxy.cuts--;
      client.destroy();
      database.destroy();
    });
    client.on('close', () => database.end());
    database.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}

/** A store with two connections, of which one is made. */
async function opened(when: string) {
  const proxy = await cuttingProxy(socket as string, when);
  const url = new URL(await createMigrated(socket as string));
  url.search = '';
  url.host = `127.0.0.1:${proxy.port}`;
  const options = { url: url.href, log: createLog('silent'), poolMax: 2, statementTimeoutMs: 60_000, migrate: false };
  return { proxy, store: await openStore(options) };
}

describe.skipIf(socket === null)('a connection that is lost takes no place from others', () => {
  test('while it is made', async () => {
    const { proxy, store } = await opened('set jit');
    const readTwice = async () => {
      const reads = [store.settings.get('access'), store.settings.get('access')];
      return (await Promise.allSettled(reads)).map(({ status }) => status).toSorted();
    };
    proxy.cuts = 1;
    expect(await readTwice()).toEqual(['fulfilled', 'rejected']);
    expect(await readTwice()).toEqual(['fulfilled', 'fulfilled']);
    // Waits for every connection to be given back.
    await store.close();
    await proxy.close();
  });

  test.each(['begin', 'settings', 'commit'])('in a transaction, when %s is sent', async (when) => {
    const { proxy, store } = await opened(when);
    const by = { actor: { id: 1, login: 'ann' }, requestId: 'request', now: 0 };
    const write = () => store.settings.put('workday', { value: {}, by });
    // More often than there are places.
    for (let turn = 0; turn < 3; turn++) {
      proxy.cuts = 1;
      await expect(write()).rejects.toSatisfy(isDatabaseUnavailable);
    }
    await write();
    await store.close();
    await proxy.close();
  });
});

test.skipIf(socket === null)(
  'a database that is too slow is unavailable in time, and used again afterwards',
  async () => {
    const url = await createMigrated(socket as string);
    const options = { url, log: createLog('silent'), poolMax: 2, statementTimeoutMs: 200, migrate: false };
    const store = await openStore(options);
    const signal = new AbortController().signal;
    const context = { services: options, requestId: 'request', signal } as unknown as Context;
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('begin; lock table settings');
    for (let turn = 0; turn < 3; turn++) {
      const error: unknown = await store.settings.get('access').catch((reason: unknown) => reason);
      expect(toProblem(error, context)).toMatchObject({ status: 503, code: 'db_unavailable' });
    }
    await other.query('commit');
    await other.end();
    await store.settings.get('access');
    await store.close();
  },
);
