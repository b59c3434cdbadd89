import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { openStore } from '../../server/store/orm.ts';
import { createMigrated } from '../support/postgres.ts';

const socket = inject('postgres');

/** Passes everything on to PostgreSQL, and cuts so many connections just when their session is prepared. */
async function cuttingProxy(folder: string) {
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
      if (proxy.cuts === 0 || !chunk.includes('set jit')) return database.write(chunk);
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

test.skipIf(socket === null)('a connection that is lost while it is made takes no place from others', async () => {
  const proxy = await cuttingProxy(socket as string);
  const url = new URL(await createMigrated(socket as string));
  url.search = '';
  url.host = `127.0.0.1:${proxy.port}`;
  const store = await openStore({
    url: url.href,
    log: createLog('silent'),
    poolMax: 2,
    statementTimeoutMs: 60_000,
    migrate: false,
  });
  const readTwice = async () => {
    const reads = [store.settings.get('access'), store.settings.get('access')];
    return (await Promise.allSettled(reads)).map(({ status }) => status).toSorted();
  };
  // One connection is there since the opening, so that two reads at once need another.
  proxy.cuts = 1;
  expect(await readTwice()).toEqual(['fulfilled', 'rejected']);
  expect(await readTwice()).toEqual(['fulfilled', 'fulfilled']);
  // Waits for every connection to be given back.
  await store.close();
  await proxy.close();
});
