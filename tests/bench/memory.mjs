// The memory of the built service at rest, a minute after its second start, on both databases: what is resident, and
// what of it is its own. Linux tells.
//   node tests/bench/memory.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { answering, benchEnvironment, root } from './served.mjs';

const restMs = 60_000;

/** Megabytes by kind, as the kernel counts them. */
function memoryOf(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024);
  return { resident: megabytes('VmRSS'), own: megabytes('RssAnon'), peak: megabytes('VmHWM') };
}

async function start(env, url) {
  const server = spawn(process.execPath, ['server/launch.mjs'], { cwd: root, env, stdio: 'ignore' });
  await answering(url, server);
  return server;
}

async function stop(server) {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
}

async function measure(name, more) {
  const { env, url, remove } = await benchEnvironment(more);
  try {
    await stop(await start(env, url));
    const server = await start(env, url);
    await sleep(restMs);
    const { resident, own, peak } = memoryOf(server.pid);
    console.log(`${name}: ${resident} MB resident at rest, ${own} MB of it its own; ${peak} MB at most`);
    await stop(server);
  } finally {
    remove();
  }
}

await measure('embedded', {});
const programs = findPrograms();
if (programs) {
  const { socket, stop: stopServer } = await startServer(programs);
  await measure('PostgreSQL', { DATABASE_URL: await createDatabase(socket) });
  await stopServer();
}
