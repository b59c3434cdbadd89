import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../server/platform/clock.ts';
import { readEnv } from '../server/platform/env.ts';
import { boot } from '../server/start.ts';

/** A platform that knows one account, and how many connections to it are open. */
async function startPlatform() {
  const open = new Set<Socket>();
  const ann = { id: 1, login: 'ann', name: null, avatar_url: '', email: null };
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ann));
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { open, url, close: () => new Promise((closed) => server.close(closed)) };
}

test('closing gives back the connections to the platform, reports long work to stop, and may be repeated', async () => {
  const platform = await startPlatform();
  const app = await boot(
    readEnv({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      SCHEDULER: 'off',
      SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
      CODEHOST_API_URL: platform.url,
      CODEHOST_GRAPHQL_URL: `${platform.url}/graphql`,
    }),
    systemClock,
  );
  expect(await app.services.connect('token').viewer()).toMatchObject({ login: 'ann' });
  expect([platform.open.size, app.services.stopping.aborted]).toEqual([1, false]);
  await app.close();
  await app.close();
  expect(app.services.stopping.aborted).toBe(true);
  await expect.poll(() => platform.open.size).toBe(0);
  await platform.close();
});
