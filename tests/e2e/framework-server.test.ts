import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

test('the same build answers behind the framework’s own server', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, ['node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'], {
    cwd: root,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      APP_URL: url,
      SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
      SCHEDULER: 'off',
    },
  });
  const ended = once(server, 'exit');
  try {
    const health = async () => (await fetch(`${url}/api/health`).catch(() => null))?.ok;
    while (!(await health()) && server.exitCode === null) await sleep(50);
    const page = await fetch(`${url}/demo`);
    expect([page.status, page.headers.get('x-frame-options')]).toEqual([200, 'DENY']);
    expect(await page.text()).toContain('<main');
    expect((await fetch(`${url}/api/auth/me`)).status).toBe(401);
    const body = new URLSearchParams({ theme: 'x'.repeat(70_000) });
    const response = await fetch(`${url}/theme`, { method: 'POST', body, headers: { origin: url } });
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining('<h1>Too large</h1>')]);
  } finally {
    server.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
});
