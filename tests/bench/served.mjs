// The built service as it is served: in a process of its own, on a free port, with a platform that is not asked.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const root = resolve(import.meta.dirname, '../..');

/** The environment of a service for measuring, with an embedded database in a folder of its own. */
export async function benchEnvironment(more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: `http://localhost:${port}`,
    SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
    DATABASE_URL: `pglite://${join(folder, 'db')}`,
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
    RATE_LIMIT_DEMO_PER_MINUTE: '0',
    ...more,
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { env, url: `http://127.0.0.1:${port}`, origin: env.APP_URL, remove };
}

/** Starts the built server and waits until it answers. */
export async function startServed(more) {
  if (!existsSync(join(root, 'build/server/index.js'))) throw new Error('Build it first: npx react-router build');
  const { env, url, origin, remove } = await benchEnvironment(more);
  const server = spawn(process.execPath, ['server/launch.mjs'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  server.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await answering(url, server);
  return {
    url,
    origin,
    /** Everything on standard output so far. */
    output: () => output,
    /** Milliseconds of processor time so far; Linux tells. */
    processorMs: () =>
      readFileSync(`/proc/${server.pid}/stat`, 'utf8')
        .split(' ')
        .slice(13, 15)
        .reduce((sum, ticks) => sum + 10 * Number(ticks), 0),
    /** Megabytes of memory; Linux tells. */
    residentMb() {
      const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'));
      return Math.round(kilobytes / 1024);
    },
    async close() {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
      remove();
    },
  };
}

/** Resolves as soon as the health question is answered. */
export async function answering(url, server) {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`The server ended (${server.exitCode}).`);
    const isThere = await fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isThere) return;
    await sleep(5);
  }
}

/** An address for each of many sessions: few may try to sign in from the same one. */
export const addressOf = (n) => `10.0.${n >> 8}.${n & 255}`;

/** The cookie of a session with a token of the platform; through a proxy where an address is given. */
export async function signIn({ url, origin }, pat, address) {
  const answer = await fetch(`${url}/api/auth/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...(address && { 'x-forwarded-for': address }) },
    body: JSON.stringify({ pat }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.headers.getSetCookie()[0].split(';')[0];
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function freePort() {
  const probe = net.createServer();
  return new Promise((found) => {
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });
}
