import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPrograms, startServer } from '../support/postgres.ts';

/** A PostgreSQL server of a test's own that goes away and comes back with the same data; null where there is none. */
export async function restlessPostgres() {
  const programs = findPrograms();
  if (!programs) return null;
  const { socket, stop } = await startServer(programs);
  const data = join(socket, 'data');
  const { uid, gid } = statSync(data);
  const state = () => (existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n') : []);
  const pidFile = join(data, 'postmaster.pid');
  let again: ChildProcess | undefined;
  const away = async () => {
    const [pid] = state();
    if (!pid) return;
    // At once, as when the machine fails: what was not committed is lost.
    process.kill(Number(pid), 'SIGQUIT');
    if (again) await once(again, 'exit');
    while (existsSync(pidFile)) await sleep(20);
  };
  return {
    socket,
    away,
    async back() {
      const settings = ['listen_addresses=', `unix_socket_directories=${socket}`, 'fsync=on', 'max_connections=100'];
      const options = { ...(process.getuid?.() === 0 && { uid, gid }), cwd: socket, stdio: 'ignore' as const };
      again = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], options);
      while (state()[7]?.trim() !== 'ready') await sleep(20);
    },
    async stop() {
      await away();
      await stop();
    },
  };
}
